import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CustomResourceDefinition } from '@evenkeel/kinds';
import { Environment } from '@evenkeel/testing';
import { root } from '../../../../test/imports.fixture.ts';
import { Project } from '../project.fixture.ts';

const files = {
  'evenkeel.config.ts': `
    import { defineConfig } from '@evenkeel/cli/config';
    export default defineConfig({
      apis: ['./src/greeting.ts'], operator: './src/operator.ts', samples: ['./sample.yaml'],
    });`,
  'src/operator.ts': `import { defineOperator } from 'evenkeel';
import { GreetingController } from './greeting.ts';
export const operator = defineOperator({ name: 'greetings', controllers: [GreetingController] });
`,
  'sample.yaml': 'apiVersion: hello.example.com/v1\nkind: Greeting\nmetadata: { name: world }\nspec: { name: World }\n',
};

/** A project with a controller that runs this code. */
function greeting(
  reconcile: string,
  conclude = "context.conditions.set('Ready', true, 'Greeted');",
): Record<string, string> {
  return {
    ...files,
    'src/greeting.ts': `import { MaxLength } from 'class-validator';
import {
  type Condition, Conditions, Controller, CustomResource, KubernetesObject, Reconcile, ReconcileContext, Spec, Status,
} from 'evenkeel';
export class GreetingSpec { @MaxLength(63) name!: string; }
export class GreetingStatus { @Conditions() conditions?: Condition[]; }
@CustomResource({ group: 'hello.example.com', version: 'v1' })
export class Greeting extends KubernetesObject {
  @Spec() spec!: GreetingSpec;
  @Status() status!: GreetingStatus;
}
let runs = 0;
@Controller(Greeting)
export class GreetingController {
  @Reconcile()
  async reconcile(greeting: Greeting, context: ReconcileContext): Promise<never> {
    runs++;
    ${conclude}
    ${reconcile}
  }
}
`,
  };
}

/** Runs `evenkeel dev --once`, and returns the exit code and the output. */
async function dev(reconcile: string, ...options: string[]): Promise<{ exitCode: number | null; output: string }> {
  const project = await Project.create(greeting(reconcile));
  try {
    return await project.process('dev', '--once', ...options);
  } finally {
    await project.remove();
  }
}

/** Runs a test with a project, and with the options of commands for a cluster. */
async function onCluster(
  test: (project: Project, cluster: readonly string[], environment: Environment) => Promise<void>,
): Promise<void> {
  const environment = await Environment.create({ kind: 'embedded' });
  const project = await Project.create(greeting('return undefined as never;'));
  try {
    await test(project, ['--kubeconfig', await environment.kubeconfig()], environment);
  } finally {
    await project.remove();
    await environment.close();
  }
}

function hasKubeconfig(project: Project): Promise<boolean> {
  return project.read('.evenkeel/kubeconfig').then(
    () => true,
    () => false,
  );
}

