import { authoritySecretName } from '../certificates/certificate-names.ts';
import type { AnyClass } from '../declarations/class-reference.ts';
import { resourceOf } from '../declarations/resource-of.ts';
import type { KindClass } from '../kind/api-resource.ts';
import type { WebhookPlan } from './webhook-plan.ts';

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

/** An operator that creates the certificates of its webhook server itself. */
export interface CertifiedOperator {
  readonly name: string;
  /** The namespace of its pods. */
  readonly namespace: string;
  readonly webhooks: readonly Pick<WebhookPlan, 'type'>[];
  /** The classes of versions that it converts. */
  readonly conversions: readonly AnyClass[];
}

/** Returns the objects that the certificates of an operator depend on, for its program and for its roles. */
export function certificateObjects({ name, namespace, webhooks, conversions }: CertifiedOperator): CertificateObjects {
  const hasType = (wanted: WebhookPlan['type']) => webhooks.some(({ type }) => type === wanted);
  const definitions = conversions.map((type) => {
    const { group, plural } = resourceOf(type as KindClass);
    return `${plural}.${group}`;
  });
  return {
    secret: { name: authoritySecretName(name), namespace },
    targets: [
      ...(hasType('mutating') ? [{ kind: 'MutatingWebhookConfiguration' as const, name }] : []),
      ...(hasType('validating') ? [{ kind: 'ValidatingWebhookConfiguration' as const, name }] : []),
      ...[...new Set(definitions)].map((definition) => ({
        kind: 'CustomResourceDefinition' as const,
        name: definition,
      })),
    ],
  };
}
