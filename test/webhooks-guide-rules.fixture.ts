import { classValidator } from '@evenkeel/schema/validator';
import { defineOperator, ValidatingWebhook } from 'evenkeel';
import { Site } from './webhooks-guide-site.fixture.ts';

@ValidatingWebhook(Site, { schema: true })
export class SiteRules {}

export const operator = defineOperator({
  name: 'site-operator',
  controllers: [],
  webhooks: [SiteRules],
  validator: classValidator(),
});
