import { posix } from 'node:path';
import { apiVersionOf, pluralOf } from '@evenkeel/core';
import { fileNameOf, type ProjectPlan } from './project-plan.ts';

/** The version of a new kind: a first version may still change without a conversion. */
export const firstVersion = 'v1alpha1';

/** A new kind, and where its files belong. */
export interface KindPlan extends Pick<ProjectPlan, 'group' | 'controllers'> {
  readonly version: string;
  /** The folders from that of the configuration, with slashes. */
  readonly folders: { readonly apis: string; readonly controllers: string; readonly samples: string };
  /** The package with the functions of tests. */
  readonly testRunner: '@jest/globals' | 'vitest';
}

/** The paths of a kind's files. */
export interface KindPaths {
  readonly api: string;
  readonly controller: string;
  readonly test: string;
  readonly sample: string;
}

/** Returns the plan of the kinds of a new project. */
export function kindPlanOf({ group, controllers }: Pick<ProjectPlan, 'group' | 'controllers'>): KindPlan {
  return {
    group,
    controllers,
    version: firstVersion,
    folders: { apis: 'src', controllers: 'src', samples: 'samples' },
    testRunner: '@jest/globals',
  };
}

/** Returns the paths of a kind's files, from the folder of the configuration. */
export function kindPaths(kind: string, { folders }: Pick<KindPlan, 'folders'>): KindPaths {
  const file = fileNameOf(kind);
  return {
    api: posix.join(folders.apis, `${file}.ts`),
    controller: posix.join(folders.controllers, `${file}.controller.ts`),
    test: posix.join(folders.controllers, `${file}.test.ts`),
    sample: posix.join(folders.samples, `${file}.yaml`),
  };
}

/** Returns the files of a kind by their paths: its API, its controller, their test and a sample. */
export function kindFiles(kind: string, plan: KindPlan): Record<string, string> {
  const paths = kindPaths(kind, plan);
  return {
    [paths.api]: apiModule(kind, plan),
    [paths.controller]: controllerModule(kind, plan),
    [paths.test]: testModule(kind, plan),
    [paths.sample]: sample(kind, plan),
  };
}

/** How a module imports another one. Both paths are from the same folder. */
export function importOf(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

/** The name that the module of a kind's controller exports. */
export function controllerNameOf(kind: string, { controllers }: Pick<ProjectPlan, 'controllers'>): string {
  return controllers === 'classes' ? `${kind}Controller` : `${variableOf(kind)}Controller`;
}

/** The name of a variable with an object of the kind. */
export function variableOf(kind: string): string {
  const [first = '', ...others] = fileNameOf(kind).split('-');
  return [first, ...others.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)].join('');
}

function apiModule(kind: string, { group, version }: KindPlan): string {
  return `import { IsInt, Matches, Max, MaxLength, Min } from 'class-validator';
import { type Condition, Conditions, CustomResource, KubernetesObject, PrinterColumn, Spec, Status } from 'evenkeel';

export class ${kind}Spec {
  /** The number of pods. */
  @IsInt() @Min(0) @Max(10) replicas = 1;
  /** The container image. */
  @MaxLength(255) @Matches(/^[!-~]+$/) image = 'registry.k8s.io/pause:3.10';
}

export class ${kind}Status {
  @IsInt() readyReplicas?: number;
  @Conditions() conditions?: Condition[];
}

/** Runs an image in pods. */
@CustomResource({ group: '${group}', version: '${version}' })
@PrinterColumn({ name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' })
@PrinterColumn({ name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' })
export class ${kind} extends KubernetesObject {
  @Spec() spec!: ${kind}Spec;
  @Status() status!: ${kind}Status;
}
`;
}

/** The lines of the reconcile function. */
function reconcileBody(object: string): readonly string[] {
  return `const { replicas, image } = ${object}.spec;
const labels = { 'app.kubernetes.io/instance': ${object}.metadata.name };
const deployment = await context.apply<Deployment>({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: ${object}.metadata.name, labels },
  spec: {
    replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } },
  },
});
const { readyReplicas = 0 } = deployment.status ?? {};
${object}.status.readyReplicas = readyReplicas;
const message = \`\${readyReplicas} of \${replicas} pods are ready\`;
context.conditions.set('Available', readyReplicas >= replicas, 'PodsReady', message);
return awaitChange();`.split('\n');
}

