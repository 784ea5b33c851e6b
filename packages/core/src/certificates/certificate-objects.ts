import { authoritySecretName } from './certificate-names.ts';

/** What an operator reads and writes if it creates the certificates of its webhook server itself. */
export interface CertificateObjects {
  /** The Secret of the certificate authority. */
  readonly secret: { readonly name: string; readonly namespace: string };
  /** The objects whose `caBundle`s it maintains. */
  readonly targets: readonly CaBundleTargetName[];
}

export interface CaBundleTargetName {
  readonly kind: 'ValidatingWebhookConfiguration' | 'MutatingWebhookConfiguration' | 'CustomResourceDefinition';
  readonly name: string;
}

/** What an operator serves. */
export interface ServedWebhooks {
  /** The name of the operator, which its configurations have too. */
  readonly name: string;
  /** The namespace of its pods. */
  readonly namespace: string;
  readonly webhooks: readonly { readonly type: 'validating' | 'mutating' }[];
  /** The kinds that it converts. */
  readonly conversions: readonly { readonly group: string; readonly plural: string }[];
}

/** Returns the objects of built-in certificates, for the roles and for the program. */
export function certificateObjects({ name, namespace, webhooks, conversions }: ServedWebhooks): CertificateObjects {
  const configurations = {
    mutating: 'MutatingWebhookConfiguration',
    validating: 'ValidatingWebhookConfiguration',
  } as const;
  const types = (['mutating', 'validating'] as const).filter((type) =>
    webhooks.some((webhook) => webhook.type === type),
  );
  const definitions = new Set(conversions.map(({ group, plural }) => `${plural}.${group}`));
  return {
    secret: { name: authoritySecretName(name), namespace },
    targets: [
      ...types.map((type) => ({ kind: configurations[type], name })),
      ...[...definitions].map((definition) => ({ kind: 'CustomResourceDefinition' as const, name: definition })),
    ],
  };
}
