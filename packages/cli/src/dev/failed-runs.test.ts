import { ObjectKey } from '@evenkeel/core';
import type { ReconcileRun } from '@evenkeel/runtime';
import { FailedRuns } from './failed-runs.ts';

const key = new ObjectKey('world', 'default');
const forever = new AbortController().signal;

function run(outcome: ReconcileRun['outcome'], controller = 'greeting'): ReconcileRun {
  return { controller, kind: 'Greeting', key, triggers: [], writes: [], durationMs: 1, outcome };
}

describe('FailedRuns', () => {
  it.each(['failed', 'terminal', 'invalid', 'conflict'] as const)('has an object whose last run was %s', (outcome) => {
    const runs = new FailedRuns();
    runs.note(run('await-change'));
    expect(runs.of('Greeting', key)).toBeUndefined();
    runs.note(run(outcome));
    expect(runs.of('Greeting', key)?.outcome).toBe(outcome);
    expect(runs.of('Greeting', new ObjectKey('moon', 'default'))).toBeUndefined();
  });

  it('waits until every controller of the object has done without', async () => {
    const runs = new FailedRuns();
    runs.note(run('failed', 'one'));
    runs.note(run('failed', 'other'));
    let isOver = false;
    const waiting = runs.untilNone('Greeting', key, forever).then(() => {
      isOver = true;
    });
    runs.note(run('await-change', 'one'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    runs.note(run('requeue-after', 'other'));
    await waiting;
  });

  it('ends with the signal, and before it waits where that is aborted already', async () => {
    const runs = new FailedRuns();
    runs.note(run('failed'));
    const stop = new AbortController();
    const rejected = expect(runs.untilNone('Greeting', key, stop.signal)).rejects.toThrow('stopping');
    stop.abort(new Error('stopping'));
    await rejected;
    await expect(runs.untilNone('Greeting', key, stop.signal)).rejects.toThrow('stopping');
  });
});
