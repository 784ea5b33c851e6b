import type { WebhookClientConfig } from '../contract/webhook-configuration.ts';
import { webhookServiceName } from './certificate-names.ts';
import type { PlannedCertificates } from './certificate-source.ts';

/** How the API server reaches a path of an operator's webhook server: by the declared URL, otherwise through its Service. */
export function webhookClientConfig(
  certificates: PlannedCertificates,
  { name, namespace }: { readonly name: string; readonly namespace: string },
  path: string,
): WebhookClientConfig {
  const url = certificates.source === 'files' ? certificates.url : undefined;
  return url === undefined
    ? { service: { namespace, name: webhookServiceName(name), path } }
    : { url: `${url.replace(/\/$/, '')}${path}` };
}
