import type { Condition, KubernetesObject } from '@evenkeel/core';
import { progressOf, shortfallOf } from './convergence.ts';
import type { RunSummary } from './run-summary.ts';

function object(conditions: Partial<Condition>[] | undefined, generation = 2, status: object = {}): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { name: 'x', generation },
    status: { ...status, conditions },
  } as KubernetesObject;
}

function run(fields: Partial<RunSummary> = {}): RunSummary {
  return { controller: 'one', kind: 'Thing', key: 'default/x', outcome: 'await-change', generation: 2, ...fields };
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
    [true, 'Ready is true, without a generation', [is('Ready', 'True')]],
    [false, 'one of both is false', [is('Ready', 'False'), is('Available', 'True')]],
    [true, 'Available is true, although a detail is not', [is('Available', 'True'), is('Degraded', 'True')]],
    [true, 'another summary is true', [is('DependentsReady', 'True')]],
    [true, 'all conditions are true, and no problem is reported', [is('Synced', 'True'), is('Degraded', 'False')]],
    [false, 'one condition is not true', [is('Synced', 'True'), is('Uploaded', 'Unknown')]],
    [false, 'a problem is reported', [is('Synced', 'True'), is('Stalled', 'True')]],
    [true, 'it is paused by the user', [is('Synced', 'True'), is('Paused', 'True')]],
    [true, 'there are no conditions', undefined],
    [true, 'the list of conditions is empty', []],
  ])('is %s if %s', (converged, _why, conditions) => {
    expect(progressOf(object(conditions)).converged).toBe(converged);
  });

  it('has not converged if the status is of an older generation', () => {
    expect(progressOf(object([is('Ready', 'True')], 2, { observedGeneration: 1 })).converged).toBe(false);
    expect(progressOf(object([is('Ready', 'True')], 2, { observedGeneration: 2 })).converged).toBe(true);
  });

  it('ignores invalid conditions', () => {
    expect(progressOf(object('sunny' as never)).converged).toBe(true);
    expect(progressOf(object([null, 'rain'] as never)).converged).toBe(true);
  });
});

describe('shortfallOf', () => {
  const by = (...runs: RunSummary[]) => ({ runs, isReconciled: true });

  it.each([
    [undefined, 'the last runs succeeded', object(undefined), by(run(), run({ controller: 'two' }))],
    [undefined, 'it is requeued after a time', object(undefined), by(run({ outcome: 'requeue-after' }))],
    [undefined, 'no controller reconciles it', object(undefined), { runs: [], isReconciled: false }],
    ['it does not exist', 'it is deleted', undefined, by()],
    ['no reconcile of it has finished yet', 'no run has finished', object(undefined), by()],
    [
      'its latest change has not been reconciled yet',
      'a run saw an older generation',
      object([]),
      by(run({ generation: 1 })),
    ],
    ['its last reconcile failed: no', 'a run failed', object([is('Ready', 'True')]), by(run(), failed())],
    ['it is invalid', 'its validation failed', object(undefined), by(run({ outcome: 'invalid' }))],
    [
      'another client wrote its status during the run',
      'the run ended with a conflict',
      object([]),
      by(run({ outcome: 'conflict' })),
    ],
    ['Synced=False (Why)', 'a condition is false', object([is('Synced', 'False')]), by(run())],
    [
      'its status is that of an older generation',
      'the status is older',
      object(undefined, 2, { observedGeneration: 1 }),
      by(run()),
    ],
  ])('is %j if %s', (shortfall, _why, thing, observed) => expect(shortfallOf(thing, observed)).toBe(shortfall));

  it('includes each bad condition with its message', () => {
    const conditions = [is('Available', 'False'), { ...is('Degraded', 'True'), message: 'no page' }];
    expect(shortfallOf(object(conditions), by(run()))).toBe('Available=False (Why), Degraded=True (Why: no page)');
  });

  it('omits conditions that are as they should be, and shows which one is outdated', () => {
    const good = [is('Synced', 'True'), is('Degraded', 'False'), is('Progressing', 'False'), is('Paused', 'True')];
    expect(shortfallOf(object([is('Ready', 'False'), ...good]), by(run()))).toBe('Ready=False (Why)');
    expect(shortfallOf(object([is('Uploaded', 'Unknown'), ...good]), by(run()))).toBe('Uploaded=Unknown (Why)');
    expect(shortfallOf(object([is('Ready', 'True', 1), ...good]), by(run()))).toBe(
      'Ready=True of an older generation (Why)',
    );
  });
});

function failed(): RunSummary {
  return run({ controller: 'two', outcome: 'failed', error: 'no' });
}