describe('evenkeel dev --once', () => {
  it('accepts any condition type, or none; exits with 1 and the throwing line if Ready is true but every run throws', async () => {
    const sample = (name: string) => files['sample.yaml'].replace('name: world', `name: ${name}`);
    const project = await Project.create({
      ...greeting(
        `if (name === 'world') throw new Error('after'); return undefined as never;`,
        `const { name } = greeting.metadata; if (name !== 'quiet') context.conditions.set(name === 'world' ? 'Ready' : 'Synced', true, 'Greeted');`,
      ),
      'sample.yaml': ['own', 'quiet', 'world'].map(sample).join('---\n'),
    });
    try {
      const { exitCode, output } = await project.process('dev', '--once', '--timeout', '4s');
      expect(exitCode).toBe(1);
      expect(output).toMatch(/converged +default\/own\n/);
      expect(output).toMatch(/converged +default\/quiet\n/);
      expect(output).not.toMatch(/ready {6}default/);
      expect(output).toMatch(
        /wrote status, failed: after \(src\/greeting\.ts:19\) {2}\d[.\d]* (ms|s), again in 5 ms$/m,
      );
      expect(output).toMatch(/waiting {4}for Greeting default\/world: its last reconcile failed: after/);
      expect(output).toContain(
        'error: Greeting default/world has not converged: its last reconcile failed: after [not-converged]',
      );
      // With --once, there is no time to try commands.
      expect(output).not.toContain('export KUBECONFIG');
    } finally {
      await project.remove();
    }
  });

  it('exits with 0 if a successful run followed a failed one', async () => {
    const { exitCode, output } = await dev(
      `if (runs === 1) greeting.spec.name = 'x'; if (runs < 4) throw new Error('not yet'); return undefined as never;`,
    );
    expect(output).toContain('failed: not yet');
    expect(output).toContain(
      'of Greeting default/world ("name"): it is frozen because it is shared with the cache; change a copy, or use context.apply() (src/greeting.ts:19)',
    );
    expect(output).toMatch(/ready {6}default\/world/);
    expect(exitCode).toBe(0);
  });

  it('leaves CRDs on a cluster that uninstall deletes', () =>
    onCluster(async (project, cluster) => {
      expect((await project.process('dev', '--once', ...cluster)).exitCode).toBe(0);
      const { output, exitCode } = await project.process('uninstall', '--yes', ...cluster);
      expect(output).toContain('customresourcedefinition.apiextensions.k8s.io/greetings.hello.example.com deleted');
      expect(exitCode).toBe(0);
    }));

  it('gives the fields of a CRD on a cluster to install, which then removes those that a session added', () =>
    onCluster(async (project, cluster, environment) => {
      const source = await project.read('src/greeting.ts');
      await project.write({
        'src/greeting.ts': source.replace('class GreetingSpec {', 'class GreetingSpec { tone?: string;'),
      });
      // The session applies the definition with all fields.
      expect(await project.process('dev', '--once', ...cluster)).toMatchObject({ exitCode: 0 });
      await project.write({ 'src/greeting.ts': source });
      const installed = await project.process('install', '--allow-breaking', ...cluster);
      expect(installed.output).not.toContain('other field managers');
      expect(installed.exitCode).toBe(0);
      const { metadata, spec } = await environment.client.get(CustomResourceDefinition, 'greetings.hello.example.com');
      expect(JSON.stringify(spec)).not.toContain('tone');
      expect(metadata.managedFields?.map(({ manager }) => manager)).not.toContain('evenkeel-dev');
    }));

  it('refuses a CRD on a cluster that can break its objects, unless the user allows it', () =>
    onCluster(async (project, cluster) => {
      expect(await project.process('dev', '--once', ...cluster)).toMatchObject({ exitCode: 0 });
      const source = await project.read('src/greeting.ts');
      await project.write({
        'src/greeting.ts': source.replace(' name!', ' title!'),
        'sample.yaml': files['sample.yaml'].replace('{ name: World', '{ title: World'),
      });
      const refused = await project.process('dev', '--once', ...cluster);
      expect(refused.output).toContain(
        '[breaking-definition]\n    greetings.hello.example.com: v1: spec.title: becomes required',
      );
      expect(refused.output).toContain('greetings.hello.example.com: v1: spec.name: is removed');
      expect(refused.exitCode).toBe(1);
      const allowed = await project.process('dev', '--once', '--allow-breaking', ...cluster);
      expect(allowed.output).toContain(
        'allowed by --allow-breaking: greetings.hello.example.com: v1: spec.name: is removed',
      );
      expect(allowed.exitCode).toBe(0);
    }));

  it('names the objects on the cluster whose finalizers only an operator removes', () =>
    onCluster(async (project, cluster, environment) => {
      const source = await project.read('src/greeting.ts');
      await project.write({
        'src/greeting.ts': source
          .replace('{\n', '{\n  Finalizer,')
          .replace(
            '  @Reconcile()',
            "  @Finalizer('hello.example.com/words')\n  async end(): Promise<void> {}\n  @Reconcile()",
          ),
      });
      const held = await project.process('dev', '--once', ...cluster);
      expect(held.output).toMatch(
        /stopped +the CRDs and samples stay on the cluster; only a running operator removes the finalizers of Greeting default\/world; .* without --once, and delete them while the operator runs\n$/,
      );
      const greeting = {
        group: 'hello.example.com',
        version: 'v1',
        kind: 'Greeting',
        plural: 'greetings',
        namespaced: true,
      };
      for (let at = 1; at <= 6; at++) {
        const metadata = { name: `own-${at}`, namespace: 'default', finalizers: ['hello.example.com/words'] };
        await environment.client.create(greeting, { metadata, spec: { name: 'you' } });
      }
      const many = await project.process('dev', '--once', ...cluster);
      expect(many.output).toMatch(
        /finalizers of Greeting default\/own-1, (Greeting default\/own-\d, ){4}2 more of Greeting; to delete/,
      );
      expect(held.exitCode).toBe(0);
    }));

  it('prints what the code logs and records, and counts what identical retries print', async () => {
    const { output } = await dev(
      `context.logger.info('greeting', { title: process.title });
    context.events.warning('Shy', 'It does not greet');
    if (runs < 10) throw new Error('always the same');
    return undefined as never;`,
      '--timeout',
      '60s',
    );
    const linesOf = (topic: string): string[] =>
      output.split('\n').flatMap((line) => new RegExp(`^ *[\\d.]+ s  ${topic} +(.*)$`).exec(line)?.[1] ?? []);
    const [first, ...others] = linesOf('info');
    expect(first).toBe('default/world: greeting  title=evenkeel dev');
    expect(others).toEqual(['  (2 times)', '  (4 times)', '  (8 times)'].map((times) => `${first}${times}`));
    expect(linesOf('event').slice(0, 2)).toEqual([
      'default/world: Warning Shy: It does not greet',
      'default/world: Warning Shy: It does not greet  (2 times)',
    ]);
    const retries = linesOf('reconcile').filter((line) => line.includes('retried -> failed'));
    expect(retries.map((line) => / {2}(\(\d+ times\))/.exec(line)?.[1])).toEqual([
      ...[undefined, '(2 times)', '(4 times)', '(8 times)'],
    ]);
    expect(retries[0]).toMatch(/^default\/world: Greeting retried -> failed: always the same \(src\/greeting\.ts:21\)/);
    expect(linesOf('types')).toEqual(['not checked; run "npx tsc --noEmit"']);
  });

  it('escapes what comes from objects, logs, Events and errors', async () => {
    const project = await Project.create({
      ...greeting(
        `context.logger.info(greeting.spec.name, { name: greeting.spec.name });
    context.events.normal('Named', greeting.spec.name);
    throw new Error(greeting.spec.name);`,
        "context.conditions.set('Ready', false, 'Named', greeting.spec.name);",
      ),
      'sample.yaml': files['sample.yaml'].replace(
        'name: World',
        'name: "x\\e[2J\\n  9.99 s  ready\\u202e\\x9b0m\\x7f"',
      ),
    });
    try {
      for (const options of [[], ['--verbose']]) {
        const { exitCode, output } = await project.process('dev', '--once', '--timeout', '1s', ...options);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
        expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
        expect(output).not.toMatch(/^ *9\.99 s/m);
        const shown = 'x\\u001b[2J\\n  9.99 s  ready\\u202e\\u009b0m\\u007f';
        for (const topic of ['info', 'event', 'reconcile']) {
          expect(output.split('\n').some((line) => line.includes(` ${topic} `) && line.includes(shown))).toBe(true);
        }
        expect(exitCode).toBe(1);
      }
    } finally {
      await project.remove();
    }
  });

  it('names the line of a mapper that throws', async () => {
    const project = await Project.create(greeting('return undefined as never;'));
    const source = await project.read('src/greeting.ts');
    const mapper = `  @Watches(Service)
  onService({ metadata: { name } }: Service): ObjectKey[] {
    if (name === 'odd') throw new Error('unexpected service');
    return [];
  }
`;
    await project.write({
      'src/greeting.ts': source
        .replace('{\n', '{\n  ObjectKey, Service, Watches,')
        .replace('  @Reconcile()', `${mapper}  @Reconcile()`),
      'sample.yaml': `apiVersion: v1\nkind: Service\nmetadata: { name: odd }\nspec: { ports: [{ port: 80 }] }\n---\n${files['sample.yaml']}`,
    });
    try {
      const { output } = await project.process('dev', '--once');
      const [, line = ''] =
        /error +.*GreetingController\.onService.* error=unexpected service \(src\/greeting\.ts:(\d+)\)/.exec(output) ??
        [];
      expect((await project.read('src/greeting.ts')).split('\n')[Number(line) - 1]).toContain('unexpected service');
    } finally {
      await project.remove();
    }
  });

  it('prints the cause and the line of a failed fetch', async () => {
    const { exitCode, output } = await dev(
      `const server = await import('node:net').then(({ createServer }) => createServer().listen(0, '127.0.0.1'));
    await new Promise((listening) => server.once('listening', listening));
    const { port } = server.address() as { port: number };
    await new Promise((closed) => server.close(closed));
    await fetch(\`http://127.0.0.1:\${port}\`);
    return undefined as never;`,
      '--timeout',
      '2s',
    );
    expect(output).toMatch(/failed: fetch failed: connect ECONNREFUSED 127\.0\.0\.1:\d+ \(src\/greeting\.ts:23\)/);
    expect(output).toMatch(/not converged: its last reconcile failed: fetch failed: connect ECONNREFUSED/);
    expect(exitCode).toBe(1);
  });

  it('keeps its exit code if a signal arrives while it exits, as when npm passes on a Ctrl-C late', async () => {
    const project = await Project.create(greeting('return undefined as never;'));
    try {
      const { exitCode } = await project.interruptedToTheEnd('nothing is left running', 'dev', '--once');
      expect(exitCode).toBe(0);
    } finally {
      await project.remove();
    }
  });

  it('does not treat an invalid reconcile result as converged', async () => {
    const { exitCode, output } = await dev('return true as never;', '--timeout', '4s', '--verbose');
    expect(output).toContain('its last reconcile failed: ');
    expect(output).toContain('debug ');
    expect(exitCode).toBe(1);
  });
});

