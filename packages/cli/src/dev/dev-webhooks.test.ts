import { CustomResourceDefinition, MutatingWebhookConfiguration } from '@evenkeel/kinds';
import { Environment } from '@evenkeel/testing';
import { Project } from '../project.fixture.ts';
import { clientOf } from './reload/greeting-project.fixture.ts';

const files = {
  'evenkeel.config.ts': `
    import { defineConfig } from '@evenkeel/cli/config';
    export default defineConfig({
      apis: ['./src/greeting.ts'], operator: './src/operator.ts', samples: ['./sample.yaml'],
    });`,
  'src/operator.ts': `import { defineOperator } from 'evenkeel';
import { GreetingController, GreetingDefaults } from './greeting.ts';
export const operator = defineOperator({
  name: 'greetings', controllers: [GreetingController], webhooks: [GreetingDefaults],
});
`,
  'sample.yaml': 'apiVersion: hello.example.com/v1\nkind: Greeting\nmetadata: { name: world }\nspec: { name: World }\n',
  'src/greeting.ts': `import {
  Admit, type Condition, Conditions, Controller, CustomResource, KubernetesObject, MutatingWebhook, Reconcile,
  ReconcileContext, Spec, Status,
} from 'evenkeel';
export class GreetingSpec { name!: string; salutation?: string; }
export class GreetingStatus { @Conditions() conditions?: Condition[]; }
@CustomResource({ group: 'hello.example.com', version: 'v1' })
export class Greeting extends KubernetesObject {
  @Spec() spec!: GreetingSpec;
  @Status() status!: GreetingStatus;
}
@MutatingWebhook(Greeting)
export class GreetingDefaults {
  @Admit('create') set(greeting: Greeting): void { greeting.spec.salutation ??= 'Hello'; }
}
@Controller(Greeting)
export class GreetingController {
  @Reconcile() async reconcile({ spec }: Greeting, context: ReconcileContext): Promise<void> {
    context.conditions.set('Ready', true, 'Greeted', \`\${spec.salutation} \${spec.name}\`);
  }
}
`,
};

/** The same project with an older version, in which the sample is. */
const withConversion = {
  ...files,
  'src/greeting-v1beta1.ts': `import { CustomResource, KubernetesObject, Spec, Status } from 'evenkeel';
import { Greeting, GreetingStatus } from './greeting.ts';
export class GreetingV1beta1Spec { who!: string; salutation?: string; }
@CustomResource({
  group: 'hello.example.com', version: 'v1beta1', kind: 'Greeting',
  conversion: { hub: () => Greeting, moves: { 'spec.who': 'spec.name' } },
})
export class GreetingV1beta1 extends KubernetesObject {
  @Spec() spec!: GreetingV1beta1Spec;
  @Status() status!: GreetingStatus;
}
`,
  'src/greeting.ts': files['src/greeting.ts'].replace("version: 'v1' }", "version: 'v1', storage: true }"),
  'src/operator.ts': `import { defineOperator } from 'evenkeel';
import { GreetingController, GreetingDefaults } from './greeting.ts';
import { GreetingV1beta1 } from './greeting-v1beta1.ts';
export const operator = defineOperator({
  name: 'greetings', controllers: [GreetingController], webhooks: [GreetingDefaults], conversions: [GreetingV1beta1],
});
`,
  'evenkeel.config.ts': files['evenkeel.config.ts'].replace(
    "'./src/greeting.ts'",
    "'./src/greeting.ts', './src/greeting-v1beta1.ts'",
  ),
  'sample.yaml': `apiVersion: hello.example.com/v1beta1
kind: Greeting
metadata: { name: world }
spec: { who: World }
`,
};

/** The same versions with the same fields, which need no conversion. */
const withoutConversion = {
  'src/operator.ts': files['src/operator.ts'],
  'src/greeting-v1beta1.ts': withConversion['src/greeting-v1beta1.ts']
    .replace('who!:', 'name!:')
    .replace(/^ {2}conversion:.*\n/m, ''),
  'sample.yaml': withConversion['sample.yaml'].replace('who:', 'name:'),
};

