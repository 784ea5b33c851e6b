import { spawnSync } from 'node:child_process';
import os from 'node:os';
import { initialValuesOf } from './initial-values.ts';

/** Initialisers that depend on where and when they run. */
class Dependent {
  home = process.env['HOME'];
  port = Number(process.env['EVENKEEL_NOT_SET'] ?? 80);
  isDebug = process.env['EVENKEEL_NOT_SET'] === 'true';
  isProduction = process.env['EVENKEEL_NOT_SET'] === 'production';
  isSet = 'EVENKEEL_NOT_SET' in process.env;
  host = os.hostname();
  user = os.userInfo().username;
  temporary = os.tmpdir();
  processId = process.pid;
  folder = process.cwd();
  system = process.platform;
  systemOfHost = os.platform();
  architecture = os.arch();
  kindOfSystem = os.type();
  processors = os.cpus().length;
  uptimeDays = Math.floor(process.uptime() / 86_400);
  year = new Date().getFullYear();
  month = new Date().getMonth();
  day = new Date().getDay();
  hour = new Date().getHours();
  minute = new Date(Date.now()).getMinutes();
  asText = Date().slice(0, 15);
  seconds = Math.floor(Date.now() / 1000);
  coin = Math.random() < 0.5 ? 'heads' : 'tails';
  dice = { rolled: [Math.ceil(Math.random() * 6)] };
}

/** Initialisers that read these, but always return the same value. */
class Independent {
  path = process.env['EVENKEEL_NOT_SET'] === '' ? 'a' : 'b';
  epoch = new Date(0).toISOString();
  isDate = new Date() instanceof Date && new Date().constructor === Date;
  keeps = [1, { a: 'x' }];
  sum = Math.max(1, 2);
  names = Object.keys(process.env).length < 0;
}

function unstableOf(type: new () => object): readonly string[] {
  const read = initialValuesOf(type);
  return 'threw' in read ? ['threw'] : [...read.unstable.keys()];
}

/** The parts of the surroundings that a program can read. */
function world() {
  return {
    descriptors: [
      ...['env', 'pid', 'ppid', 'platform', 'arch', 'argv', 'cwd', 'hrtime', 'uptime', 'title', 'execPath'].map(
        (name) => Object.getOwnPropertyDescriptor(process, name),
      ),
      Object.getOwnPropertyDescriptor(globalThis, 'Date'),
      Object.getOwnPropertyDescriptor(Date, 'now'),
      Object.getOwnPropertyDescriptor(Math, 'random'),
    ],
    os: Object.getOwnPropertyDescriptors(os),
    env: { ...process.env },
    offset: new Date().getTimezoneOffset(),
  };
}

describe('initialValuesOf()', () => {
  it('finds every initialiser that depends on time, host, process, environment or chance', () => {
    expect(unstableOf(Dependent)).toEqual(expect.arrayContaining(Object.keys(new Dependent())));
  });

  it('accepts initialisers that return the same value everywhere', () => {
    expect(unstableOf(Independent)).toEqual([]);
  });

  it('returns the values of the real surroundings', () => {
    const read = initialValuesOf(Dependent);
    expect('values' in read && read.values.get('processId')).toBe(process.pid);
  });

  it('distinguishes values that change each time from values that change elsewhere', () => {
    class Both {
      id = Symbol('id');
      host = os.hostname();
    }
    const read = initialValuesOf(Both);
    expect('unstable' in read && [...read.unstable]).toEqual([
      ['id', 'always'],
      ['host', 'elsewhere'],
    ]);
  });

  it('restores the surroundings, even if the constructor throws or writes variables', () => {
    class Writing {
      constructor() {
        if (os.hostname() === 'elsewhere') process.env['EVENKEEL_WRITTEN'] = 'x';
      }
    }
    class Throwing {
      constructor() {
        if (process.cwd() === '/elsewhere') throw new Error('no such folder');
      }
    }
    class AlwaysThrowing {
      constructor() {
        throw new Error('never');
      }
    }
    const before = world();
    initialValuesOf(Dependent);
    initialValuesOf(Writing);
    expect(initialValuesOf(Throwing)).toMatchObject({ threwElsewhere: new Error('no such folder') });
    expect(initialValuesOf(AlwaysThrowing)).toEqual({ threw: new Error('never') });
    expect(world()).toEqual(before);
  });

  it('does not call functions of the host that may throw, such as userInfo() without an entry for the user', () => {
    const real = Object.getOwnPropertyDescriptor(os, 'userInfo');
    const refuse = () => {
      throw new Error('ENOENT: no such user');
    };
    class Plain {
      size = 3;
    }
    try {
      Object.defineProperty(os, 'userInfo', { value: refuse, configurable: true, enumerable: true, writable: true });
      expect(initialValuesOf(Plain)).toEqual({ values: new Map([['size', 3]]), unstable: new Map() });
    } finally {
      if (real !== undefined) Object.defineProperty(os, 'userInfo', real);
    }
  });

  it('runs asynchronous code that a constructor starts in the real surroundings', async () => {
    const hosts: string[] = [];
    class Later {
      constructor() {
        void Promise.resolve().then(() => hosts.push(os.hostname()));
      }
    }
    initialValuesOf(Later);
    await Promise.resolve();
    expect(new Set(hosts)).toEqual(new Set([os.hostname()]));
  });

  // Jest has its own environment and modules, so this needs a separate process.
  it('changes the time zone and named imports of a real program, in every zone', () => {
    const program = `
      import { hostname } from 'node:os';
      import { pid } from 'node:process';
      import { initialValuesOf } from ${JSON.stringify(new URL('./initial-values.ts', import.meta.url).href)};
      class Named {
        host = hostname();
        id = pid;
        offset = new Date(0).getTimezoneOffset();
        zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
        hour = new Date().getHours();
        minute = new Date().getMinutes();
        month = new Date().getMonth();
        date = new Date().getDate();
        weekday = new Date().getDay();
      }
      const names = Object.keys(new Named());
      const missed = [];
      for (const zone of [undefined, 'UTC', ...Intl.supportedValuesOf('timeZone')]) {
        if (zone === undefined) delete process.env.TZ;
        else process.env.TZ = zone;
        const before = String(new Date(0)) + hostname() + pid;
        const { unstable } = initialValuesOf(Named);
        missed.push(...names.filter((name) => !unstable.has(name)).map((name) => zone + ' ' + name));
        if (String(new Date(0)) + hostname() + pid !== before) missed.push(zone + ' is not restored');
        if (process.env.TZ !== zone) missed.push(zone + ' is not restored');
      }
      console.log(JSON.stringify(missed));
    `;
    const { stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual([]);
  });
});
