/** The limits for hostile input: far above the actual use, far below that of a successful attack. */
export interface Limits {
  /** CPU time, so that other programs do not count. */
  readonly seconds?: number;
  readonly heapMegabytes?: number;
}

/** The result of a call, which must end in time, use little memory, and leave every prototype unchanged. */
export function bounded<T>(call: () => T, { seconds = 20, heapMegabytes = 1000 }: Limits = {}): T {
  const inherited = Reflect.ownKeys(Object.prototype).concat(Reflect.ownKeys(Array.prototype));
  const heap = process.memoryUsage().heapUsed;
  const started = process.cpuUsage();
  const result = call();
  const { user, system } = process.cpuUsage(started);
  const taken = { seconds: (user + system) / 1e6, heap: (process.memoryUsage().heapUsed - heap) / 1e6 };
  expect(taken.seconds).toBeLessThan(seconds);
  expect(taken.heap).toBeLessThan(heapMegabytes);
  expect(Reflect.ownKeys(Object.prototype).concat(Reflect.ownKeys(Array.prototype))).toEqual(inherited);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  return result;
}

/** A value nested in a number of others. */
export function nested(depth: number, wrap: (inner: unknown) => unknown, innermost: unknown = {}): unknown {
  let value = innermost;
  for (let i = 0; i < depth; i++) value = wrap(value);
  return value;
}

/** A value as YAML aliases create it: a few objects, each of which contains the next one several times. */
export function bomb(levels: number, wrap: (inner: unknown) => unknown): unknown {
  return nested(levels, wrap, 'lol');
}
