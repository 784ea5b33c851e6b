import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

/** The things that the function read for which one try is not enough. */
export interface Looks {
  atEnvironment: boolean;
  atChance: boolean;
}

/** The values that environment variables and `Math.random()` return. */
export interface Answers {
  /** The value of every variable; undefined if there are no variables. */
  readonly variables: string | undefined;
  /** From 0 to 1. */
  readonly chance: number;
}

/**
 * Runs a function as if it were later, in another time zone, on another host, in another process with other environment
 * variables. Everything is restored when it returns or throws, so asynchronous code that it starts runs in the real
 * surroundings. Named imports of Node's modules change too; values that a module read while it loaded do not.
 */
export function inOtherSurroundings<T>(answers: Answers, looks: Looks, run: () => T): T {
  const undo: (() => void)[] = [];
  const replace = (owner: object, name: string, value: unknown) => {
    const before = Object.getOwnPropertyDescriptor(owner, name);
    if (before?.configurable !== true) return;
    Object.defineProperty(owner, name, {
      value,
      configurable: true,
      enumerable: before.enumerable === true,
      writable: true,
    });
    undo.push(() => Object.defineProperty(owner, name, before));
  };
  const replaceAll = (owner: object, others: Readonly<Record<string, unknown>>) => {
    for (const [name, value] of Object.entries(others)) replace(owner, name, value);
  };
  const { Date: RealDate } = globalThis;
  const { env } = process;
  try {
    const now = new RealDate();
    const hour = now.getHours();
    undo.push(moveTimeZone(env));
    const later = momentAfter(now, hour);
    const OtherDate = laterDate(RealDate, later);
    replace(RealDate, 'now', () => later);
    replace(RealDate.prototype, 'constructor', OtherDate);
    replace(globalThis, 'Date', OtherDate);
    replace(Math, 'random', () => {
      looks.atChance = true;
      return answers.chance;
    });
    replaceAll(process, otherProcess());
    replace(process, 'env', otherEnvironment(env, answers.variables, looks));
    replaceAll(os, otherHost());
    syncBuiltinESMExports();
    return run();
  } finally {
    for (const restore of undo.reverse()) restore();
    syncBuiltinESMExports();
  }
}

const zone = 'Pacific/Chatham';
const otherZone = 'Pacific/Kiritimati';

/**
 * Sets one of the easternmost zones, which has an unusual offset of a quarter hour. Returns a function that restores the zone.
 */
function moveTimeZone(env: NodeJS.ProcessEnv): () => void {
  const before = env['TZ'];
  env['TZ'] = before === zone ? otherZone : zone;
  return () => {
    // Node reads its zone again when the variable is set or deleted.
    if (before === undefined) delete env['TZ'];
    else env['TZ'] = before;
  };
}

const secondMs = 1000;
const hourMs = 3600 * secondMs;

/**
 * A later time that differs in every part of the local time: year, month, day of the week, hours, minutes, seconds and
 * milliseconds. `hour` is the current hour in the original zone.
 */
function momentAfter(now: Date, hour: number): number {
  const later = now.getTime() + 400 * 24 * hourMs + 5 * hourMs + (7 * 60 + 11) * secondMs + 13;
  return new Date(later).getHours() === hour ? later + 3 * hourMs : later;
}

function laterDate(RealDate: DateConstructor, later: number): DateConstructor {
  return new Proxy(RealDate, {
    construct: (target, given: unknown[], newTarget: new () => object) =>
      Reflect.construct(target, given.length === 0 ? [later] : given, newTarget) as object,
    apply: (target) => new target(later).toString(),
  });
}

function otherProcess(): Readonly<Record<string, unknown>> {
  const { hrtime, uptime } = process;
  const daySeconds = 24 * 3600;
  const hrtimeLater = (since?: [number, number]): [number, number] => {
    const [seconds, nanoseconds] = hrtime(since);
    return [seconds + daySeconds, nanoseconds];
  };
  return {
    pid: process.pid + 1,
    ppid: process.ppid + 1,
    platform: process.platform === 'linux' ? 'darwin' : 'linux',
    arch: process.arch === 'x64' ? 'arm64' : 'x64',
    argv: ['/elsewhere/node', '/elsewhere/program.js', 'elsewhere'],
    execPath: '/elsewhere/node',
    title: 'elsewhere',
    cwd: () => '/elsewhere',
    uptime: () => uptime() + daySeconds,
    hrtime: Object.assign(hrtimeLater, { bigint: () => hrtime.bigint() + BigInt(daySeconds) * 1_000_000_000n }),
  };
}

/** Calls the real functions only when they are used: some hosts have no entry for their user, or hide their load. */
function otherHost(): Readonly<Record<string, unknown>> {
  const { availableParallelism, cpus, freemem, totalmem, uptime } = os;
  return {
    hostname: () => 'elsewhere',
    homedir: () => '/elsewhere/home',
    tmpdir: () => '/elsewhere/tmp',
    userInfo: () => ({ username: 'elsewhere', uid: 40961, gid: 40961, homedir: '/elsewhere/home', shell: null }),
    // The process is replaced already.
    platform: () => process.platform,
    arch: () => process.arch,
    type: () => 'Elsewhere',
    machine: () => 'elsewhere',
    release: () => '0.0.0',
    version: () => 'elsewhere',
    uptime: () => uptime() + 24 * 3600,
    freemem: () => freemem() / 2,
    totalmem: () => totalmem() / 2,
    availableParallelism: () => availableParallelism() + 1,
    cpus: () => [...cpus(), ...cpus()],
    networkInterfaces: () => ({}),
  };
}

/** An environment with the same value for every variable; writes do not reach the real one. */
function otherEnvironment(env: NodeJS.ProcessEnv, answer: string | undefined, looks: Looks): NodeJS.ProcessEnv {
  const isVariable = (target: object, name: string | symbol): name is string =>
    typeof name === 'string' && !(name in target);
  return new Proxy<NodeJS.ProcessEnv>(
    {},
    {
      get(target, name) {
        if (!isVariable(target, name)) return Reflect.get(target, name) as string | undefined;
        looks.atEnvironment = true;
        return answer;
      },
      has(target, name) {
        if (!isVariable(target, name)) return true;
        looks.atEnvironment = true;
        return answer !== undefined;
      },
      ownKeys(target) {
        looks.atEnvironment = true;
        return answer === undefined
          ? Reflect.ownKeys(target)
          : [...new Set([...Reflect.ownKeys(target), ...Object.keys(env)])];
      },
      getOwnPropertyDescriptor(target, name) {
        if (!isVariable(target, name)) return Reflect.getOwnPropertyDescriptor(target, name);
        looks.atEnvironment = true;
        return answer === undefined
          ? undefined
          : { value: answer, configurable: true, enumerable: true, writable: true };
      },
    },
  );
}