describe('evenkeel dev', () => {
  it('exits with the reconcile, the line and the code after a floating rejection, and prints the errors that follow', async () => {
    const project = await Project.create(
      greeting(
        "setTimeout(() => { throw new Error('nobody catches'); }, 1); void Promise.reject(new Error('nobody cares')); return undefined as never;",
      ),
    );
    try {
      const { exitCode, output } = await project.process('dev', '--once');
      expect(output).toMatch(
        /^error: controller greeting, default\/world: unhandled promise rejection, .*: nobody cares \(src\/greeting\.ts:19\) \[floating-rejection\]$/m,
      );
      expect(output).toMatch(
        / error +controller greeting, default\/world: uncaught exception, .*: nobody catches \(src\/greeting\.ts:19\) \[uncaught-exception\]$/m,
      );
      expect(output).not.toMatch(/^ +at |Node\.js v/m);
      expect(output).toMatch(/stopped +nothing is left running\n/);
      expect([exitCode, await hasKubeconfig(project)]).toEqual([1, false]);
    } finally {
      await project.remove();
    }
  });

  it('cleans up without an error if stdout or its terminal is closed', async () => {
    const project = await Project.create(greeting('return undefined as never;'));
    try {
      const unread = await project.abandoned('manager ', 'dev');
      expect(unread).toEqual({ exitCode: 141, complaint: '' });
      expect(await hasKubeconfig(project)).toBe(false);
      expect(await project.abandoned('', 'help', 'dev')).toEqual({ exitCode: 0, complaint: '' });
      const full = await project.withoutRoom('dev');
      expect(full).toEqual({
        exitCode: 141,
        complaint: expect.stringMatching(/^error: cannot write the whole output: ENOSPC.*\n$/),
      });
      const { exitCode, output } = await project.hungUp('kubectl edit ', 'dev');
      expect(output).toContain('nothing is left running');
      expect([exitCode, await hasKubeconfig(project)]).toEqual([0, false]);
    } finally {
      await project.remove();
    }
  });

  it('prints what it waits for and commands to try if a sample is not ready soon', async () => {
    const project = await Project.create(
      greeting("context.conditions.set('Ready', false, 'Waiting'); return undefined as never;"),
    );
    try {
      const { exitCode, output } = await project.interrupted('kubectl edit ', 'dev');
      expect(output).toMatch(/waiting {4}for Greeting default\/world: Ready=False \(Waiting\)$/m);
      expect(output).toMatch(
        /In another terminal, try:\n {2}export KUBECONFIG=.evenkeel\/kubeconfig\n {2}kubectl get greetings --watch$/m,
      );
      expect(output).toContain('nothing is left running');
      expect(exitCode).toBe(130);
      // The README quotes this output, and docs/dev.md lists every option.
      expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`\n${/^It runs .*$/m.exec(output)?.[0]}\n`);
      const { out } = await project.run('help', 'dev');
      const options = [...out.matchAll(/ (--[a-z]+)/g)].map(([, option = '']) => option);
      const page = readFileSync(join(root, 'docs/dev.md'), 'utf8');
      expect(options.filter((option) => option !== '--help' && !page.includes(`| \`${option}`))).toEqual([]);
      expect(options).toContain('--timeout');
    } finally {
      await project.remove();
    }
  });

  it('suggests the correct name for an unknown field of a sample', async () => {
    const project = await Project.create(greeting('return undefined as never;'));
    await project.write({ 'sample.yaml': files['sample.yaml'].replace('name: World', 'nam: World') });
    try {
      const { exitCode, output } = await project.process('dev', '--once');
      expect(output).toMatch(
        /sample\.yaml, document 1: .*\.spec\.nam: field not declared in schema; did you mean "name"\? \[invalid-sample\]/,
      );
      expect(exitCode).toBe(1);
    } finally {
      await project.remove();
    }
  });
});
