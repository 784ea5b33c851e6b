import { type Condition, type KubernetesObject, ObjectKey } from '@evenkeel/core';
import type { ReconcileRun } from '@evenkeel/runtime';
import { progressOf, shortfallOf } from './convergence.ts';

function object(conditions: Partial<Condition>[] | undefined, generation = 2, status: object = {}): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { name: 'x', generation },
    status: { ...status, conditions },
  } as KubernetesObject;
}

function run(fields: Partial<ReconcileRun> = {}): ReconcileRun {
  const key = new ObjectKey('x', 'default');
  const done = { triggers: [], writes: [], durationMs: 1, outcome: 'await-change', generation: 2 } as const;
  return { controller: 'one', kind: 'Thing', key, ...done, ...fields };
}

const is = (type: string, status: Condition['status'], observedGeneration?: number) => ({
  type,
  status,
  reason: 'Why',
  message: '',
  ...(observedGeneration === undefined ? {} : { observedGeneration }),
});

describe('progressOf', () => {
  it.each<[boolean, string, Partial<Condition>[] | undefined]>([
    [true, 'Available is true for the latest generation', [is('Available', 'True', 2)]],
    [false, 'Available is true for an older one', [is('Available', 'True', 1)]],
    [false, 'Available is false', [is('Available', 'False', 2)]],
    [true, 'Ready is, without a generation', [is('Ready', 'True')]],
    [false, 'one of both is not', [is('Ready', 'False'), is('Available', 'True')]],
    [true, 'what says it for all of it does, and details do not', [is('Available', 'True'), is('Degraded', 'True')]],
    [true, 'a summary of its own is true', [is('DependentsReady', 'True')]],
    [true, 'all of them are, and nothing is wrong', [is('Synced', 'True'), is('Degraded', 'False')]],
    [false, 'one of them is not', [is('Synced', 'True'), is('Uploaded', 'Unknown')]],
    [false, 'something is wrong', [is('Synced', 'True'), is('Stalled', 'True')]],
    [true, 'it is paused, as somebody asked', [is('Synced', 'True'), is('Paused', 'True')]],
    [true, 'there are no conditions', undefined],
    [true, 'there are none yet', []],
  ])('is %s where %s', (converged, _why, conditions) => {
    expect(progressOf(object(conditions)).converged).toBe(converged);
  });

  it('is not converged where the status is that of an older generation', () => {
    expect(progressOf(object([is('Ready', 'True')], 2, { observedGeneration: 1 })).converged).toBe(false);
    expect(progressOf(object([is('Ready', 'True')], 2, { observedGeneration: 2 })).converged).toBe(true);
  });

  it('takes conditions that are none for no conditions', () => {
    expect(progressOf(object('sunny' as never)).converged).toBe(true);
    expect(progressOf(object([null, 'rain'] as never)).converged).toBe(true);
  });
});

describe('shortfallOf', () => {
  const by = (...runs: ReconcileRun[]) => ({ runs, isReconciled: true });

  it.each([
    [undefined, 'the last runs have ended', object(undefined), by(run(), run({ controller: 'two' }))],
    [undefined, 'it waits for a time of its own', object(undefined), by(run({ outcome: 'requeue-after' }))],
    [undefined, 'nobody reconciles it', object(undefined), { runs: [], isReconciled: false }],
    ['it is not there', 'it is gone', undefined, by()],
    ['no reconcile of it has ended yet', 'none has', object(undefined), by()],
    ['its latest change has not been reconciled yet', 'a run saw less', object([]), by(run({ generation: 1 }))],
    [
      'Ready=True (Why); its last reconcile failed: no',
      'a run failed',
      object([is('Ready', 'True')]),
      by(run(), failed()),
    ],
    ['it is invalid', 'it is refused', object(undefined), by(run({ outcome: 'invalid' }))],
    ['somebody else wrote its status meanwhile', 'it runs again', object([]), by(run({ outcome: 'conflict' }))],
    ['Synced=False (Why)', 'a condition says so', object([is('Synced', 'False')]), by(run())],
    [
      'its status is that of an older generation',
      'the status is',
      object(undefined, 2, { observedGeneration: 1 }),
      by(run()),
    ],
  ])('is %j where %s', (shortfall, _why, thing, observed) => expect(shortfallOf(thing, observed)).toBe(shortfall));

  it('says what each condition says, with its message', () => {
    const conditions = [is('Available', 'False'), { ...is('Degraded', 'True'), message: 'no page' }];
    expect(shortfallOf(object(conditions), by(run()))).toBe('Available=False (Why), Degraded=True (Why: no page)');
  });
});

function failed(): ReconcileRun {
  return run({ controller: 'two', outcome: 'failed', error: new Error('no') });
}
