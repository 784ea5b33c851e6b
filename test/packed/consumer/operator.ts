import { defineOperator } from 'evenkeel';
import { SiteController } from './site.controller.ts';

export const operator = defineOperator({ name: 'sites', controllers: [SiteController] });
