import { describeValue } from './describe-value.ts';

const circular: Record<string, unknown> = { requeue: true };
circular['self'] = circular;

const hostile = new Proxy(
  {},
  {
    get: () => {
      throw new Error('no');
    },
  },
);

describe('describeValue()', () => {
  it.each<[unknown, string]>([
    [undefined, 'undefined'],
    [null, 'null'],
    [true, 'true'],
    [Number.NaN, 'NaN'],
    [5n, 'a bigint'],
    ['', 'an empty string'],
    ['hunter2', 'a string of 7 characters'],
    [Symbol('hunter2'), 'a symbol'],
    [() => 'hunter2', 'a function'],
    [Promise.resolve('hunter2'), 'a promise'],
    [new TypeError('hunter2'), 'an error (TypeError)'],
    [['hunter2'], 'a list of 1'],
    [{}, 'an object without keys'],
    [{ requeueAfter: 'hunter2' }, 'an object with requeueAfter'],
    [{ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 }, 'an object with a, b, c, d and 2 more'],
    [circular, 'an object with requeue, self'],
    [
      { kind: 'Secret', metadata: { name: 'db', namespace: 'default' }, data: { a: 'hunter2' } },
      'the Secret default/db',
    ],
    [{ kind: 'Node', metadata: { name: 'n' } }, 'the Node n'],
    [{ kind: 'Secret', metadata: null }, 'an object with kind, metadata'],
    [hostile, 'an object'],
  ])('describes the type of a value and not its contents (%#)', (value, description) => {
    expect(describeValue(value)).toBe(description);
  });

  it('returns a short string for any value', () => {
    const long = 'x'.repeat(10_000);
    const object = { kind: long, metadata: { name: long, namespace: long } };
    const values = [long, object, Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`${long}${at}`, at]))];
    for (const value of values) expect(describeValue(value).length).toBeLessThan(300);
  });
});
