import { Project } from '../project.fixture.ts';

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

describe('evenkeel dev with webhooks', () => {
  it('lets its API server call them without set-up', async () => {
    const project = await Project.create(files);
    try {
      const { exitCode, output } = await project.process('dev', '--once');
      expect(output).toMatch(/webhooks +called by the API server: GreetingDefaults\n/);
      expect(output).toContain('Hello World');
      expect(exitCode).toBe(0);
    } finally {
      await project.remove();
    }
  });
});
