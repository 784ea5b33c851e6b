import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Environment } from '@evenkeel/testing';
import { root } from '../../../../test/imports.fixture.ts';
import { Project } from '../project.fixture.ts';

const files = {
  'evenkeel.config.ts': `
    import { defineConfig } from '@evenkeel/cli/config';
    export default defineConfig({
      apis: ['./src/greeting.ts'], controllers: ['./src/greeting.ts'], samples: ['./sample.yaml'],
    });`,
  'sample.yaml': 'apiVersion: hello.example.com/v1\nkind: Greeting\nmetadata: { name: world }\nspec: { name: World }\n',
};

/** A project whose controller does this. */
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

/** Runs `evenkeel dev`, and returns what it told beside the exit code. */
async function dev(reconcile: string, ...options: string[]): Promise<{ exitCode: number | null; told: string }> {
  const project = await Project.create(greeting(reconcile));
  try {
    return await project.process('dev', '--once', ...options);
  } finally {
    await project.remove();
  }
}

function hasKubeconfig(project: Project): Promise<boolean> {
  return project.read('.evenkeel/kubeconfig').then(
    () => true,
    () => false,
  );
}

describe('evenkeel dev --once', () => {
  it('waits for conditions of any name, or none; ends with 1 where Ready is true and every run throws, and says which line throws', async () => {
    const sample = (name: string) => files['sample.yaml'].replace('name: world', `name: ${name}`);
    const project = await Project.create({
      ...greeting(
        `if (name === 'world') throw new Error('after'); return undefined as never;`,
        `const { name } = greeting.metadata; if (name !== 'quiet') context.conditions.set(name === 'world' ? 'Ready' : 'Synced', true, 'Greeted');`,
      ),
      'sample.yaml': ['own', 'quiet', 'world'].map(sample).join('---\n'),
    });
    try {
      const { exitCode, told } = await project.process('dev', '--once', '--timeout', '4s');
      expect(exitCode).toBe(1);
      expect(told).toMatch(/converged +default\/own\n/);
      expect(told).toMatch(/converged +default\/quiet\n/);
      expect(told).not.toMatch(/ready {6}default/);
      expect(told).toMatch(/wrote status, failed: after \(src\/greeting\.ts:19\) {2}\d[.\d]* (ms|s), again in 5 ms$/m);
      expect(told).toMatch(
        /waiting {4}for Greeting default\/world: Ready=True \(Greeted\); its last reconcile failed: after/,
      );
      expect(told).toContain(
        'error: Greeting default/world has not converged: Ready=True (Greeted); its last reconcile failed: after [not-converged]',
      );
      // Who looks on with --once has no other terminal to try things in.
      expect(told).not.toContain('export KUBECONFIG');
    } finally {
      await project.remove();
    }
  });

  it('ends with 0 when a run that failed was followed by one that did not', async () => {
    const { exitCode, told } = await dev(
      `if (runs === 1) greeting.spec.name = 'x'; if (runs < 4) throw new Error('not yet'); return undefined as never;`,
    );
    expect(told).toContain('failed: not yet');
    expect(told).toContain('of Greeting default/world ("name"): copy it, or use apply() (src/greeting.ts:19)');
    expect(told).toMatch(/ready {6}default\/world/);
    expect(exitCode).toBe(0);
  });

  it('says of a cluster what only an operator can take away again, because it has a finalizer', async () => {
    const environment = await Environment.create({ kind: 'embedded' });
    const project = await Project.create(greeting('return undefined as never;'));
    try {
      const cluster = ['--kubeconfig', await environment.kubeconfig()];
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
      expect(held.told).toMatch(
        /stopped +what it installed and applied stays on the cluster; Greeting default\/world: with finalizers, .* without --once\n$/,
      );
      expect(held.exitCode).toBe(0);
    } finally {
      await project.remove();
      await environment.close();
    }
  });

  it('ends as it had decided where a signal comes in its last moment, as npm passes on a Ctrl-C late', async () => {
    const project = await Project.create(greeting('return undefined as never;'));
    try {
      const { exitCode } = await project.interruptedToTheEnd('nothing is left running', 'dev', '--once');
      expect(exitCode).toBe(0);
    } finally {
      await project.remove();
    }
  });

  it('does not take what no reconcile may return for an end', async () => {
    const { exitCode, told } = await dev('return true as never;', '--timeout', '4s', '--verbose');
    expect(told).toContain('its last reconcile failed: ');
    expect(told).toContain('debug ');
    expect(exitCode).toBe(1);
  });
});

