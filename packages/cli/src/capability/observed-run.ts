import { isJsonObject, type JsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { messageOf, SystemClock } from '@evenkeel/core';
import type { ObservedRun } from '@evenkeel/olm';
import { listenForStopSignal } from '@evenkeel/runtime';
import { findConfig } from '../load/load-config.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { OperatorSession } from '../scorecard/operator-session.ts';

/**
 * Runs the operator of a project for its samples on an embedded API server, and returns what it has created. Returns undefined if there is
 * no operator or no sample of its kinds, or if it fails, which is reported: the level then depends on other evidence.
 */
export async function observedRun(
  config: string | undefined,
  definitions: readonly JsonObject[],
  timeoutMs: number,
  terminal: CommandTerminal,
  verbose: boolean,
): Promise<ObservedRun | undefined> {
  const clock = new SystemClock();
  const interruption = new AbortController();
  const stopSignal = listenForStopSignal(process, clock);
  void stopSignal.received.then(() => interruption.abort(new Error('interrupted')));
  try {
    const session = await OperatorSession.open({
      ...{ configPath: findConfig(terminal.folder, config), definitions: [], timeoutMs, keeps: false },
      ...{ terminal, clock, verbose, signal: interruption.signal },
    });
    if (session === undefined) return undefined;
    await session.close();
    const { run, notConverged, failures } = session;
    const problems = [
      ...run.rejected,
      ...(notConverged === undefined ? [] : [notConverged]),
      ...failures.map(messageOf),
    ];
    for (const message of problems) terminal.finding({ level: 'notice', message });
    const examples = run.examples.filter((example) => definitions.some((definition) => isOf(example, definition)));
    if (!run.hasOperator || examples.length === 0) return undefined;
    return { ...run, examples: examples.map(withoutNamespace), children: run.children.map(withoutNamespace) };
  } finally {
    stopSignal.close();
  }
}

/** The namespace of a run has another name each time. */
function withoutNamespace(object: JsonObject): JsonObject {
  const metadata = valueAt(object, 'metadata');
  if (!isJsonObject(metadata)) return object;
  const { namespace: _, ...others } = metadata;
  return { ...object, metadata: others };
}

function isOf(example: JsonObject, definition: JsonObject): boolean {
  const spec = valueAt(definition, 'spec');
  if (!isJsonObject(spec)) return false;
  const { group, names } = spec;
  const isGroup = String(example['apiVersion']).startsWith(`${group}/`);
  return isGroup && isJsonObject(names) && names['kind'] === example['kind'];
}