const indented = (lines: readonly string[], by: number): string =>
  lines.map((line) => `${' '.repeat(by)}${line}\n`).join('');

function controllerModule(kind: string, plan: KindPlan): string {
  const { api, controller } = kindPaths(kind, plan);
  const from = importOf(controller, api);
  return plan.controllers === 'classes' ? controllerClass(kind, from) : controllerFunction(kind, from);
}

function controllerClass(kind: string, from: string): string {
  const object = variableOf(kind);
  return `import { awaitChange, Controller, Deployment, Owns, Reconcile, ReconcileContext, type ReconcileResult } from 'evenkeel';
import { ${kind} } from '${from}';

@Controller(${kind})
@Owns(Deployment)
export class ${kind}Controller {
  /** Called when the ${kind} or its Deployment has changed. */
  @Reconcile()
  async reconcile(${object}: ${kind}, context: ReconcileContext): Promise<ReconcileResult> {
${indented(reconcileBody(object), 4)}  }
}
`;
}

function controllerFunction(kind: string, from: string): string {
  const object = variableOf(kind);
  return `import { awaitChange, controllerFor, Deployment, type ReconcileContext, type ReconcileResult } from 'evenkeel';
import { ${kind} } from '${from}';

/** Called when the ${kind} or its Deployment has changed. */
async function reconcile(${object}: ${kind}, context: ReconcileContext): Promise<ReconcileResult> {
${indented(reconcileBody(object), 2)}}

export const ${object}Controller = controllerFor(${kind}).owns(Deployment).reconcile(reconcile);
`;
}

function testModule(kind: string, plan: KindPlan): string {
  const paths = kindPaths(kind, plan);
  const controller = controllerNameOf(kind, plan);
  return `import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment } from '@evenkeel/testing';
${withTestRunner(plan, 'afterAll, beforeAll, expect, it', "import { createManager, Deployment } from 'evenkeel';")}
import { ${controller} } from '${importOf(paths.test, paths.controller)}';
import { ${kind} } from '${importOf(paths.test, paths.api)}';

let environment: Environment;

beforeAll(async () => {
  const definition = await customResourceDefinitionOf(${kind}, await readSources('${paths.api}'));
  environment = await Environment.create({ definitions: [definition] });
  await environment.run(async (connection) => {
    const manager = await createManager({ ...connection, controllers: [${controller}] });
    await manager.start();
    return manager;
  });
});

// Undefined if the server did not start.
afterAll(() => environment?.close());

it('runs the requested number of pods', async () => {
  const { client } = environment;
  const namespace = await environment.createNamespace();
  await client.create(${kind}, { metadata: { name: 'test', namespace }, spec: { replicas: 2 } });
  await environment.eventually(async () => {
    expect((await client.get(Deployment, \`\${namespace}/test\`)).spec?.replicas).toBe(2);
    const { status } = await client.get(${kind}, \`\${namespace}/test\`);
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Available', status: 'True' }));
  });
});
`;
}

/** The imports of the functions of tests and of Evenkeel, sorted by module. */
export function withTestRunner(
  { testRunner }: Pick<KindPlan, 'testRunner'>,
  functions: string,
  evenkeel: string,
): string {
  const line = `import { ${functions} } from '${testRunner}';`;
  return (testRunner === 'vitest' ? [evenkeel, line] : [line, evenkeel]).join('\n');
}

function sample(kind: string, { group, version }: KindPlan): string {
  return `apiVersion: ${apiVersionOf({ group, version })}
kind: ${kind}
metadata:
  name: ${fileNameOf(kind)}-sample
spec:
  replicas: 2
`;
}

/** The full name of a kind's resource: \`redisclusters.cache.example.com\`. */
export function resourceNameOf(kind: string, { group }: Pick<ProjectPlan, 'group'>): string {
  return `${pluralOf(kind)}.${group}`;
}
