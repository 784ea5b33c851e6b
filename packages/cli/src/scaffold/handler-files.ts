import { compareText } from '@evenkeel/apimachinery/go-format';
import { controllerNameOf, importOf, type KindPlan, variableOf, withTestRunner } from './kind-files.ts';
import { literal } from './literal.ts';
import { fileNameOf } from './project-plan.ts';

/** The kind of a controller or a webhook that is added to a project. */
export interface HandledKind {
  readonly kind: string;
  /** The name of its class. */
  readonly name: string;
  /** The path of the module of its class, from the folder of the configuration; undefined for a built-in kind. */
  readonly path: string | undefined;
}

/** The inputs of the module and the test of a handler. The paths are from the folder of the configuration. */
export interface HandlerPlan extends Pick<KindPlan, 'controllers' | 'testRunner'> {
  readonly handled: HandledKind;
  readonly module: string;
  readonly test: string;
}

/** The type of a new webhook. */
export type WebhookType = 'validating' | 'mutating';

/** The module of a controller that only logs. */
export function loggingController(plan: HandlerPlan): string {
  const { handled, controllers } = plan;
  const { kind, name } = handled;
  const object = variableOf(kind);
  const body = `context.logger.info('nothing to do yet', { generation: ${object}.metadata.generation });`;
  if (controllers === 'classes') {
    const names = ['awaitChange', 'Controller', 'Reconcile', 'ReconcileContext', 'type ReconcileResult'];
    return `${imports(plan, names)}
@Controller(${name})
export class ${controllerNameOf(kind, plan)} {
  /** Called when a ${kind} has changed. */
  @Reconcile()
  reconcile(${object}: ${name}, context: ReconcileContext): ReconcileResult {
    ${body}
    return awaitChange();
  }
}
`;
  }
  return `${imports(plan, ['awaitChange', 'controllerFor', 'type ReconcileContext', 'type ReconcileResult'])}
/** Called when a ${kind} has changed. */
function reconcile(${object}: ${name}, context: ReconcileContext): ReconcileResult {
  ${body}
  return awaitChange();
}

export const ${controllerNameOf(kind, plan)} = controllerFor(${name}).reconcile(reconcile);
`;
}

/**
 * The test of {@link loggingController}.
 *
 * @param object the fields of a valid object besides its metadata.
 */
export function loggingControllerTest(plan: HandlerPlan, object: object): string {
  const { kind, name, path } = plan.handled;
  const controller = controllerNameOf(kind, plan);
  const own = [
    `import { ${controller} } from '${importOf(plan.test, plan.module)}';\n`,
    ...(path === undefined ? [] : [`import { ${name} } from '${importOf(plan.test, path)}';\n`]),
  ];
  const definition = `  const definition = await customResourceDefinitionOf(${name}, await readSources('${path}'));\n`;
  const evenkeel = `import { ${['createManager', ...(path === undefined ? [name] : [])].join(', ')} } from 'evenkeel';`;
  const schema =
    path === undefined ? '' : "import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';\n";
  const options = `${path === undefined ? '' : 'definitions: [definition], '}logs: 'info', output`;
  const fields = Object.entries(object).map(
    ([field, value]) => `    ${field}: ${literal(value).replaceAll('\n', '\n    ')},\n`,
  );
  return `${schema}import { Environment } from '@evenkeel/testing';
${withTestRunner(plan, 'afterAll, beforeAll, expect, it', evenkeel)}
${own.toSorted((left, right) => compareText(specifierOf(left), specifierOf(right))).join('')}
let environment: Environment;
let log = '';
const output = {
  write(text: string): void {
    log += text;
  },
};

beforeAll(async () => {
${path === undefined ? '' : definition}  environment = await Environment.create({ ${options} });
  await environment.run(async (connection) => {
    const manager = await createManager({ ...connection, controllers: [${controller}] });
    await manager.start();
    return manager;
  });
});

// Undefined if the server did not start.
afterAll(() => environment?.close());

it('reconciles a new ${kind}', async () => {
  const namespace = await environment.createNamespace();
  await environment.client.create(${name}, {
    metadata: { name: 'test', namespace },
${fields.join('')}  });
  await environment.eventually(() => expect(log).toContain(\`\${namespace}/test: ${kind} added\`));
});
`;
}

const specifierOf = (line: string): string => line.slice(line.indexOf("'"));

/** The name that the module of a webhook exports. */
export function webhookNameOf(kind: string, type: WebhookType, { controllers }: Pick<KindPlan, 'controllers'>): string {
  const suffix = type === 'validating' ? 'Validator' : 'Defaults';
  return controllers === 'classes' ? `${kind}${suffix}` : `${variableOf(kind)}${suffix}`;
}

/** The name of the file of a webhook, without its ending. */
export function webhookFileOf(kind: string, type: WebhookType): string {
  return `${fileNameOf(kind)}.${type === 'validating' ? 'validator' : 'defaults'}`;
}

