import { readdirSync } from 'node:fs';
import { statusCauseOf } from '@evenkeel/apimachinery/field-error';
import { copyJson } from '@evenkeel/apimachinery/json';
import { type AnyClass, CustomResource, EmbeddedResource, KubernetesObject, Spec } from '@evenkeel/core';
import { schemaDefinitionOf } from '@evenkeel/kinds';
import { Type } from 'class-transformer';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import { compileSchema } from '../evaluate/custom-resource/compiled-schema.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { generateCustomResourceDefinitions } from '../generate/generate.ts';
import { Odd } from '../model/odd-types.fixture.ts';
import { ClassSources } from '../source/class-sources.ts';
import { OxcSourceReader } from '../source/oxc-source-reader.ts';
import { Workload } from './workload.fixture.ts';
import { workloadSpecs } from './workload-specs.fixture.ts';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

type Decorate = (type: AnyClass) => (prototype: object, property: string) => void;

/** A kind whose spec has a property of each class. */
function kindOf(kind: string, fields: readonly (readonly [string, AnyClass])[], decorate: Decorate): AnyClass {
  class Fields {}
  for (const [name, type] of fields) decorate(type)(Fields.prototype, name);
  class Kind extends KubernetesObject {}
  Type(() => Fields)(Kind.prototype, 'spec');
  Spec()(Kind.prototype, 'spec');
  CustomResource({ group: 'builtin.example.com', version: 'v1', kind })(Kind);
  return Kind;
}

/** Every class that represents a definition. */
async function builtInClasses(): Promise<readonly AnyClass[]> {
  const folder = new URL('../../../kinds/src/generated/kinds/', import.meta.url);
  const classes = new Set<AnyClass>();
  for (const kinds of readdirSync(folder)) {
    for (const file of readdirSync(new URL(`${kinds}/`, folder))) {
      const exports: object = await import(`@evenkeel/kinds/${kinds}/${file.replace(/\.ts$/, '')}`);
      for (const exported of Object.values(exports)) {
        if (typeof exported === 'function' && schemaDefinitionOf(exported) !== undefined) classes.add(exported);
      }
    }
  }
  return [...classes];
}

/** Thirty types make a CRD that etcd accepts (at most 1.5 MiB). */
function batches(classes: readonly AnyClass[]): (readonly [string, AnyClass])[][] {
  const named = classes.map((type): [string, AnyClass] => [schemaDefinitionOf(type) ?? '', type]);
  return Array.from({ length: Math.ceil(named.length / 30) }, (_, index) => named.slice(index * 30, index * 30 + 30));
}

describeWithRealServer('built-in types as fields, on the real API server', () => {
  let server: RealServer;
  let classes: readonly AnyClass[];
  beforeAll(async () => {
    server = await startRealServer();
    classes = await builtInClasses();
  });
  afterAll(() => server?.stop());

  async function expectAccepted(kinds: readonly AnyClass[], notices: readonly unknown[]): Promise<void> {
    const { definitions, findings } = await generateCustomResourceDefinitions(kinds);
    expect(findings.filter(({ code }) => code !== 'oversized-definition').map(({ message }) => message)).toEqual(
      notices,
    );
    expect(definitions.length).toBe(kinds.length);
    await Promise.all(
      definitions.map(async (body) => {
        const { status, headers, text } = await server.send('POST', `${definitionsPath}?dryRun=All`, { body });
        expect({ status, warning: headers['warning'], text: text.slice(0, 500) }).toMatchObject({
          status: 201,
          warning: undefined,
        });
      }),
    );
  }

  it('are all accepted without a warning, in the spec and in lists', async () => {
    expect(classes.length).toBeGreaterThan(450);
    const kinds = batches(classes).map((fields, index) => kindOf(`Batch${index}`, fields, (type) => Type(() => type)));
    await expectAccepted(
      kinds,
      Array.from({ length: 5 }, () => expect.stringContaining('contains itself at')),
    );
  });

  it('are accepted as embedded resources, for every kind', async () => {
    const whole = classes.filter((type) => type.prototype instanceof KubernetesObject);
    expect(whole.length).toBeGreaterThan(60);
    const kinds = batches(whole).map((fields, index) =>
      kindOf(`Embedded${index}`, fields, (type) => EmbeddedResource(() => type)),
    );
    await expectAccepted(kinds, [expect.stringContaining('contains itself at')]);
  });

  it('are accepted together with every other form of a TypeScript type', async () => {
    const url = new URL('../model/odd-types.fixture.ts', import.meta.url).href;
    const reader = new OxcSourceReader();
    const sources = await ClassSources.read([url], { reader, importModule: (module) => import(module) });
    const { definitions } = await generateCustomResourceDefinitions([Odd], sources);
    const { status, headers, text } = await server.send('POST', `${definitionsPath}?dryRun=All`, {
      body: definitions[0],
    });
    expect({ status, warning: headers['warning'], text: text.slice(0, 500) }).toMatchObject({
      status: 201,
      warning: undefined,
    });
  });

  it('prune, default and reject values as our evaluation does', async () => {
    const url = new URL('./workload.fixture.ts', import.meta.url).href;
    const reader = new OxcSourceReader();
    const sources = await ClassSources.read([url], { reader, importModule: (module) => import(module) });
    const { definitions, findings } = await generateCustomResourceDefinitions([Workload], sources);
    expect(findings.map(({ property }) => property)).toEqual(['validation']);
    const [body] = definitions;
    expect(await server.send('POST', definitionsPath, { body })).toMatchObject({ status: 201 });
    const path = '/apis/builtin.example.com/v1/namespaces/default/workloads';
    await server.sendUntil(({ status }) => status === 200, 'GET', path);
    const schema = compileSchema(body?.spec.versions[0]?.schema?.openAPIV3Schema as StructuralSchema);
    for (const [title, sample] of Object.entries(workloadSpecs)) {
      const metadata = { name: 'x' };
      const object = { apiVersion: 'builtin.example.com/v1', kind: 'Workload', metadata, spec: sample };
      const response = await server.send('POST', `${path}?dryRun=All&fieldValidation=Ignore`, { body: object });
      const own = copyJson(object);
      schema.prune(own);
      schema.default(own);
      const errors = schema.validate(own).map(statusCauseOf);
      const causes = (response.body.details?.causes ?? []) as typeof errors;
      expect({ title, causes: sorted(errors) }).toEqual({ title, causes: sorted(causes) });
      if (response.status === 201) expect({ title, spec: own.spec }).toEqual({ title, spec: response.body.spec });
      const accepted = !title.startsWith('rejected:');
      expect({ title, status: response.status }).toEqual({ title, status: accepted ? 201 : 422 });
    }
  });
});

function sorted(causes: readonly object[]): string[] {
  return causes.map((cause) => JSON.stringify(cause, Object.keys(cause).sort())).sort();
}
