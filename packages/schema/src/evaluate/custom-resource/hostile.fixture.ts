/** What hostile input may take at most: far more than it does, far less than an attack would. */
export interface Limits {
  /** Of the processor: other programs of the machine do not count. */
  readonly seconds?: number;
  readonly heapMegabytes?: number;
}

/** The result of a call, which must end in time, without much memory, and with every prototype as it was. */
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

/** A value in so many others. */
export function nested(depth: number, wrap: (inner: unknown) => unknown, innermost: unknown = {}): unknown {
  let value = innermost;
  for (let i = 0; i < depth; i++) value = wrap(value);
  return value;
}

/** As aliases in YAML make it: a few objects, each of which holds the next one several times. */
export function bomb(levels: number, wrap: (inner: unknown) => unknown): unknown {
  return nested(levels, wrap, 'lol');
}