/** A text of a webhook that depends on its type. */
interface WebhookTexts {
  readonly operation: string;
  readonly method: string;
  readonly comment: string;
  readonly body: readonly string[];
}

function webhookTexts(type: WebhookType, kind: string, group: string): WebhookTexts {
  const object = variableOf(kind);
  if (type === 'validating') {
    const annotation = `${group}/protected`;
    return {
      operation: 'delete',
      method: 'isUnprotected',
      comment: `Called before a ${kind} is deleted. List other operations to check other requests.`,
      body: [
        `if (${object}.metadata.annotations?.['${annotation}'] === 'true') {`,
        `  review.deny('the ${kind} is protected; remove the annotation ${annotation} first');`,
        '}',
      ],
    };
  }
  return {
    operation: 'create',
    method: 'setCreator',
    comment: `Called before a ${kind} is created. The API server stores it with the changes.`,
    body: [
      `${object}.metadata.annotations = { ...${object}.metadata.annotations, '${group}/created-by': review.user.username };`,
    ],
  };
}

/** The module of a webhook. @param group the domain of its annotation. */
export function webhookModule(type: WebhookType, plan: HandlerPlan, group: string): string {
  const { kind, name, path } = plan.handled;
  const object = variableOf(kind);
  const { operation, method, comment, body } = webhookTexts(type, kind, group);
  // Otherwise, no client could write the objects of a built-in kind while the operator is down.
  const options = path === undefined ? ", { failurePolicy: 'Ignore' }" : '';
  if (plan.controllers === 'classes') {
    const decorator = type === 'validating' ? 'ValidatingWebhook' : 'MutatingWebhook';
    return `${imports(plan, ['type AdmissionReview', 'Admit', decorator])}
@${decorator}(${name}${options})
export class ${webhookNameOf(kind, type, plan)} {
  /** ${comment} */
  @Admit('${operation}')
  ${method}(${object}: ${name}, review: AdmissionReview<${name}>): void {
${body.map((line) => `    ${line}\n`).join('')}  }
}
`;
  }
  const begin = type === 'validating' ? 'validatingWebhookFor' : 'mutatingWebhookFor';
  const declared = `export const ${webhookNameOf(kind, type, plan)} = ${begin}(${name}${options}).admit(`;
  const signature = `function ${method}(${object}, review) {`;
  const indented = (by: number): string => body.map((line) => `${' '.repeat(by)}${line}\n`).join('');
  const line = `${declared}['${operation}'], ${signature}`;
  const code =
    line.length <= formattedWidth
      ? `${line}\n${indented(2)}});\n`
      : `${declared}\n  ['${operation}'],\n  ${signature}\n${indented(4)}  },\n);\n`;
  return `${imports(plan, [begin])}
/** ${comment} */
${code}`;
}

/** The longest line of our templates. */
const formattedWidth = 120;

/** The test of a webhook. */
export function webhookTest(type: WebhookType, plan: HandlerPlan, group: string): string {
  const { kind } = plan.handled;
  const webhook = webhookNameOf(kind, type, plan);
  const tested = type === 'validating' ? validatorTest(kind, webhook, group) : defaultsTest(kind, webhook, group);
  return `import { admit } from '@evenkeel/testing';
${withTestRunner(plan, 'expect, it', "import { createManager } from 'evenkeel';")}
import { ${webhook} } from '${importOf(plan.test, plan.module)}';

${tested}`;
}

function validatorTest(kind: string, webhook: string, group: string): string {
  return `it.each([
  ['true', false],
  ['false', true],
])('with the annotation ${group}/protected: %s, a ${kind} can be deleted: %s', async (value, expected) => {
  const annotations = { '${group}/protected': value };
  const oldObject = { metadata: { name: 'test', annotations } };
  const { allowed } = await admit(createManager, ${webhook}, { operation: 'delete', oldObject });
  expect(allowed).toBe(expected);
});
`;
}

function defaultsTest(kind: string, webhook: string, group: string): string {
  return `it('records who created a ${kind}', async () => {
  const { object } = await admit(createManager, ${webhook}, { object: { metadata: { name: 'test' } }, user: 'ada' });
  expect(object).toMatchObject({ metadata: { annotations: { '${group}/created-by': 'ada' } } });
});
`;
}

/** The imports of a module with a handler, sorted as formatters sort them. */
function imports({ handled, module }: HandlerPlan, names: readonly string[]): string {
  const { name, path } = handled;
  const all = [...names, ...(path === undefined ? [name] : [])];
  const plain = (each: string): string => each.replace('type ', '').toLowerCase();
  const sorted = all.toSorted((left, right) => (plain(left) < plain(right) ? -1 : 1));
  const own = path === undefined ? '' : `import { ${name} } from '${importOf(module, path)}';\n`;
  return `import { ${sorted.join(', ')} } from 'evenkeel';\n${own}`;
}
