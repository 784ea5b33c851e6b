import { Manager } from 'evenkeel';
import { Dictionary } from './dictionary.ts';
import { fields } from './fields.ts';
import { GreetingController } from './greeting.controller.ts';

await Manager.run({ controllers: [GreetingController], services: [Dictionary], fields });
