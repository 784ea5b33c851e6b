import type { Client } from '@evenkeel/client';
import { EvenkeelError, ignoreNotFound, isForbidden, messageOf } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds';
import { abandonmentCheck } from './abandonment-check.ts';
import { restoreConversion } from './restore-conversion.ts';
import { isOfThisProcess, sessionLabel, sessionOf, shownProcess } from './session-mark.ts';

/**
 * Returns a CRD of the cluster; undefined if it does not exist. Restores its conversion if a killed session has changed it. Throws
 * `dev-session-running` if another process serves it, or if that process cannot be reached from here.
 *
 * @param options.dryRun whether to write nothing.
 */
export async function definitionWithoutOtherSession(
  client: Client,
  name: string,
  { dryRun = false, signal }: { readonly dryRun?: boolean; readonly signal?: AbortSignal } = {},
): Promise<CustomResourceDefinition | undefined> {
  const read = () => ignoreNotFound(client.get(CustomResourceDefinition, name, signal === undefined ? {} : { signal }));
  const live = await read();
  if (live === undefined || sessionOf(live) === undefined || isOfThisProcess(live)) return live;
  const unmark = `remove its mark with "kubectl label crd ${name} ${sessionLabel}-"`;
  if (!(await abandonmentCheck()(live))) {
    throw new EvenkeelError(
      'dev-session-running',
      `CRD ${name}: another session of "evenkeel dev" or of tests serves its conversion (${shownProcess(live)}); stop that session. If it no longer runs, ${unmark}`,
    );
  }
  if (dryRun) return live;
  await restoreConversion(client, name, sessionOf(live)).catch((error: unknown) => {
    if (isForbidden(error)) throw error;
    throw new EvenkeelError(
      'dev-session-running',
      `CRD ${name}: a killed session (${shownProcess(live)}) has changed its conversion, and the original one cannot be restored: ${messageOf(error)}; ${unmark}`,
      { cause: error },
    );
  });
  return read();
}
