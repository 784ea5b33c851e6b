import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { StringPool } from './string-pool.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function text(at: number): string {
  return JSON.stringify({
    metadata: { name: `pod-of-a-deployment-${at}`, uid: `uid-that-is-never-the-same-${at}`, namespace: 'a-namespace' },
    spec: {
      image: 'registry.example.com/team/application:1.2.3',
      nodeName: 'node-17.europe-west.example.com',
      env: [{ value: 'postgres.databases.svc.cluster.local' }, null, 3, true],
    },
  });
}

/** The heap of each of many objects: the middle of several tries, because other things go on in the process. */
function heapOf(prepare: (object: { metadata: object }) => void): number {
  const tries = Array.from({ length: 5 }, () => {
    const kept: object[] = [];
    for (let at = 0; at < 10_000; at++) {
      const object = JSON.parse(text(at)) as { metadata: object };
      prepare(object);
      kept.push(object);
    }
    collect();
    const withAll = process.memoryUsage().heapUsed;
    const { length } = kept;
    kept.length = 0;
    collect();
    return (withAll - process.memoryUsage().heapUsed) / length;
  });
  return tries.sort((left, right) => left - right)[2] ?? Number.NaN;
}

describe('StringPool', () => {
  it('does not change the contents of objects', () => {
    const pool = new StringPool();
    for (const at of [1, 2, 3]) {
      const object = JSON.parse(text(at)) as { metadata: object };
      pool.share(object);
      expect(JSON.stringify(object)).toBe(text(at));
    }
    const odd = JSON.parse(
      '{"metadata":{"__proto__":"a text of some length"},"__proto__":{"a":"a text of some length"}}',
    ) as {
      metadata: object;
    };
    pool.share(odd);
    expect(JSON.stringify(odd)).toContain('{"__proto__":"a text of some length"}');
    expect(Object.prototype).not.toHaveProperty('a');
  });

  it('reduces the memory of objects with equal strings', () => {
    const pool = new StringPool();
    const apart = heapOf(() => undefined);
    const shared = heapOf((object) => pool.share(object));
    // Four texts of 12 to 44 characters, with 12 bytes of header each.
    expect(apart - shared).toBeGreaterThan(100);
  });

  it('does not grow with unique strings', () => {
    const pool = new StringPool();
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < 200_000; at++) pool.share({ metadata: {}, ...{ text: `never the same text ${at}` } });
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(2_000_000);
  });
});
