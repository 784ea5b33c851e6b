import type { JsonObject } from '@evenkeel/apimachinery/json';

/** A request to a Deployment or, with `scale`, to its Scale. */
export interface ScaleStep {
  readonly do: 'create' | 'merge' | 'apply';
  readonly by: string;
  readonly spec: JsonObject;
  readonly scale?: boolean;
  readonly force?: boolean;
}

const pod = {
  selector: { matchLabels: { app: 'a' } },
  template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
};
const create = (by: string, replicas?: number): ScaleStep => ({
  do: 'create',
  by,
  spec: { ...pod, ...(replicas === undefined ? {} : { replicas }) },
});
const apply = (by: string, replicas: number): ScaleStep => ({ do: 'apply', by, spec: { ...pod, replicas } });
const scale = (by: string, replicas: number): ScaleStep => ({ do: 'merge', by, spec: { replicas }, scale: true });
const applyScale = (by: string, replicas: number, force = false): ScaleStep => ({
  do: 'apply',
  by,
  spec: { replicas },
  scale: true,
  force,
});

export const scaleSteps: readonly [string, ...ScaleStep[]][] = [
  ['an updater loses the replicas', create('c', 1), scale('s', 3), scale('s', 3), scale('t', 4)],
  ['a request that changes nothing splits an updater in two', create('c', 1), scale('s', 1), scale('c', 2)],
  ['an applier loses the replicas', apply('a', 1), scale('s', 1), scale('s', 2), scale('t', 5)],
  [
    'an apply to the Scale',
    apply('a', 1),
    applyScale('b', 1),
    applyScale('b', 2),
    applyScale('b', 2, true),
    applyScale('c', 3),
  ],
  ['replicas of a default', create('c'), scale('s', 2), applyScale('b', 2)],
];
