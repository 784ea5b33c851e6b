import { copyJson, isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import type { Random } from '@evenkeel/core';
import { checkCustomResourceDefinition, type StructuralSchema } from '@evenkeel/schema/evaluate';
import {
  randomSchema,
  randomValue,
} from '../../packages/schema/src/evaluate/custom-resource/random-objects.fixture.ts';
import { chance, pick } from './random-json.fixture.ts';
import { namespaceMark, type Target } from './target.fixture.ts';

/** A random definition that the server accepts, and how to make its objects. */
export function randomDefinition(random: Random): { readonly definition: JsonObject; readonly target: Target } {
  for (;;) {
    const made = definitionAndTarget(random);
    // The rules on names see the mark of the namespace, which is replaced later.
    const named = JSON.parse(JSON.stringify(made.definition).replaceAll(namespaceMark, 'x')) as JsonObject;
    if (checkCustomResourceDefinition(named).errors.length === 0) return made;
  }
}

function definitionAndTarget(random: Random): { readonly definition: JsonObject; readonly target: Target } {
  const group = `${namespaceMark}.example.com`;
  const versionNames = ['v1', 'v2', 'v1beta1'].slice(0, pick(random, [1, 1, 2, 3]));
  const spec = objectSchema(random);
  const status = objectSchema(random);
  const hasStatus = chance(random, 0.6);
  const hasScale = chance(random, 0.4);
  const storage = random.integer(versionNames.length);
  const schemas = versionNames.map((_, index) => {
    const own = index === 0 || chance(random, 0.5) ? copyJson(spec) : objectSchema(random);
    own.properties = { ...own.properties, replicas: replicas(random) };
    return rootOf(own, copyJson(status), random);
  });
  const versions = versionNames.map((name, index) => {
    const schema = schemas[index] ?? {};
    return {
      name,
      served: true,
      storage: index === storage,
      schema: { openAPIV3Schema: schema },
      ...((hasStatus || hasScale) && {
        subresources: { ...(hasStatus && { status: {} }), ...(hasScale && { scale: scale(random) }) },
      }),
      ...(chance(random, 0.6) && { additionalPrinterColumns: printerColumns(random, schema) }),
      ...(chance(random, 0.5) && { selectableFields: selectableFields(schema) }),
      ...(chance(random, 0.1) && { deprecated: true }),
    };
  });
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing', ...(chance(random, 0.3) && { listKind: 'Things', singular: 'one' }) },
      versions,
      ...(chance(random, 0.1) && { preserveUnknownFields: false }),
    },
  };
  const target: Target = {
    group,
    versions: versionNames,
    kind: 'Thing',
    plural: 'things',
    namespaced: true,
    custom: true,
    subresources: ['status', 'scale'],
    fields: ['spec.a', 'spec.replicas', 'spec.b'],
    sample(chosen, version, faults) {
      const schema = schemas[versionNames.indexOf(version)] ?? {};
      const value = randomValue(schema, chosen, faults);
      return isJsonObject(value) ? value : {};
    },
    status(chosen, version, faults) {
      const schema = schemas[versionNames.indexOf(version)]?.properties?.['status'] ?? {};
      return randomValue(schema, chosen, faults);
    },
  };
  return { definition: definition as unknown as JsonObject, target };
}

function rootOf(spec: StructuralSchema, status: StructuralSchema, random: Random): StructuralSchema {
  const root: StructuralSchema = { type: 'object', properties: { spec, status } };
  if (chance(random, 0.1)) root['x-kubernetes-preserve-unknown-fields'] = true;
  if (chance(random, 0.15)) {
    root['x-kubernetes-validations'] = [
      pick(random, [
        { rule: "self.metadata.name != 'b'" },
        { rule: 'has(self.spec) || !has(self.status)', message: 'no status without a spec' },
        {
          rule: '!has(self.spec) || !has(self.spec.replicas) || self.spec.replicas < 7',
          reason: 'FieldValueForbidden',
        },
        { rule: 'has(self.spec) == has(oldSelf.spec)', messageExpression: "'spec of ' + self.metadata.name" },
      ]),
    ];
  }
  return root;
}

/** A random schema of an object. */
function objectSchema(random: Random): StructuralSchema {
  for (;;) {
    const schema = randomSchema(random);
    if (schema.type === 'object' && schema.properties !== undefined) return schema;
  }
}

function replicas(random: Random): StructuralSchema {
  return {
    type: 'integer',
    ...(chance(random, 0.5) && { format: 'int32' }),
    ...(chance(random, 0.5) && { minimum: 0 }),
    ...(chance(random, 0.3) && { default: 1 }),
  };
}

function scale(random: Random): object {
  return {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: pick(random, ['.status.replicas', '.status.c']),
    ...(chance(random, 0.5) && { labelSelectorPath: pick(random, ['.status.selector', '.status.a']) }),
  };
}

function printerColumns(random: Random, schema: StructuralSchema): object[] {
  const paths = [
    ...Object.keys(schema.properties?.['spec']?.properties ?? {}).filter((name) => /^[a-z]+$/.test(name)),
    'a[0]',
    'b[*].k',
    'c.a',
  ].map((name) => `.spec.${name}`);
  return Array.from({ length: 1 + random.integer(3) }, (_, index) => ({
    name: `Column ${index}`,
    type: pick(random, ['string', 'string', 'integer', 'number', 'boolean', 'date']),
    jsonPath: pick(random, [
      ...paths,
      '.metadata.labels.app',
      '.metadata.name',
      '.status',
      '.metadata.creationTimestamp',
    ]),
    ...(chance(random, 0.2) && { priority: 1 }),
    ...(chance(random, 0.2) && { format: 'int64', description: 'A column.' }),
  }));
}

function selectableFields(schema: StructuralSchema): object[] {
  const { properties = {} } = schema.properties?.['spec'] ?? {};
  const names = ['a', 'b', 'replicas'].filter((name) =>
    ['string', 'integer', 'boolean'].includes(String(properties[name]?.type)),
  );
  return names.map((name) => ({ jsonPath: `.spec.${name}` }));
}
