import { isJsonObject } from '@evenkeel/apimachinery/json';
import { isDns1123Label, isDns1123Subdomain } from '@evenkeel/apimachinery/name-form';
import { didYouMean, type KindClass, resourceOf } from '@evenkeel/core';
import { type CertificateObjects, certificateObjects } from '@evenkeel/core/certificates';
import { planWebhooks } from '@evenkeel/core/webhook';
import type { Operator } from '@evenkeel/runtime';
import type { RbacConfig } from '../config.ts';

/** What the roles of an operator depend on, with defaults. */
export interface OperatorRbac {
  readonly name: string;
  readonly namespace: string;
  readonly serviceAccount: string;
  /** Undefined for all. */
  readonly namespaces: readonly string[] | undefined;
  readonly leaderElection: { readonly name: string; readonly namespace: string } | undefined;
  readonly metricsAuthentication: boolean;
  /** Undefined unless it creates the certificates of its webhooks itself. */
  readonly certificates: CertificateObjects | undefined;
}

const options: readonly string[] = ['namespace', 'serviceAccount'] satisfies readonly (keyof RbacConfig)[];

/**
 * Checks the option `rbac` of a configuration. Returns undefined if it is `false`: no roles are generated.
 *
 * @param problem is called for each mistake. If it is called, the returned value must not be used.
 */
export function loadRbac(given: unknown, problem: (text: string) => void): RbacConfig | undefined {
  if (given === false) return undefined;
  if (given !== undefined && !isJsonObject(given)) {
    problem("rbac must be false, or an object, such as { namespace: 'my-operator' }");
    return undefined;
  }
  const rbac = given ?? {};
  for (const option of Object.keys(rbac)) {
    if (options.includes(option)) continue;
    problem(`unknown option "rbac.${option}"${didYouMean(option, options) || `; use one of ${options.join(', ')}`}`);
  }
  const { namespace, serviceAccount } = rbac;
  if (namespace !== undefined && !(typeof namespace === 'string' && isDns1123Label(namespace))) {
    problem(`rbac.namespace is ${JSON.stringify(namespace)}; set the name of a namespace`);
  }
  if (serviceAccount !== undefined && !(typeof serviceAccount === 'string' && isDns1123Subdomain(serviceAccount))) {
    problem(
      `rbac.serviceAccount is ${JSON.stringify(serviceAccount)}; set a name of lower-case letters, digits, '-' and '.'`,
    );
  }
  return rbac as RbacConfig;
}

/** The namespace of the operator's pods. */
export function namespaceOf({ rbac }: { readonly rbac: RbacConfig | undefined }): string {
  return rbac?.namespace ?? 'default';
}

/** What the roles depend on: the declaration of an operator without mistakes, and its place in the cluster. */
export function rbacOf(operator: Operator, rbac: RbacConfig): OperatorRbac {
  const namespace = namespaceOf({ rbac });
  const { name, namespaces, leaderElection, metricsAuthentication = false } = operator;
  return {
    name,
    namespace,
    serviceAccount: rbac.serviceAccount ?? name,
    namespaces: namespaces === undefined ? undefined : [...new Set(namespaces)].sort(),
    leaderElection:
      leaderElection === undefined
        ? undefined
        : { name: leaderElection.name, namespace: leaderElection.namespace ?? namespace },
    metricsAuthentication,
    certificates: builtInCertificatesOf(operator, namespace),
  };
}

function builtInCertificatesOf(
  { name, webhooks = [], conversions = [], webhookServer = {} }: Operator,
  namespace: string,
): CertificateObjects | undefined {
  const { certificates = 'built-in' } = webhookServer;
  if (certificates !== 'built-in' || webhooks.length + conversions.length === 0) return undefined;
  return certificateObjects({
    ...{ name, namespace },
    webhooks: planWebhooks(webhooks).plans,
    conversions: conversions.map((type) => resourceOf(type as KindClass)),
  });
}
