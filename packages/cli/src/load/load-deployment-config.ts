import { isJsonObject } from '@evenkeel/apimachinery/json';
import { isDns1123Label, isDns1123Subdomain } from '@evenkeel/apimachinery/name-form';
import { parseQuantity } from '@evenkeel/apimachinery/quantity';
import { didYouMean, durationMs, EvenkeelError, type KindClass, resourceOf } from '@evenkeel/core';
import { type CertificateObjects, certificateObjects, plannedCertificates } from '@evenkeel/core/certificates';
import type { WebhookPlan } from '@evenkeel/core/webhook';
import type { Operator } from '@evenkeel/runtime';
import type { DeploymentConfig } from '../config.ts';
import { withTagOfPackage } from './image-of-package.ts';
import { checkAlerts, checkPanels } from './load-monitoring-config.ts';

/** The inputs of an operator's roles, with defaults. */
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

/** The check of an option. Returns the fix if the value is invalid. */
type OptionCheck = (value: unknown) => string | undefined;

const isSwitch: OptionCheck = (value) => (typeof value === 'boolean' ? undefined : 'set true or false');

/** The characters of an image reference; the kubelet checks the rest. */
const imageForm = /^[a-z0-9][\w./:@-]{0,511}$/i;

/** Checks an option whose value has several places for mistakes. */
type ListCheck = (value: unknown, problem: (text: string) => void) => void;

const listChecks: Readonly<Record<'alerts' | 'dashboard', ListCheck>> = { alerts: checkAlerts, dashboard: checkPanels };

const checks: Readonly<Record<Exclude<keyof DeploymentConfig, keyof typeof listChecks>, OptionCheck>> = {
  namespace: (value) =>
    typeof value === 'string' && isDns1123Label(value) ? undefined : 'set the name of a namespace',
  serviceAccount: (value) =>
    typeof value === 'string' && isDns1123Subdomain(value)
      ? undefined
      : "set a name of lower-case letters, digits, '-' and '.'",
  image: (value) =>
    typeof value === 'string' && imageForm.test(value)
      ? undefined
      : "set the name of an image, such as 'registry.example.com/sites'",
  replicas: (value) =>
    Number.isSafeInteger(value) && (value as number) >= 1 ? undefined : 'set an integer of at least 1',
  resources: (value) =>
    isJsonObject(value) && Object.entries(value).every(([name, amounts]) => isRequest(name) && areAmounts(amounts))
      ? undefined
      : "set requests and limits, such as { requests: { cpu: '50m' }, limits: { memory: '256Mi' } }",
  env: (value) =>
    isJsonObject(value) && Object.entries(value).every(([name, text]) => isVariable(name) && typeof text === 'string')
      ? undefined
      : "set the variables with their values as strings, such as { LOG_FORMAT: 'json' }",
  gracePeriod: (value) => {
    try {
      durationMs(value as string);
      return undefined;
    } catch (error) {
      if (!(error instanceof EvenkeelError)) throw error;
      return 'set a number and its unit, such as 30s or 5m';
    }
  },
  aggregateRoles: isSwitch,
  serviceMonitor: isSwitch,
  networkPolicy: isSwitch,
  contexts: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string' && name !== '')
      ? undefined
      : "set the names of contexts, such as ['kind-dev']",
};
const options = [...Object.keys(checks), ...Object.keys(listChecks)];

/** The names that every supported version of Kubernetes accepts, except those with "." and "-", which shells do not. */
const isVariable = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

const isRequest = (name: string): boolean => name === 'requests' || name === 'limits';
const areAmounts = (amounts: unknown): boolean =>
  isJsonObject(amounts) &&
  Object.values(amounts).every((amount) => typeof amount === 'string' && parseQuantity(amount) !== undefined);

/**
 * Checks the option `deployment` of a configuration. Returns undefined if it is `false`: no manifests are generated.
 *
 * @param folder an image without a tag gets the version of the nearest package.json.
 * @param problem is called for each mistake. If it is called, the returned value must not be used.
 */
export function loadDeployment(
  given: unknown,
  folder: string,
  problem: (text: string) => void,
): DeploymentConfig | undefined {
  if (given === false) return undefined;
  if (given !== undefined && !isJsonObject(given)) {
    problem("deployment must be false, or an object, such as { namespace: 'my-operator' }");
    return undefined;
  }
  const deployment = given ?? {};
  for (const [option, value] of Object.entries(deployment)) {
    if (!options.includes(option)) {
      const fix = didYouMean(option, options) || `; use one of ${options.join(', ')}`;
      problem(`unknown option "deployment.${option}"${fix}`);
      continue;
    }
    if (value === undefined) continue;
    if (option in listChecks) {
      listChecks[option as keyof typeof listChecks](value, problem);
      continue;
    }
    const fix = checks[option as keyof typeof checks](value);
    if (fix !== undefined) problem(`deployment.${option} is ${JSON.stringify(value)}; ${fix}`);
  }
  const { image } = deployment;
  return { ...deployment, ...(typeof image === 'string' ? { image: withTagOfPackage(image, folder) } : {}) };
}

/** The longest name of a namespace. */
const labelMax = 63;

/** The namespace of an operator's pods: by default, `sites-system` for the operator `sites`. */
export function namespaceOf(
  { deployment }: { readonly deployment: DeploymentConfig | undefined },
  { name }: Pick<Operator, 'name'>,
): string {
  const suffix = '-system';
  const prefix = name.replaceAll('.', '-').slice(0, labelMax - suffix.length);
  return deployment?.namespace ?? `${prefix.replace(/-+$/, '')}${suffix}`;
}

/**
 * Returns the inputs of the roles, from the declaration of an operator without mistakes, its webhooks, and its place in the cluster.
 *
 * @param namespaces the watched namespaces. Default: the declared ones.
 */
export function rbacOf(
  operator: Operator,
  webhooks: PlannedTypes,
  deployment: DeploymentConfig,
  namespaces = operator.namespaces,
): OperatorRbac {
  const namespace = namespaceOf({ deployment }, operator);
  const { name, leaderElection, metricsAuthentication = false } = operator;
  return {
    name,
    namespace,
    serviceAccount: deployment.serviceAccount ?? name,
    namespaces: namespaces === undefined ? undefined : [...new Set(namespaces)].sort(),
    leaderElection:
      leaderElection === undefined
        ? undefined
        : { name: leaderElection.name, namespace: leaderElection.namespace ?? namespace },
    metricsAuthentication,
    certificates: builtInCertificatesOf(operator, webhooks, namespace),
  };
}

type PlannedTypes = readonly Pick<WebhookPlan, 'type'>[];

function builtInCertificatesOf(
  { name, conversions = [], webhookServer }: Operator,
  webhooks: PlannedTypes,
  namespace: string,
): CertificateObjects | undefined {
  if (webhooks.length + conversions.length === 0) return undefined;
  if (plannedCertificates(webhookServer).source !== 'built-in') return undefined;
  return certificateObjects({
    ...{ name, namespace, webhooks },
    conversions: conversions.map((type) => resourceOf(type as KindClass)),
  });
}
