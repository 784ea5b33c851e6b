import { Manager } from 'evenkeel';
import { NginxController } from './nginx.controller.ts';

await Manager.run({ controllers: [NginxController] });
