import { didYouMean, EvenkeelError } from '@evenkeel/core';
import type { LeaderElectionOptions } from '../election/election-timing.ts';
import type { HealthServerOptions } from '../options/health-server-options.ts';
import type { ManagerOptions } from '../options/manager-options.ts';
import type { ManagerRunOptions } from '../options/manager-run-options.ts';
import type { MetricsOptions } from '../options/metrics-options.ts';
import type { OperatorDeclaration } from '../options/operator.ts';
import type { WebhookServerDeclaration, WebhookServerOptions } from '../options/webhook-server-options.ts';

/** The function that the user called with options, which messages name. */
export type OptionsCaller = 'createManager' | 'defineOperator' | 'Manager.run';

/**
 * Throws `unknown-option`, for programs without type checks. `caller` is the function that got the options. Tests pass whole
 * environments with other properties to `createManager`, so for it only likely typos of top-level options are reported.
 */
export function checkOptions(options: object, caller: OptionsCaller): void {
  const known = knownOptions[caller];
  check(options, '', Object.keys(known), caller);
  for (const [section, names] of Object.entries(sections)) {
    const given: unknown = Reflect.get(options, section);
    if (!Object.hasOwn(known, section) || typeof given !== 'object' || given === null) continue;
    check(given, `${section}.`, Object.keys(names), caller);
  }
}

function check(options: object, section: string, names: readonly string[], caller: OptionsCaller): void {
  const known = names.map((name) => `${section}${name}`);
  const isAll = caller !== 'createManager' || section !== '';
  for (const key of Object.keys(options)) {
    const option = `${section}${key}`;
    if (known.includes(option)) continue;
    const advice = adviceFor(option, known, caller) || (isAll ? `; use one of ${known.join(', ')}` : '');
    if (advice === '') continue;
    throw new EvenkeelError('unknown-option', `${caller}(): unknown option ${JSON.stringify(option)}${advice}`);
  }
}

function adviceFor(option: string, known: readonly string[], caller: OptionsCaller): string {
  const other = { createManager: undefined, defineOperator: 'Manager.run', 'Manager.run': 'defineOperator' } as const;
  const otherCaller = other[caller];
  if (otherCaller !== undefined && Object.hasOwn(knownOptions[otherCaller], option)) {
    return otherCaller === 'Manager.run'
      ? '; pass it to Manager.run(), as in Manager.run(operator, { ... })'
      : '; move it to defineOperator(), which "evenkeel generate" reads too';
  }
  // A declaration that is spread into the options.
  if (caller === 'createManager' && Object.hasOwn(knownOptions.defineOperator, option)) return '';
  return didYouMean(option, known);
}

const managerOptions: Record<keyof ManagerOptions, true> = {
  name: true,
  controllers: true,
  webhooks: true,
  minServerVersion: true,
  conversions: true,
  webhookServer: true,
  webhook: true,
  services: true,
  overrides: true,
  runnables: true,
  leaderElection: true,
  transport: true,
  connection: true,
  kubeconfig: true,
  namespaces: true,
  cache: true,
  logger: true,
  clock: true,
  random: true,
  gracePeriod: true,
  validator: true,
  health: true,
  metrics: true,
  fields: true,
  logReconciles: true,
  observer: true,
  eventObserver: true,
};

const declarationOptions: Record<keyof OperatorDeclaration, true> = {
  name: true,
  controllers: true,
  webhooks: true,
  minServerVersion: true,
  conversions: true,
  webhookServer: true,
  services: true,
  runnables: true,
  namespaces: true,
  cache: true,
  validator: true,
  leaderElection: true,
  metricsAuthentication: true,
};

const runOptions: Record<keyof ManagerRunOptions | 'logLevel', true> = {
  ...{ transport: true, connection: true, kubeconfig: true, namespaces: true, logger: true, clock: true, random: true },
  ...{ gracePeriod: true, health: true, metrics: true, fields: true, observer: true },
  ...{ overrides: true, logReconciles: true, eventObserver: true, webhook: true },
  ...{ process: true, arguments: true, environment: true, output: true, logLevel: true },
};

const knownOptions: Readonly<Record<OptionsCaller, Readonly<Record<string, true>>>> = {
  createManager: managerOptions,
  defineOperator: declarationOptions,
  'Manager.run': runOptions,
};

const leaderElection: Record<keyof LeaderElectionOptions, true> = {
  name: true,
  namespace: true,
  leaseDuration: true,
  renewDeadline: true,
  retryPeriod: true,
  releaseOnStop: true,
  stepIn: true,
};
const health: Record<keyof HealthServerOptions, true> = { address: true, readiness: true };
const metrics: Record<keyof MetricsOptions, true> = { address: true, secure: true, certificates: true };
const webhook: Record<keyof WebhookServerOptions, true> = {
  address: true,
  certificates: true,
  clientCa: true,
  maxConcurrent: true,
  maxBodyBytes: true,
  maxConversionBytes: true,
  maxBytesInFlight: true,
  stopDelay: true,
};
const webhookServer: Record<keyof WebhookServerDeclaration, true> = {
  certificates: true,
  certificateDuration: true,
  authorityDuration: true,
  url: true,
};
const sections = { leaderElection, health, metrics, webhook, webhookServer };
