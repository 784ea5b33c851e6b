import { didYouMean, EvenkeelError } from '@evenkeel/core';
import type { LeaderElectionOptions } from '../election/election-timing.ts';
import type { HealthServerOptions } from '../options/health-server-options.ts';
import type { ManagerOptions } from '../options/manager-options.ts';
import type { ManagerRunOptions } from '../options/manager-run-options.ts';
import type { MetricsOptions } from '../options/metrics-options.ts';

/** The function that the user called, which messages name. */
export type ManagerCaller = 'createManager' | 'Manager.run';

/**
 * Throws `unknown-option`, for programs without type checks. `caller` is the function that got the options. `Manager.run` has
 * more options, such as those of the settings file. Tests pass whole environments with other properties to `createManager`, so
 * for it only likely typos of top-level options are reported.
 */
export function checkOptions(options: object, caller: ManagerCaller): void {
  const more = caller === 'Manager.run';
  check(options, '', Object.keys(more ? { ...managerOptions, ...runOptions } : managerOptions), caller, more);
  for (const [section, known] of Object.entries(sections)) {
    const given: unknown = Reflect.get(options, section);
    const names = more && section === 'leaderElection' ? [...Object.keys(known), 'enabled'] : Object.keys(known);
    if (typeof given === 'object' && given !== null) check(given, `${section}.`, names, caller, true);
  }
}

function check(
  options: object,
  section: string,
  names: readonly string[],
  caller: ManagerCaller,
  isAll: boolean,
): void {
  const known = names.map((name) => `${section}${name}`);
  for (const key of Object.keys(options)) {
    const option = `${section}${key}`;
    if (known.includes(option)) continue;
    const advice = didYouMean(option, known) || (isAll ? `; use one of ${known.join(', ')}` : '');
    if (advice === '') continue;
    throw new EvenkeelError('unknown-option', `${caller}(): unknown option ${JSON.stringify(option)}${advice}`);
  }
}

const managerOptions: Record<keyof ManagerOptions, true> = {
  controllers: true,
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

const runOptions: Record<Exclude<keyof ManagerRunOptions, keyof ManagerOptions> | 'logLevel', true> = {
  process: true,
  arguments: true,
  environment: true,
  output: true,
  logLevel: true,
};

const leaderElection: Record<keyof LeaderElectionOptions, true> = {
  name: true,
  namespace: true,
  leaseDuration: true,
  renewDeadline: true,
  retryPeriod: true,
  releaseOnStop: true,
};
const health: Record<keyof HealthServerOptions, true> = { address: true, readiness: true };
const metrics: Record<keyof MetricsOptions, true> = { address: true, secure: true, certificates: true };
const sections = { leaderElection, health, metrics };
