import type { ApiObject } from '../kind/api-object.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import type { StoredDefinition } from './custom-definition.ts';
import { customOpenApiKind } from './custom-discovery.ts';
import { conversionCalls, definitionOf } from './definition-server.fixture.ts';
import { describeCustomKinds } from './describe-custom-kinds.ts';
import { customDefinitions } from './open-api-definitions.ts';

const text = { type: 'string' };

function schemaWith(properties: object): object {
  return { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } };
}

/** v1 is stored and knows `a`, `b` and `both`; v2 knows `both` and `c`. */
function definition({ conversion = 'None', conditions = ['Established'] } = {}): StoredDefinition {
  const { metadata, spec } = definitionOf('crontabs', 'CronTab') as unknown as StoredDefinition;
  const names = { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', listKind: 'CronTabList' };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata,
    spec: {
      ...spec,
      names,
      conversion: { strategy: conversion, webhook: { clientConfig: {}, conversionReviewVersions: ['v1'] } },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: schemaWith({ a: text, b: { ...text, default: 'B' }, both: text }),
          selectableFields: [{ jsonPath: '.spec.a' }],
        },
        { name: 'v2', served: true, storage: false, schema: schemaWith({ both: text, c: { ...text, default: 'C' } }) },
        { name: 'v3', served: false, storage: false, schema: schemaWith({}) },
      ],
    },
    status: {
      acceptedNames: names,
      conditions: conditions.map((type) => ({ type, status: 'True', reason: '', message: '', lastTransitionTime: '' })),
    },
  };
}

function kindsOf(crd = definition()): readonly [v1: KindDescription, v2: KindDescription] {
  const [v1, v2] = describeCustomKinds(crd, conversionCalls());
  if (v1 === undefined || v2 === undefined) throw new Error('two versions are served');
  return [v1, v2];
}

function cronTab(version: string, spec: object): ApiObject {
  return { apiVersion: `stable.example.com/${version}`, kind: 'CronTab', metadata: { name: 'x' }, spec };
}

describe('the kinds of a definition', () => {
  it('are the served versions and share one storage', () => {
    const kinds = describeCustomKinds(definition(), conversionCalls());
    expect(kinds.map(({ names, storageKey }) => `${names.version} in ${storageKey}`)).toEqual([
      'v1 in stable.example.com/crontabs',
      'v2 in stable.example.com/crontabs',
    ]);
  });

  it('have the hash of their storage version in discovery', () => {
    expect(kindsOf().map(({ names }) => names.storageVersionHash)).toEqual(['EdX2FP+L0js=', 'EdX2FP+L0js=']);
  });

  it('are empty before the definition is established', () => {
    expect(describeCustomKinds(definition({ conditions: ['NamesAccepted'] }), conversionCalls())).toEqual([]);
  });

  it('decode by the schema of their version and report dropped fields', async () => {
    const codec = await kindsOf()[0].codec();
    const decoded = codec.decode({ ...cronTab('v1', { a: 'x', c: 'y' }), more: 1 });
    expect(decoded.object).toEqual(cronTab('v1', { a: 'x', b: 'B' }));
    expect(decoded.strictErrors).toEqual(['unknown field "more"', 'unknown field "spec.c"']);
  });

  it('load their codec once', async () => {
    const [v1] = kindsOf();
    expect(v1.loadedCodec).toBeUndefined();
    const [codec, again] = await Promise.all([v1.codec(), v1.codec()]);
    expect(again).toBe(codec);
    expect(v1.loadedCodec).toBe(codec);
  });

  it('read objects of each other with the defaults of the stored version and the fields of their own', async () => {
    const [v1, v2] = await Promise.all(kindsOf().map((kind) => kind.codec()));
    const stored = v2?.toStorage(cronTab('v2', { both: 'x', c: 'lost' })) as ApiObject;
    expect(stored).toEqual(cronTab('v1', { both: 'x' }));
    expect(v1?.fromStorage(stored)).toEqual(cronTab('v1', { both: 'x', b: 'B' }));
    expect(v2?.fromStorage(stored)).toEqual(cronTab('v2', { both: 'x' }));
    expect(stored).toEqual(cronTab('v1', { both: 'x' }));
  });

  it('read objects of their own version without a copy', async () => {
    const codec = await kindsOf()[0].codec();
    const object = cronTab('v1', { a: 'x', b: 'y' });
    expect(codec.fromStorage(codec.toStorage(object) as ApiObject)).toBe(object);
  });

  it('drop fields on reading that are no longer in the schema', async () => {
    const codec = await kindsOf()[0].codec();
    expect(codec.fromStorage(cronTab('v1', { a: 'x', removed: 1 }))).toEqual(cronTab('v1', { a: 'x', b: 'B' }));
  });

  it('read objects of another version once a webhook has converted them', async () => {
    const codec = await kindsOf(definition({ conversion: 'Webhook' }))[1].codec();
    expect(() => codec.fromStorage(cronTab('v1', {}))).toThrow('stable.example.com/v2: read before it was prepared');
    await expect(codec.prepare?.([cronTab('v1', {})])).rejects.toThrow(
      'conversion webhook for stable.example.com/v1, Kind=CronTab failed: webhook configuration must have either service or URL',
    );
    expect(codec.fromStorage(cronTab('v2', { c: 'x' }))).toEqual(cronTab('v2', { c: 'x' }));
  });

  it('include the metadata of every object in the schema for managed fields', async () => {
    const { schema } = await kindsOf()[0].codec();
    expect(Object.keys(schema.properties ?? {}).sort()).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
    expect(schema.properties?.['metadata']?.properties?.['finalizers']?.type).toBe('array');
    expect(schema.properties?.['constructor']).toBeUndefined();
  });

  it('select by the fields that the version names', () => {
    const [{ strategy }, v2] = kindsOf();
    expect(strategy.selectableFieldNames).toEqual(['spec.a']);
    expect(strategy.selectableFields?.(cronTab('v1', { a: 'x' }))).toEqual({ 'spec.a': 'x' });
    expect(strategy.selectableFields?.(cronTab('v1', {}))).toEqual({ 'spec.a': '' });
    expect(v2.strategy.selectableFieldNames).toEqual([]);
  });

  it('warn about added finalizers that are not domain-qualified with a path', () => {
    const [{ strategy }] = kindsOf();
    const object = cronTab('v1', {});
    object.metadata.finalizers = ['mine', 'example.com', 'example.com/mine', 'orphan'];
    const warnings = strategy.warnings?.(object, undefined, {} as never);
    const advice = 'to avoid accidental conflicts with other finalizer writers';
    expect(warnings).toEqual([
      `metadata.finalizers: "example.com": prefer a domain-qualified finalizer name including a path (/) ${advice}`,
      `metadata.finalizers: "mine": prefer a domain-qualified finalizer name ${advice}`,
    ]);
    expect(strategy.warnings?.(object, object, {} as never)).toEqual([]);
  });

  it('are published in OpenAPI under the names of their group', () => {
    const crd = definition();
    const undescribed = { own: '', properties: new Map<string, string>() };
    const definitions = customDefinitions(customOpenApiKind(crd, kindsOf(crd)[0]), 3, {
      object: undescribed,
      list: undescribed,
    });
    expect([...definitions.keys()]).toEqual(['com.example.stable.v1.CronTab', 'com.example.stable.v1.CronTabList']);
    expect(definitions.get('com.example.stable.v1.CronTab')?.['x-kubernetes-selectable-fields']).toEqual([
      { fieldPath: 'spec.a' },
    ]);
  });
});
