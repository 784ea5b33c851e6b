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
function greeting(reconcile: string): Record<string, string> {
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
    context.conditions.set('Ready', true, 'Greeted');
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

describe('evenkeel dev --once', () => {
  it('ends with 1 where the status says Ready and every run throws, and says which line throws', async () => {
    const { exitCode, told } = await dev(`throw new Error('after');`, '--timeout', '4s');
    expect(exitCode).toBe(1);
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
  });

  it('ends with 0 when a run that failed was followed by one that did not', async () => {
    const { exitCode, told } = await dev(`if (runs < 4) throw new Error('not yet'); return undefined as never;`);
    expect(told).toContain('failed: not yet');
    expect(told).toMatch(/ready {6}default\/world/);
    expect(exitCode).toBe(0);
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
