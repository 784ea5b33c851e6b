import { EvenkeelError } from '@evenkeel/core';
import { isAuthenticated, parseListenAddress } from '../http/listen-address.ts';
import type { ManagerOptions } from '../options/manager-options.ts';
import type { Operator } from '../options/operator.ts';

/** The settings of a run that need permissions. */
export interface SettledPermissions extends Pick<ManagerOptions, 'namespaces' | 'metrics'> {
  /** The names of the settings of leader election, unless it is disabled. */
  readonly electionSettings: readonly string[];
  readonly leaseNamespace: unknown;
}

/**
 * Throws one `setting-not-declared` that lists all settings of a run that need permissions that the roles of the declaration
 * do not contain. The operator would otherwise start, and the API server would reject its requests.
 */
export function checkSettings(operator: Operator, settled: SettledPermissions): void {
  const problems = [
    ...electionProblems(operator, settled),
    ...scopeProblems(operator, settled),
    ...metricsProblems(operator, settled),
  ];
  if (problems.length === 0) return;
  const { file, line } = operator.place ?? {};
  const place = file === undefined ? '' : ` (${file}:${line})`;
  const fix = `change defineOperator()${place}, run "evenkeel generate" and apply config/rbac, or remove the setting`;
  throw new EvenkeelError('setting-not-declared', problems.map((problem) => `${problem}; ${fix}`).join('\n'));
}

function electionProblems(
  { name, leaderElection }: Operator,
  { electionSettings: [setting], leaseNamespace }: SettledPermissions,
): string[] {
  if (leaderElection === undefined) {
    if (setting === undefined) return [];
    return [`${setting} is set, but ${name} declares no leaderElection, so its roles do not allow it to use a Lease`];
  }
  const { namespace } = leaderElection;
  if (setting === undefined || namespace === undefined || leaseNamespace === undefined || leaseNamespace === namespace)
    return [];
  return [
    `leaderElection.namespace is ${JSON.stringify(leaseNamespace)}, but ${name} declares ${JSON.stringify(namespace)}, where its role is`,
  ];
}

function scopeProblems({ name, namespaces: declared }: Operator, { namespaces = [] }: SettledPermissions): string[] {
  const others = declared === undefined ? [] : namespaces.filter((namespace) => !declared.includes(namespace));
  if (declared === undefined || others.length === 0) return [];
  return [
    `namespaces contains ${others.join(', ')}, but ${name} declares only ${declared.join(', ')}, so it has no Role there`,
  ];
}

function metricsProblems({ name, metricsAuthentication }: Operator, { metrics }: SettledPermissions): string[] {
  const address = metrics?.address === undefined ? undefined : parseListenAddress(metrics.address);
  if (address === undefined || metricsAuthentication === true || !isAuthenticated(address, metrics?.secure)) return [];
  return [
    `metrics.address is ${JSON.stringify(metrics?.address)}, where the API server authenticates clients, but ${name} does not declare metricsAuthentication: true, so its roles do not allow that`,
  ];
}
