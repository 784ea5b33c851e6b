import type { Condition, KubernetesObject } from '@evenkeel/core';
import { describeShortfall, progressOf } from './convergence.ts';

function object(conditions: Partial<Condition>[] | undefined, generation = 2): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { name: 'x', generation },
    status: { conditions },
  } as KubernetesObject;
}

describe('progressOf', () => {
  it('is converged when Available is true for the latest generation', () => {
    expect(progressOf(object([{ type: 'Available', status: 'True', observedGeneration: 2 }])).converged).toBe(true);
    expect(progressOf(object([{ type: 'Available', status: 'True', observedGeneration: 1 }])).converged).toBe(false);
    expect(progressOf(object([{ type: 'Available', status: 'False', observedGeneration: 2 }])).converged).toBe(false);
  });

  it('takes Ready where there is no Available, and Available where there are both', () => {
    expect(progressOf(object([{ type: 'Ready', status: 'True' }])).converged).toBe(true);
    const both = [
      { type: 'Ready', status: 'True' as const },
      { type: 'Available', status: 'False' as const },
    ];
    expect(progressOf(object(both)).converged).toBe(false);
  });

  it('is not converged while nothing is reported', () => {
    expect(progressOf(object(undefined))).toEqual({ converged: false });
  });
});

describe('describeShortfall', () => {
  it('says what each condition says', () => {
    const conditions = [
      { type: 'Available', status: 'False' as const, reason: 'NoPods', message: '' },
      { type: 'Degraded', status: 'True' as const, reason: 'PageNotFound', message: 'no page' },
    ];
    expect(describeShortfall(object(conditions))).toBe(
      'Available=False (NoPods), Degraded=True (PageNotFound: no page)',
    );
    expect(describeShortfall(undefined)).toBe('it is not there');
  });
});
