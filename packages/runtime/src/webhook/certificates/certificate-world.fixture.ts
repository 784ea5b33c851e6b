import { X509Certificate } from 'node:crypto';
import type { CaBundleTargetName } from './ca-bundle-target.ts';

export const service = { namespace: 'default', name: 'nginx-webhook' } as const;
export const host = 'nginx-webhook.default.svc';

export const targets: readonly CaBundleTargetName[] = [
  { kind: 'ValidatingWebhookConfiguration', name: 'nginx' },
  { kind: 'MutatingWebhookConfiguration', name: 'nginx' },
  { kind: 'CustomResourceDefinition', name: 'widgets.example.com' },
];

/** The manifest of a target, as a user applies it: without a `caBundle`. */
export function manifestOf({ kind, name }: CaBundleTargetName): object {
  const clientConfig = { service: { ...service, path: '/webhook' } };
  if (kind === 'CustomResourceDefinition') return definition(name, clientConfig);
  const webhook = (prefix: string, to: object) => ({
    name: `${prefix}.example.com`,
    clientConfig: to,
    rules: [{ apiGroups: ['example.com'], apiVersions: ['*'], operations: ['CREATE'], resources: ['nothings'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  });
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name },
    webhooks: [
      webhook('first', clientConfig),
      webhook('elsewhere', { url: 'https://elsewhere.example.com/' }),
      webhook('second', clientConfig),
    ],
  };
}

function definition(name: string, clientConfig: object): object {
  const [plural = '', ...group] = name.split('.');
  const version = (version: string, storage: boolean) => ({
    name: version,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: 'object' } },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group: group.join('.'),
      scope: 'Namespaced',
      names: { plural, singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [version('v1', true), version('v2', false)],
      conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } },
    },
  };
}

/** Whether a client that trusts a `caBundle` accepts a certificate at a time, by the rules of Go's `crypto/x509`. */
export function accepts(caBundle: string, certificatePem: string, nowMs: number): boolean {
  const leaf = new X509Certificate(certificatePem);
  if (!isValid(leaf, nowMs) || leaf.checkHost(host) === undefined) return false;
  const blocks = Buffer.from(caBundle, 'base64')
    .toString('latin1')
    .split(/(?<=-----END CERTIFICATE-----\n)/);
  return blocks
    .filter((block) => block.includes('BEGIN'))
    .some((block) => {
      const authority = new X509Certificate(block);
      return (
        isValid(authority, nowMs) && authority.ca && leaf.checkIssued(authority) && leaf.verify(authority.publicKey)
      );
    });
}

function isValid({ validFromDate, validToDate }: X509Certificate, nowMs: number): boolean {
  return validFromDate.getTime() <= nowMs && nowMs <= validToDate.getTime();
}