describe('evenkeel dev with webhooks', () => {
  it('lets its API server call them without set-up', async () => {
    const project = await Project.create(files);
    try {
      const { exitCode, output } = await project.process('dev', '--once');
      expect(output).toMatch(/webhooks +used by the API server: GreetingDefaults\n/);
      expect(output).toContain('Hello World');
      expect(exitCode).toBe(0);
    } finally {
      await project.remove();
    }
  });

  it('lets its API server convert the versions of a kind', async () => {
    const project = await Project.create(withConversion);
    try {
      const { exitCode, output } = await project.process('dev', '--once');
      expect(output).toContain('Hello World');
      expect(exitCode).toBe(0);
    } finally {
      await project.remove();
    }
  });

  it('calls new code after a reload, with the same registration, and new webhooks and versions after a change of them', async () => {
    const project = await Project.create(withConversion);
    const session = project.session('dev');
    try {
      await session.prints(/It runs until Ctrl-C/);
      const client = await clientOf(project);
      const registered = async (): Promise<string[]> =>
        (await client.list(MutatingWebhookConfiguration)).items.map(({ metadata }) => metadata.name);
      const before = await registered();
      expect(before).toHaveLength(1);
      const source = withConversion['src/greeting.ts'];
      await project.write({ 'src/greeting.ts': source.replace("??= 'Hello'", "??= 'Good day'") });
      await session.prints(/the new code runs/);
      expect(await registered()).toEqual(before);
      const create = (name: string, version: 'v1' | 'v1beta1') =>
        client.create(
          { ...{ group: 'hello.example.com', version, kind: 'Greeting', plural: 'greetings', namespaced: true } },
          { metadata: { name, namespace: 'default' }, spec: version === 'v1' ? { name } : { who: name } } as never,
        );
      expect(await create('moon', 'v1beta1')).toMatchObject({ spec: { who: 'moon', salutation: 'Good day' } });
      // The CRD changes, so its conversion is registered again.
      await project.write({
        'src/greeting.ts': source.replace('{ name!: string;', '{ /** Whom to greet. */ name!: string;'),
      });
      await session.prints(/crd +generated and changed greetings\.hello\.example\.com[\s\S]*the new code runs/);
      expect(await create('sun', 'v1beta1')).toMatchObject({ spec: { who: 'sun', salutation: 'Hello' } });
      await project.write({ 'src/greeting.ts': source.replace("@Admit('create')", "@Admit('update')") });
      await session.prints(/the new code runs/);
      expect(await registered()).not.toEqual(before);
      expect(await create('mars', 'v1')).not.toMatchObject({ spec: { salutation: 'Hello' } });
      await project.write(withoutConversion);
      await session.prints(/crd +generated and changed greetings\.hello\.example\.com[\s\S]*the new code runs/);
      const { spec } = await client.get(CustomResourceDefinition, 'greetings.hello.example.com');
      expect(spec.conversion).toEqual({ strategy: 'None' });
    } finally {
      session.kill();
      await session.exited;
      await project.remove();
    }
  });

  it('removes the conversion after a reload of classes without it, and on a cluster also after another session', async () => {
    await using cluster = await Environment.create({ variables: {} });
    const project = await Project.create(withConversion);
    // The removal of a conversion can break clients of the other version.
    const dev = ['dev', '--kubeconfig', await cluster.kubeconfig(), '--allow-breaking'];
    const session = project.session(...dev, '--watch');
    const strategy = async () =>
      (await cluster.client.get(CustomResourceDefinition, 'greetings.hello.example.com')).spec.conversion?.strategy;
    try {
      await session.prints(/It runs until Ctrl-C/);
      expect(await strategy()).toBe('Webhook');
      await project.write(withoutConversion);
      await session.prints(/crd +generated and changed greetings\.hello\.example\.com[\s\S]*the new code runs/);
      expect(await strategy()).toBe('None');
      expect(session.output).not.toContain('no operator runs');
      const v1beta1 = { group: 'hello.example.com', version: 'v1beta1', kind: 'Greeting', plural: 'greetings' };
      const read = await cluster.client.get({ ...v1beta1, namespaced: true }, 'default/world');
      expect(read).toMatchObject({ spec: { name: 'World' } });
      await session.interrupt();

      await project.write(withConversion);
      expect(await project.process(...dev, '--once')).toMatchObject({ exitCode: 0 });
      expect(await strategy()).toBe('Webhook');
      // Nothing serves the conversion before the next session does.
      expect(await project.process('dev', '--kubeconfig', await cluster.kubeconfig(), '--once')).toMatchObject({
        exitCode: 0,
      });
      await project.write(withoutConversion);
      expect(await project.process(...dev, '--once')).toMatchObject({ exitCode: 0 });
      expect(await strategy()).toBe('None');
    } finally {
      session.kill();
      await session.exited;
      await project.remove();
    }
  });

  it('does not start on a cluster where another session serves the conversion', async () => {
    await using cluster = await Environment.create({ variables: {} });
    const project = await Project.create(withConversion);
    const dev = ['dev', '--kubeconfig', await cluster.kubeconfig()];
    const session = project.session(...dev);
    const definition = () => cluster.client.get(CustomResourceDefinition, 'greetings.hello.example.com');
    try {
      await session.prints(/It runs until Ctrl-C/);
      const before = await definition();
      const { exitCode, output } = await project.process(...dev, '--once');
      expect(exitCode).toBe(1);
      expect(output).toMatch(
        /CRD greetings\.hello\.example\.com: another session .* serves its conversion \(process \d+ on .*, since .*Z\); stop that session.*\[dev-session-running\]/,
      );
      const installed = await project.process('install', ...dev.slice(1));
      expect([installed.exitCode, installed.output]).toEqual([1, expect.stringContaining('[dev-session-running]')]);
      expect(await definition()).toEqual(before);
      await session.interrupt();
      expect(await project.process(...dev, '--once')).toMatchObject({ exitCode: 0 });
    } finally {
      session.kill();
      await session.exited;
      await project.remove();
    }
  });

  it('starts after a session that was killed, and leaves nothing', async () => {
    await using cluster = await Environment.create({ variables: {} });
    const { client } = cluster;
    const marked = async (): Promise<string[]> => {
      const kinds = [MutatingWebhookConfiguration, CustomResourceDefinition] as const;
      const lists = await Promise.all(
        kinds.map((kind) => client.list(kind, { labels: 'evenkeel.dev/webhook-session' })),
      );
      return lists.flatMap(({ items }) => items.map(({ metadata }) => metadata.name));
    };
    const project = await Project.create(withConversion);
    try {
      const dev = ['dev', '--once', '--kubeconfig', await cluster.kubeconfig()];
      const killed = await project.killed('used by the API server', ...dev);
      expect(killed.exitCode).toBe(137);
      const [configuration, probe, definition] = [
        expect.stringMatching(/^evenkeel-greetings-/),
        expect.stringMatching(/^conversionprobes\./),
        'greetings.hello.example.com',
      ];
      expect(await marked()).toEqual([configuration, probe, definition]);
      const { exitCode, output } = await project.process(...dev);
      expect(output).toMatch(/webhooks +removed what a killed session had registered: evenkeel-greetings-/);
      expect(exitCode).toBe(0);
      expect(await marked()).toEqual([]);
      const { spec } = await client.get(CustomResourceDefinition, definition);
      expect(spec.conversion?.webhook?.clientConfig).toEqual({ service: expect.anything() });
    } finally {
      await project.remove();
    }
  });
});
