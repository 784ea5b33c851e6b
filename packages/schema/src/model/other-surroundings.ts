import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

/** What was looked at meanwhile whose answers are too many for one try. */
export interface Looks {
  atEnvironment: boolean;
  atChance: boolean;
}

/** What environment variables and `Math.random()` answer. */
export interface Answers {
  /** Of every variable; undefined: there is none. */
  readonly variables: string | undefined;
  /** From 0 to 1. */
  readonly chance: number;
}

/**
 * Runs a function as if it were later, in another time zone, on another host, in another process with other environment
 * variables. All is as before when it returns or throws; what it leaves to run later finds the world as it is. Named
 * imports of Node's modules see it too; what a module read while it was loaded stays.
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

/** One of the easternmost zones, whose quarters of an hour few others have. Returns what puts the zone back. */
function moveTimeZone(env: NodeJS.ProcessEnv): () => void {
  const before = env['TZ'];
  env['TZ'] = before === zone ? otherZone : zone;
  return () => {
    // Node forgets its zone when the variable is set or deleted.
    if (before === undefined) delete env['TZ'];
    else env['TZ'] = before;
  };
}

const secondMs = 1000;
const hourMs = 3600 * secondMs;

/**
 * Later by more than a year, a month, a few days of the week, some hours, minutes, seconds and milliseconds: each part of
 * the local time is another one. `hour` is what it was in the other zone.
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

/** Asks the real host only when it is asked itself: some have no entry for their user, or hide their load. */
function otherHost(): Readonly<Record<string, unknown>> {
  const { availableParallelism, cpus, freemem, totalmem, uptime } = os;
  return {
    hostname: () => 'elsewhere',
    homedir: () => '/elsewhere/home',
    tmpdir: () => '/elsewhere/tmp',
    userInfo: () => ({ username: 'elsewhere', uid: 40961, gid: 40961, homedir: '/elsewhere/home', shell: null }),
    // The process is another one already.
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

/** Answers the same for every variable; what is written goes nowhere else. */
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
