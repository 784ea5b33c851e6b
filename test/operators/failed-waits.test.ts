import { readFileSync } from 'node:fs';
import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { crashSweep, Environment, type EnvironmentOptions, eventually } from '@evenkeel/testing';
import {
  type ConcreteClass,
  ConfigMap,
  Controller,
  controllerFor,
  createManager,
  Deployment,
  type Manager,
  type ManagerOptions,
  Owns,
  Reconcile,
  ReconcileContext,
  Secret,
  TerminalError,
} from 'evenkeel';
import { Greeting } from '../greeting.fixture.ts';

const file = 'test/operators/failed-waits.test.ts';
const lines = readFileSync(file, 'utf8').split('\n');

/** The line of this file with a comment. */
function place(comment: string): string {
  return `${file}:${lines.findIndex((line) => line.endsWith(`// ${comment}`)) + 1}`;
}

/** Does what the first word of a greeting says. */
@Controller(Greeting)
@Owns(ConfigMap)
class WordController {
  @Reconcile()
  async reconcile({ metadata, spec: { words } }: Greeting, context: ReconcileContext): Promise<void> {
    const [word = ''] = words;
    if (word === 'wait') await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
    if (word === 'read') await context.client.get(ConfigMap, `${metadata.namespace}/missing`); // read
    if (word === 'leak') throw new TerminalError('Bearer hidden\nmanager forged\u001b[2J'); // leak
    if (word === 'warn') context.logger.warn('no voice', { data: 'hidden', pitch: 3 });
    await context.apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `${metadata.name}-text` },
    } as ConfigMap);
    if (word === 'fail') throw new Error('no voice'); // fail
  }
}

const definition = await customResourceDefinitionOf(Greeting, await readSources('test/greeting.fixture.ts'));

function open(options: EnvironmentOptions = {}): Promise<Environment> {
  return Environment.create({ variables: {}, definitions: [definition], ...options });
}

async function start(environment: Environment, options: Partial<ManagerOptions> = {}): Promise<Manager> {
  return await environment.run(async (connection) => {
    const manager = await createManager({ ...connection, controllers: [WordController], ...options });
    await manager.start(); // start
    return manager;
  });
}

async function greet(environment: Environment, name: string, ...words: string[]): Promise<void> {
  const [namespace = '', plain = ''] = name.split('/');
  await environment.client.create(Greeting, { metadata: { name: plain, namespace }, spec: { words } });
}

/** Reads an object in vain until the report of its runs matches, and returns the whole message. */
async function failureOf(environment: Environment, key: string, reported = /last runs of /): Promise<string> {
  for (;;) {
    const message = await messageOf(
      environment.eventually(
        async () => {
          const { status } = await environment.client.get(Greeting, key);
          expect(status?.said).toBeDefined();
        },
        { timeout: '100ms' },
      ),
    );
    if (reported.test(message)) return message;
  }
}

async function messageOf(failing: Promise<unknown>): Promise<string> {
  const error = await failing.then(
    () => undefined,
    (caught: unknown) => caught as Error,
  );
  if (error === undefined) throw new Error('it did not fail');
  return error.message;
}

