import { SeededRandom } from '@evenkeel/core';
import type { Deployment, ReplicaSet } from '@evenkeel/kinds';
import { seed } from '../../../../test/seed.fixture.ts';
import { proportionalSteps, replicasOf, rollingStep, rolloutBounds } from './deployment-scaling.ts';

type Strategy = NonNullable<Deployment['spec']>['strategy'];

function deployment(replicas: number, strategy?: Strategy): Deployment {
  return {
    metadata: { name: 'web' },
    spec: { replicas, ...(strategy === undefined ? {} : { strategy }) },
  } as Deployment;
}

function replicaSet(name: string, replicas: number, available = replicas, former = replicas): ReplicaSet {
  return {
    metadata: { name, annotations: { 'deployment.kubernetes.io/max-replicas': String(former) } },
    spec: { replicas },
    status: { replicas, availableReplicas: available },
  } as unknown as ReplicaSet;
}

const rolling = (maxSurge: number | string, maxUnavailable: number | string): Strategy => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge, maxUnavailable },
});

describe('rolloutBounds', () => {
  it.each([
    [10, '25%', '25%', 3, 2],
    [1, '25%', '25%', 1, 0],
    [4, 0, 1, 0, 1],
    [4, 0, 0, 0, 1],
    [0, '25%', '25%', 0, 1],
    [3, '100%', '100%', 3, 3],
  ])(
    'are correct for %i replicas with maxSurge %s and maxUnavailable %s',
    (replicas, surge, unavailable, maxSurge, maxUnavailable) => {
      const bounds = rolloutBounds(deployment(replicas, rolling(surge, unavailable)));
      expect(bounds).toEqual({ maxSurge, maxUnavailable });
    },
  );
});

describe('rollingStep', () => {
  it('first scales up the new ReplicaSet by maxSurge', () => {
    const newSet = replicaSet('new', 0);
    expect(rollingStep(deployment(4, rolling(1, 0)), newSet, [replicaSet('old', 4)])).toEqual([
      { set: newSet, replicas: 1 },
    ]);
  });

  it('scales down the old ReplicaSet only by the number of new available pods', () => {
    const old = replicaSet('old', 4);
    const strategy = rolling(1, 0);
    expect(rollingStep(deployment(4, strategy), replicaSet('new', 1, 0), [old])).toEqual([]);
    expect(rollingStep(deployment(4, strategy), replicaSet('new', 1, 1), [old])).toEqual([{ set: old, replicas: 3 }]);
  });

  it('removes unavailable old pods before available ones', () => {
    const broken = replicaSet('broken', 2, 0);
    const healthy = replicaSet('healthy', 3);
    const steps = rollingStep(deployment(4, rolling(1, 1)), replicaSet('new', 0), [healthy, broken]);
    expect(steps.map(({ set, replicas }) => [set.metadata.name, replicas])).toEqual([['broken', 0]]);
  });

  it('ends with only the new ReplicaSet, and never exceeds maxSurge or maxUnavailable', () => {
    const random = new SeededRandom(seed);
    for (let round = 0; round < 300; round++) {
      const desired = 1 + random.integer(12);
      const target = deployment(desired, rolling(random.integer(4), random.integer(4)));
      const { maxSurge, maxUnavailable } = rolloutBounds(target);
      const oldReplicas = desired;
      const state = new Map([
        ['old', { replicas: oldReplicas, available: oldReplicas }],
        ['new', { replicas: 0, available: 0 }],
      ]);
      const set = (name: string): ReplicaSet => {
        const { replicas, available } = state.get(name) ?? { replicas: 0, available: 0 };
        return replicaSet(name, replicas, available);
      };
      let steps = 0;
      while (state.get('old')?.replicas !== 0 || state.get('new')?.available !== desired) {
        for (const step of rollingStep(target, set('new'), [set('old')])) {
          const entry = state.get(step.set.metadata.name);
          if (entry !== undefined) {
            entry.replicas = step.replicas;
            entry.available = Math.min(entry.available, step.replicas);
          }
        }
        const all = [...state.values()];
        const running = all.reduce((sum, { replicas }) => sum + replicas, 0);
        const available = all.reduce((sum, entry) => sum + entry.available, 0);
        if (running > desired + maxSurge || available < desired - maxUnavailable || ++steps > 200) {
          throw new Error(`seed ${seed}, round ${round}: ${JSON.stringify([desired, maxSurge, maxUnavailable, all])}`);
        }
        const fresh = state.get('new');
        if (fresh !== undefined && fresh.available < fresh.replicas && random.next() < 0.7) fresh.available++;
      }
      expect(state.get('new')?.replicas).toBe(desired);
    }
  });
});

describe('proportionalSteps', () => {
  it('distributes a change of the desired number in proportion to size', () => {
    const sets = [replicaSet('a', 8, 8, 12), replicaSet('b', 4, 4, 12)];
    const steps = proportionalSteps(deployment(20, rolling(4, 0)), sets);
    expect(steps.map(({ set, replicas }) => [set.metadata.name, replicas])).toEqual([
      ['a', 16],
      ['b', 8],
    ]);
  });

  it('gives the remainder of rounding to the largest', () => {
    const sets = [replicaSet('a', 3, 3, 9), replicaSet('b', 3, 3, 9), replicaSet('c', 3, 3, 9)];
    const steps = proportionalSteps(deployment(10, rolling(0, 1)), sets);
    expect(steps.reduce((sum, { replicas }) => sum + replicas, 0)).toBe(10);
    expect(Math.max(...steps.map(({ set, replicas }) => replicas - replicasOf(set)))).toBe(1);
  });
});
