import { Manager } from 'evenkeel';
import { fields } from './fields.ts';
import { NginxController } from './nginx.controller.ts';

await Manager.run({ controllers: [NginxController], fields });
