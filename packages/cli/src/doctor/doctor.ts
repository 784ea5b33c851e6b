import { durationMs, EvenkeelError, isForbidden, messageOf } from '@evenkeel/core';
import { type CheckResult, warning } from '../cluster/check-result.ts';
import { type ClusterOptions, type ClusterSession, onCluster } from '../cluster/cluster-session.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { checkDefinitionsOnCluster } from './definitions.ts';
import { checkDeployment, checkLeader, checkVersions } from './operator-state.ts';
import { checkPermissionsOfOperator } from './permissions.ts';
import { checkServerVersion } from './server-version.ts';
import { checkFinalizers } from './stuck-objects.ts';
import { checkWebhooks } from './webhooks.ts';

/** The options of `evenkeel doctor`. */
export interface DoctorOptions extends ClusterOptions {
  readonly stuckAfter: string;
}

type Check = (session: ClusterSession) => Promise<CheckResult | readonly CheckResult[]>;

/** Checks a deployed operator and its cluster, and prints what to fix; resolves to the exit code. It writes nothing. */
export function doctor(options: DoctorOptions, terminal: CommandTerminal): Promise<number> {
  const stuckAfterMs = stuckAfterOf(options.stuckAfter);
  const checks: readonly (readonly [string, Check])[] = [
    ['server version', checkServerVersion],
    ['CRDs', checkDefinitionsOnCluster],
    ['deployment', checkDeployment],
    ['permissions', checkPermissionsOfOperator],
    ['webhooks', checkWebhooks],
    ['leader', checkLeader],
    ['finalizers', (session) => checkFinalizers(session, stuckAfterMs)],
    ['versions', checkVersions],
  ];
  return onCluster('checking', options, {}, terminal, async (session) => {
    for (const [name, check] of checks) {
      const results = [await check(session).catch((error: unknown) => forbidden(name, error))].flat();
      for (const result of results) session.report.check(result);
    }
  });
}

/** If the user lacks the permission for one check, the other checks still run. */
function forbidden(check: string, error: unknown): CheckResult {
  if (!isForbidden(error)) throw error;
  return warning(check, `not checked: ${messageOf(error)}`, 'run the command as a user who may read this');
}

function stuckAfterOf(text: string): number {
  try {
    return durationMs(text);
  } catch (error) {
    throw new EvenkeelError('invalid-option', `--stuck-after: ${messageOf(error)}`, { cause: error });
  }
}
