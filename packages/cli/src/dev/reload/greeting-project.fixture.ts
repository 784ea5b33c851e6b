import { join } from 'node:path';
import { createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { SystemClock } from '@evenkeel/core';
import type { Project } from '../../project.fixture.ts';

export const greeting = `import {
  type Condition, Conditions, CustomResource, KubernetesObject, Spec, Status,
} from 'evenkeel';
export class GreetingSpec { name!: string; }
export class GreetingStatus { @Conditions() conditions?: Condition[]; }
@CustomResource({ group: 'hello.example.com', version: 'v1' })
export class Greeting extends KubernetesObject {
  @Spec() spec!: GreetingSpec;
  @Status() status!: GreetingStatus;
}
`;

/** A controller that runs this code. */
export const controller = (code: string): string => `import { Controller, Reconcile, ReconcileContext } from 'evenkeel';
import { Greeting } from './greeting.ts';
import { word } from './word.ts';
@Controller(Greeting)
export class GreetingController {
  @Reconcile()
  async reconcile(greeting: Greeting, context: ReconcileContext): Promise<void> {
    context.conditions.set('Ready', true, 'Greeted', word);
    context.logger.info('code', { pid: process.pid });
    ${code}
  }
}
`;

export const sample =
  'apiVersion: hello.example.com/v1\nkind: Greeting\nmetadata: { name: world }\nspec: { name: World }\n';

export const files = {
  'evenkeel.config.ts': `export default {
  apis: ['./src/greeting.ts'], operator: './src/operator.ts', samples: ['./sample.yaml'],
};
`,
  'src/operator.ts': `import { defineOperator } from 'evenkeel';
import { GreetingController } from './controller.ts';
export const operator = defineOperator({ name: 'greetings', controllers: [GreetingController] });
`,
  'src/greeting.ts': greeting,
  'src/word.ts': "export const word = 'one';\n",
  'src/controller.ts': controller(''),
  'sample.yaml': sample,
};

/** A client of the session's embedded server. */
export async function clientOf(project: Project): Promise<ReturnType<typeof createClient>> {
  const clock = new SystemClock();
  const connection = await loadConnection({ kubeconfig: join(project.folder, '.evenkeel/kubeconfig'), clock });
  return createClient(httpsTransport(connection), { clock, fieldManager: 'test' });
}

/** The kind of the sample. */
export const resource = {
  ...{ group: 'hello.example.com', version: 'v1', kind: 'Greeting', plural: 'greetings', namespaced: true },
};
