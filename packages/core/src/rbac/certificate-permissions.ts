import type { Permission } from '../declarations/permission.ts';

/** What an operator reads and writes if it creates the certificates of its webhook server itself. */
export interface CertificateObjects {
  /** The Secret of the certificate authority. */
  readonly secret: { readonly name: string; readonly namespace: string };
  /** The objects whose `caBundle`s it maintains. */
  readonly targets: readonly {
    readonly kind: 'ValidatingWebhookConfiguration' | 'MutatingWebhookConfiguration' | 'CustomResourceDefinition';
    readonly name: string;
  }[];
}

const resources = {
  ValidatingWebhookConfiguration: {
    group: 'admissionregistration.k8s.io',
    resource: 'validatingwebhookconfigurations',
  },
  MutatingWebhookConfiguration: { group: 'admissionregistration.k8s.io', resource: 'mutatingwebhookconfigurations' },
  CustomResourceDefinition: { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
} as const;

/**
 * Returns the permissions for built-in certificates: only for the named objects. The exception is `create`, which cannot be limited
 * to a name, because the authorizer does not get one. Without it, the Secret would have to exist before the first start.
 */
export function certificatePermissions({ secret, targets }: CertificateObjects): Permission[] {
  const place = { namespace: secret.namespace };
  const secrets = { group: '', resource: 'secrets' };
  return [
    {
      place,
      target: { ...secrets, names: [] },
      verbs: ['create'],
      reason: `creates the Secret ${secret.name} of the webhook certificates if it does not exist`,
    },
    {
      place,
      target: { ...secrets, names: [secret.name] },
      verbs: ['get', 'watch', 'update'],
      reason: `shares the certificate authority of its webhooks with its replicas in the Secret ${secret.name}`,
    },
    ...targets.map(
      ({ kind, name }): Permission => ({
        place: 'cluster',
        target: { ...resources[kind], names: [name] },
        verbs: ['get', 'watch', 'patch'],
        reason: `keeps the caBundle of ${kind} ${name} up to date`,
      }),
    ),
  ];
}
