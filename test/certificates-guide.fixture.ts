import { type AdmissionReview, Admit, defineOperator, ValidatingWebhook } from 'evenkeel';
import { NginxController } from '../examples/nginx/src/nginx.controller.ts';
import { Nginx } from '../examples/nginx/src/nginx.ts';

@ValidatingWebhook(Nginx)
class NginxValidator {
  @Admit('create') check({ metadata }: Nginx, review: AdmissionReview<Nginx>): void {
    if (metadata.name === 'forbidden') review.forbidden('metadata.name', 'is reserved');
  }
}

export const operator = defineOperator({
  name: 'nginx-operator',
  controllers: [NginxController],
  webhooks: [NginxValidator],
  webhookServer: { certificates: 'built-in' },
});

export const shortLived = defineOperator({
  ...operator.declaration,
  webhookServer: { certificateDuration: '7d', authorityDuration: '30d' },
});