/** Returns a message without values that differ between runs, colours, and the text of the assertion. */
function normal(message: string): string {
  return message
    .slice(message.indexOf('\n\nmanager') < 0 ? message.indexOf('\n\nenvironment') : message.indexOf('\n\nmanager'))
    .replace(/\d+\.\d\d s ago/g, 'AGE ago')
    .replace(/\b\d+(?:\.\d)? (?:ms|s)\b/g, 'TIME')
    .replace(/\d+ times/g, 'N times')
    .replace(/\b\d+ runs/g, 'N runs')
    .replace(/\d+ failed/g, 'N failed')
    .replace(/(test\.ts):\d+, called from .*:\d+ \(/g, '$1:LINE (')
    .trim();
}

describe('the failure of a wait', () => {
  it('has the last runs of the object that the assertion read, with errors and lines of user code', async () => {
    await using environment = await open();
    await start(environment);
    await greet(environment, 'default/other');
    await greet(environment, 'default/hello', 'fail');
    const message = await failureOf(environment, 'default/hello', /times/);
    expect(message).toMatch(/^assertion still failing after 0\.1 s \(\d+ attempts?\): .*expect\(/s);
    expect(message).toContain(`manager started at ${place('start')}, called from ${file}:`);
    expect(normal(message)).toBe(
      `manager started at ${file}:LINE (running; controller greeting; N runs, N failed)
  last runs of Greeting default/hello:
    AGE ago: Greeting added -> created ConfigMap hello-text, failed: no voice (${place('fail')}) [TIME, again in TIME]
    AGE ago: Greeting retried -> failed: no voice (${place('fail')}) [TIME, again in TIME; the last of N times since AGE ago]`,
    );
  });

  it('says that the server runs no controllers, if the runs wrote objects that need them', async () => {
    const reportOf = async (options: EnvironmentOptions, child: 'Deployment' | 'ConfigMap'): Promise<string> => {
      await using environment = await Environment.create({ variables: {}, ...options });
      const labels = { app: 'web' };
      const containers = [{ name: 'web', image: 'web:1' }];
      const copy = controllerFor(Secret, { name: 'copy' })
        .owns(Deployment)
        .owns(ConfigMap)
        .reconcile(async ({ metadata: { name } }, context) => {
          if (name !== 'web') return;
          if (child === 'ConfigMap') await context.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
          else {
            await context.apply({
              apiVersion: 'apps/v1',
              kind: 'Deployment',
              metadata: { name },
              spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
            });
          }
        });
      await environment.run(async (connection) => {
        const manager = await createManager({ ...connection, controllers: [copy], namespaces: ['default'] });
        await manager.start();
        return manager;
      });
      const { client } = environment;
      await client.create(Secret, { metadata: { name: 'web', namespace: 'default' } });
      for (;;) {
        const failing = environment.eventually(
          async () => expect((await client.get(Secret, 'default/web')).data).toBeDefined(),
          { timeout: '100ms' },
        );
        const message = await messageOf(failing);
        if (message.includes('created ')) return message;
      }
    };
    const said =
      '\nthe server of this environment runs no controllers, because it was created with controllers: false: nothing changes the status of deployments.apps, starts Pods or deletes children of deleted objects; write what the test needs with the client, or test on an embedded server with controllers';
    expect(await reportOf({ controllers: false }, 'Deployment')).toContain(said);
    expect(await reportOf({ controllers: false }, 'ConfigMap')).not.toContain('runs no controllers');
    expect(await reportOf({}, 'Deployment')).not.toContain('runs no controllers');
  });

  it('has the line of user code whose request failed', async () => {
    await using environment = await open();
    await start(environment);
    await greet(environment, 'default/hello', 'read');
    expect(await failureOf(environment, 'default/hello')).toContain(
      `failed: get configmaps default/missing: configmaps "missing" not found (${place('read')})`,
    );
  });

  it('has the runs that wrote a child that the assertion read, and those of a missing object in its namespace', async () => {
    await using environment = await open();
    const { client } = environment;
    await start(environment);
    const [one, two] = [await environment.createNamespace(), await environment.createNamespace()];
    await greet(environment, `${one}/hello`);
    await greet(environment, `${one}/other`);
    await greet(environment, `${two}/hello`);
    const exist = ['hello', 'other'].map((name) =>
      environment.eventually(() => client.get(ConfigMap, `${one}/${name}-text`)),
    );
    await Promise.all([...exist, environment.eventually(() => client.get(ConfigMap, `${two}/hello-text`))]);
    const objectsIn = async (key: string): Promise<string[]> => {
      const read = async () => expect((await client.get(ConfigMap, key)).data).toBeDefined();
      const message = await messageOf(environment.eventually(read, { timeout: '200ms' }));
      return [...message.matchAll(/last runs of (.*):/g)].map(([, object = '']) => object).sort();
    };
    expect(await objectsIn(`${one}/hello-text`)).toEqual([`Greeting ${one}/hello`]);
    expect(await objectsIn(`${one}/none`)).toEqual([`Greeting ${one}/hello`, `Greeting ${one}/other`]);
  });

  it('has the failed runs of the object whose earlier run wrote what the assertion read', async () => {
    await using environment = await open();
    await start(environment);
    await greet(environment, 'default/hello');
    const { client } = environment;
    await environment.eventually(() => client.get(ConfigMap, 'default/hello-text'));
    await client.patch(Greeting, 'default/hello', { merge: { spec: { words: ['read'] } } });
    const gone = async () => expect(await client.list(ConfigMap, { namespace: 'default' })).toEqual([]);
    let message = '';
    do message = await messageOf(environment.eventually(gone, { timeout: '100ms' }));
    while (!message.includes('failed: get configmaps default/missing'));
    expect(normal(message).split('\n').slice(1, 3)).toEqual([
      '  last runs of Greeting default/hello:',
      '    AGE ago: Greeting added -> created ConfigMap hello-text [TIME]',
    ]);
    expect(message).not.toContain('other errors');
  });

  it('has the warnings and other errors of the operator, without the contents of Secrets', async () => {
    await using environment = await open();
    await start(environment);
    await greet(environment, 'default/other', 'leak');
    await greet(environment, 'default/hello', 'warn');
    const message = await failureOf(environment, 'default/hello', /other errors:\n.*\n.*\n.*warn/);
    expect(normal(message).split('\n').slice(1)).toEqual([
      '  last runs of Greeting default/hello:',
      '    AGE ago: Greeting added -> created ConfigMap hello-text [TIME]',
      '  other errors:',
      '    AGE ago: greeting default/other: Greeting added -> failed: Bearer (withheld)',
      `      manager forged\\u001b[2J (${place('leak')})  TIME`,
      '    AGE ago: warn: no voice  controller=greeting Greeting=default/hello data=(withheld) pitch=3',
    ]);
    expect(message).not.toContain('hidden');
  });

  it('has what the operator does and what keeps it from working', async () => {
    await using environment = await open();
    await start(environment, { gracePeriod: '10ms' });
    await greet(environment, 'default/hello', 'wait');
    expect(await failureOf(environment, 'default/hello', /has been/)).toMatch(
      / {2}controller greeting has been reconciling default\/hello for \d+ ms$/,
    );
    await using empty = await open({ definitions: [] });
    await start(empty);
    const message = await messageOf(empty.eventually(() => empty.client.get(ConfigMap, 'a/b'), { timeout: '300ms' }));
    expect(normal(message)).toMatch(/; no runs\)\n {2}controller greeting cannot watch greetings\.docs\.example\.com/);
  });

  it('has managers that were not started, did not start, or stopped with an error', async () => {
    await using environment = await open();
    const failing = async (): Promise<string> =>
      normal(await messageOf(eventually(() => environment.client.get(ConfigMap, 'default/none'), { timeout: '50ms' })));
    const controllers = [WordController];
    const idle = await createManager({ transport: environment.transport, controllers });
    expect(await failing()).toMatch(
      /^manager created at \S+:\d+ \(created; controller greeting; no runs\); it was never started: call its start\(\)$/,
    );
    await idle.stop();
    const broken = { start: () => Promise.reject(new Error('no disk')), stop: async () => undefined };
    await expect(start(environment, { runnables: [broken] })).rejects.toThrow('no disk');
    expect(await failing()).toMatch(/^manager started at \S+ \(stopped; controller greeting; no runs\): no disk$/);
    const { promise: started, resolve } = Promise.withResolvers<(error: unknown) => void>();
    const failed = await start(environment, {
      runnables: [{ start: async (fail) => resolve(fail), stop: async () => undefined }],
    });
    (await started)(new Error('disk full: Bearer hidden'));
    await failed.stop();
    expect(await failing()).toMatch(/\(stopped; controller greeting; no runs\): disk full: Bearer \(withheld\)$/);
    const undeclared = environment.run(() => Promise.reject(new Error('no license')));
    await expect(undeclared).rejects.toThrow('no license');
    expect(await failing()).toMatch(/\nenvironment\.run\(\) at \S+ failed: no license$/);
  });

  it('explains how an operator reports its runs', async () => {
    await using environment = await open();
    await environment.run(async ({ transport: { request, close } }) => {
      const transport = { request, close };
      const manager = await createManager({ transport, controllers: [WordController] });
      await manager.start();
      return manager;
    });
    expect(await messageOf(environment.eventually(() => expect(1).toBe(2), { timeout: '50ms' }))).toMatch(
      /\n\nthe operator of environment\.run\(\) at \S+:\d+ reports nothing; use its connection, as in createManager\(\{ \.\.\.connection, controllers \}\)$/,
    );
  });

  it('has only the operators of the environments that the assertion used, or of all if it used none', async () => {
    await using one = await open();
    await using other = await open();
    await Promise.all([start(one), start(other)]);
    await Promise.all([greet(one, 'default/first'), greet(other, 'default/second')]);
    await one.eventually(() => one.client.get(ConfigMap, 'default/first-text'));
    await other.eventually(() => other.client.get(ConfigMap, 'default/second-text'));
    const [used, unused] = await Promise.all([
      messageOf(eventually(() => other.client.get(ConfigMap, 'default/none'), { timeout: '50ms' })),
      messageOf(eventually(() => expect(1).toBe(2), { timeout: '50ms' })),
    ]);
    expect(used).toContain('last runs of Greeting default/second:');
    expect(used).not.toContain('default/first');
    expect(used).not.toContain('environment created');
    expect(normal(unused).replaceAll(/:\d+, called from .*|:\d+:$/gm, '')).toMatch(
      /^environment created at (?:.*\n)+?.*default\/first:\n.*\n\nenvironment created at (?:.*\n)+.*default\/second:\n.*$/,
    );
  });

  it('is short, however many objects and runs there are', async () => {
    await using environment = await open();
    await start(environment);
    await Promise.all(Array.from({ length: 30 }, (_, i) => greet(environment, `default/g-${i}`, 'fail')));
    await greet(environment, 'default/long', 'x'.repeat(100_000));
    const message = await messageOf(
      environment.eventually(async () => expect((await environment.client.list(Greeting)).items).toHaveLength(0), {
        timeout: '500ms',
      }),
    );
    const report = normal(message);
    expect(report).toContain('  and runs of ');
    expect(report.split('\n').length).toBeLessThan(30);
    expect(report.length).toBeLessThan(6000);
  });

  it('has the operators of the first failed round of a sweep', async () => {
    await using environment = await open();
    const sweep = crashSweep({
      environment,
      operator: async (connection) => {
        const manager = await createManager({ ...connection, controllers: [WordController] });
        await manager.start();
        return manager;
      },
      scenario: async ({ namespace, eventually: within, client }) => {
        await greet(environment, `${namespace}/hello`, 'fail');
        await within(async () => expect((await client.get(Greeting, `${namespace}/hello`)).status?.said).toBeDefined());
      },
      kinds: [Greeting],
      timeout: '300ms',
    });
    const message = await messageOf(sweep);
    expect(message).toMatch(/^the operator did not reach the same end state\nwithout a fault: assertion still failing/);
    expect(message).toMatch(/; the last writes: PATCH configmaps hello-text\n\nmanager started at /);
    expect(
      message.match(/last runs of Greeting test-\w+\/hello:\n.*created ConfigMap hello-text, failed: no voice/g),
    ).toHaveLength(1);
  });
});

describe('the logs of an environment', () => {
  async function printed(options: EnvironmentOptions, controllers: readonly ConcreteClass[]): Promise<string[]> {
    const written: string[] = [];
    await using environment = await open({ ...options, output: { write: (text: string) => written.push(text) } });
    await start(environment, { controllers });
    await greet(environment, 'default/hello', 'warn');
    await environment.eventually(() => environment.client.get(ConfigMap, 'default/hello-text'));
    await greet(environment, 'default/bad', 'leak');
    await environment.eventually(() => {
      if (options.logs !== undefined) expect(written.join('')).toContain('default/bad');
    });
    return written.map((line) =>
      normal(`\n\nmanager${line}`)
        .replace('manager', '')
        .replace(/^ +0\./, ''),
    );
  }

  it('are printed from a level up, with a line for each run', async () => {
    expect(await printed({ logs: 'info' }, [WordController])).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^TIME {2}info {3}controller started {2}controller=greeting workers=\d+$/),
        expect.stringMatching(
          /^TIME {2}warn {3}no voice {2}controller=greeting Greeting=default\/hello data=\(withheld\) pitch=3$/,
        ),
        expect.stringMatching(
          /^TIME {2}info {3}greeting default\/hello: Greeting added -> created ConfigMap hello-text {2}TIME$/,
        ),
      ]),
    );
    const errors = await printed({ logs: 'error' }, [WordController]);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(
      /^TIME {2}error {2}greeting default\/bad: Greeting added -> failed: Bearer \(withheld\)\n +manager forged/,
    );
  });

  it('are selected by a variable, and are silent by default', async () => {
    expect(await printed({}, [WordController])).toEqual([]);
    expect((await printed({ variables: { EVENKEEL_TEST_LOGS: 'debug' } }, [WordController])).length).toBeGreaterThan(2);
    await expect(open({ variables: { EVENKEEL_TEST_LOGS: 'loud' } })).rejects.toThrow(
      'EVENKEEL_TEST_LOGS: unknown level "loud"; use debug, info, warn or error',
    );
  });
});