describe('evenkeel dev', () => {
  it('ends with the reconcile, the line and the code where nobody awaits a promise that is rejected, and tells what follows', async () => {
    const project = await Project.create(
      greeting(
        "setTimeout(() => { throw new Error('nobody catches'); }, 1); void Promise.reject(new Error('nobody cares')); return undefined as never;",
      ),
    );
    try {
      const { exitCode, told } = await project.process('dev');
      expect(told).toMatch(
        /^error: controller greeting, default\/world: unhandled promise rejection, .*: nobody cares \(src\/greeting\.ts:19\) \[floating-rejection\]$/m,
      );
      expect(told).toMatch(
        / error +controller greeting, default\/world: uncaught exception, .*: nobody catches \(src\/greeting\.ts:19\) \[uncaught-exception\]$/m,
      );
      expect(told).not.toMatch(/^ +at |Node\.js v/m);
      expect(told).toMatch(/stopped +nothing is left running\n/);
      expect([exitCode, await hasKubeconfig(project)]).toEqual([1, false]);
    } finally {
      await project.remove();
    }
  });

  it('ends in order and without a word where nobody reads any more, and where its terminal is closed', async () => {
    const project = await Project.create(greeting('return undefined as never;'));
    try {
      const unread = await project.abandoned('manager ', 'dev');
      expect(unread).toEqual({ exitCode: 141, complaint: '' });
      expect(await hasKubeconfig(project)).toBe(false);
      expect(await project.abandoned('', 'help', 'dev')).toEqual({ exitCode: 0, complaint: '' });
      const full = await project.withoutRoom('dev');
      expect(full).toEqual({
        exitCode: 141,
        complaint: expect.stringMatching(/^error: not all could be written: ENOSPC.*\n$/),
      });
      const { exitCode, told } = await project.hungUp('kubectl edit ', 'dev');
      expect(told).toContain('nothing is left running');
      expect([exitCode, await hasKubeconfig(project)]).toEqual([0, false]);
    } finally {
      await project.remove();
    }
  });

  it('says what it waits for, and what to try meanwhile, where a sample is not ready soon', async () => {
    const project = await Project.create(
      greeting("context.conditions.set('Ready', false, 'Waiting'); return undefined as never;"),
    );
    try {
      const { exitCode, told } = await project.interrupted('kubectl edit ', 'dev');
      expect(told).toMatch(/waiting {4}for Greeting default\/world: Ready=False \(Waiting\)$/m);
      expect(told).toMatch(
        /In another terminal, try:\n {2}export KUBECONFIG=.evenkeel\/kubeconfig\n {2}kubectl get greetings --watch$/m,
      );
      expect(told).toContain('nothing is left running');
      expect(exitCode).toBe(0);
      // What it says is what the pages show, and each of its options stands in one.
      expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`\n${/^It stays .*$/m.exec(told)?.[0]}\n`);
      const { out } = await project.run('help', 'dev');
      const options = [...out.matchAll(/ (--[a-z]+)/g)].map(([, option = '']) => option);
      const page = readFileSync(join(root, 'docs/dev.md'), 'utf8');
      expect(options.filter((option) => option !== '--help' && !page.includes(`| \`${option}`))).toEqual([]);
      expect(options).toContain('--timeout');
    } finally {
      await project.remove();
    }
  });

  it('says what was meant by a field of a sample that the CRD does not have', async () => {
    const project = await Project.create(greeting('return undefined as never;'));
    await project.write({ 'sample.yaml': files['sample.yaml'].replace('name: World', 'nam: World') });
    try {
      const { exitCode, told } = await project.process('dev', '--once');
      expect(told).toMatch(
        /sample\.yaml, document 1: .*\.spec\.nam: field not declared in schema; did you mean "name"\? \[invalid-sample\]/,
      );
      expect(exitCode).toBe(1);
    } finally {
      await project.remove();
    }
  });
});
