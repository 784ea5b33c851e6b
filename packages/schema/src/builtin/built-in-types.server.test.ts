import { readdirSync } from 'node:fs';
import { schemaDefinitionOf } from '@evenkeel/kinds';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import { compileSchema } from '../evaluate/compiled-schema.ts';
import type { CustomResourceDefinition } from '../evaluate/crd/custom-resource-definition.ts';
import { defaultCustomResourceDefinition } from '../evaluate/crd/default-crd.ts';
import { validateCustomResourceDefinition } from '../evaluate/crd/validate-crd.ts';
import { statusCauseOf } from '../evaluate/field-error.ts';
import { copyJson } from '../evaluate/json-value.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { BuiltInTypes } from './built-in-types.ts';
import { workloadSpecs } from './workload-specs.fixture.ts';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const group = 'builtin.example.com';

function definitionOf(plural: string, served: boolean, spec: StructuralSchema): object {
  const kind = `${plural.charAt(0).toUpperCase()}${plural.slice(1)}`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: plural, kind, listKind: `${kind}List` },
      versions: [
        { name: 'v1', served, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } },
      ],
    },
  };
}

/** Every class that stands for a definition, by the name of the definition. */
async function builtInClasses(): Promise<ReadonlySet<string>> {
  const folder = new URL('../../../kinds/src/generated/kinds/', import.meta.url);
  const definitions = new Set<string>();
  for (const kinds of readdirSync(folder)) {
    for (const file of readdirSync(new URL(`${kinds}/`, folder))) {
      const exports: object = await import(`@evenkeel/kinds/${kinds}/${file.replace(/\.ts$/, '')}`);
      for (const exported of Object.values(exports)) {
        const definition = typeof exported === 'function' ? schemaDefinitionOf(exported) : undefined;
        if (definition !== undefined) definitions.add(definition);
      }
    }
  }
  return definitions;
}

/** Lists of fields, each small enough for etcd, which takes 1.5 MiB at once; stored, a schema has its managed fields too. */
function batches(fields: ReadonlyMap<string, StructuralSchema>): StructuralSchema[] {
  const made: StructuralSchema[] = [];
  let properties: Record<string, StructuralSchema> = {};
  let size = 0;
  for (const [name, schema] of fields) {
    const length = JSON.stringify(schema).length;
    if (size + length > 400_000) {
      made.push({ type: 'object', properties });
      properties = {};
      size = 0;
    }
    properties[name] = schema;
    size += length;
  }
  return [...made, { type: 'object', properties }];
}

function problemsOf(definition: object): string[] {
  const decoded = copyJson(definition) as unknown as CustomResourceDefinition;
  defaultCustomResourceDefinition(decoded);
  return validateCustomResourceDefinition(decoded).map(({ field, detail }) => `${field}: ${detail}`);
}

describeWithRealServer('built-in types as fields, on the real API server', () => {
  let server: RealServer;
  let types: BuiltInTypes;
  let definitions: ReadonlySet<string>;
  beforeAll(async () => {
    server = await startRealServer();
    definitions = await builtInClasses();
    types = await BuiltInTypes.load(definitions);
  }, 60_000);
  afterAll(() => server?.stop(), 30_000);

  it('are accepted, every one of them, here and there and without a warning', async () => {
    expect(definitions.size).toBeGreaterThan(450);
    const fields = new Map([...definitions].map((definition) => [definition, types.schema(definition).schema]));
    for (const [index, spec] of batches(fields).entries()) {
      const definition = definitionOf(`batch${String.fromCharCode(97 + index)}`, false, spec);
      expect(problemsOf(definition)).toEqual([]);
      const { status, headers, text } = await server.send('POST', `${definitionsPath}?dryRun=All`, {
        body: definition,
      });
      expect({ status, warning: headers['warning'], text: text.slice(0, 500) }).toMatchObject({
        status: 201,
        warning: undefined,
      });
    }
  }, 60_000);

  it('are accepted as embedded resources, every kind', async () => {
    const kinds = [...definitions].filter((definition) => types.schema(definition).schema.properties?.['metadata']);
    expect(kinds.length).toBeGreaterThan(50);
    const fields = new Map(kinds.map((kind) => [kind, types.embeddedResource(kind).schema]));
    for (const [index, spec] of batches(fields).entries()) {
      const definition = definitionOf(`embedded${String.fromCharCode(97 + index)}`, false, spec);
      expect(problemsOf(definition)).toEqual([]);
      const { status, headers, text } = await server.send('POST', `${definitionsPath}?dryRun=All`, {
        body: definition,
      });
      expect({ status, warning: headers['warning'], text: text.slice(0, 500) }).toMatchObject({
        status: 201,
        warning: undefined,
      });
    }
  }, 60_000);

  it('prune, default and refuse what is in them as our evaluation does', async () => {
    const core = 'io.k8s.api.core.v1';
    const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
    const spec: StructuralSchema = {
      type: 'object',
      properties: {
        template: types.schema(`${core}.PodTemplateSpec`).schema,
        selector: types.schema(`${meta}.LabelSelector`).schema,
        reference: types.schema(`${core}.ObjectReference`).schema,
        claims: { type: 'array', items: types.schema(`${core}.PersistentVolumeClaim`).schema },
        pod: types.embeddedResource(`${core}.Pod`).schema,
        validation: types.schema('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps').schema,
      },
    };
    const definition = definitionOf('workloads', true, spec);
    expect(problemsOf(definition)).toEqual([]);
    expect(await server.send('POST', definitionsPath, { body: definition })).toMatchObject({ status: 201 });
    const path = `/apis/${group}/v1/namespaces/default/workloads`;
    await server.sendUntil(({ status }) => status === 200, 'GET', path);
    const schema = compileSchema({ type: 'object', properties: { spec } });
    for (const [title, sample] of Object.entries(workloadSpecs)) {
      const object = { apiVersion: `${group}/v1`, kind: 'Workloads', metadata: { name: 'x' }, spec: sample };
      const answer = await server.send('POST', `${path}?dryRun=All&fieldValidation=Ignore`, { body: object });
      const own = copyJson(object);
      schema.prune(own);
      schema.default(own);
      const errors = schema.validate(own).map(statusCauseOf);
      const causes = (answer.body.details?.causes ?? []) as typeof errors;
      expect({ title, causes: sorted(errors) }).toEqual({ title, causes: sorted(causes) });
      if (answer.status === 201) expect({ title, spec: own.spec }).toEqual({ title, spec: answer.body.spec });
      const accepted = !title.startsWith('refused:');
      expect({ title, status: answer.status, causes }).toMatchObject({ title, status: accepted ? 201 : 422 });
    }
  }, 60_000);
});

function sorted(causes: readonly object[]): string[] {
  return causes.map((cause) => JSON.stringify(cause, Object.keys(cause).sort())).sort();
}
