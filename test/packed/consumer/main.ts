import { Manager } from 'evenkeel';
import { SiteController } from './site.controller.ts';

await Manager.run({ controllers: [SiteController] });
