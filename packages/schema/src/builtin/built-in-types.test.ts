import { readFileSync } from 'node:fs';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { BuiltInTypes } from './built-in-types.ts';
import type { BuiltInSchema } from './structural-schema-of.ts';

const core = 'io.k8s.api.core.v1';
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const jsonSchemaProps = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';

async function read(definition: string): Promise<BuiltInSchema> {
  const types = new BuiltInTypes();
  const type = types.typeOf(definition);
  await types.load();
  return type.schema();
}

async function schemaOf(definition: string): Promise<StructuralSchema> {
  return (await read(definition)).schema;
}

describe('BuiltInTypes', () => {
  it('keeps only the metadata that templates need', async () => {
    const { properties } = await schemaOf(`${core}.PodTemplateSpec`);
    expect(Object.keys(properties?.['metadata']?.properties ?? {})).toEqual([
      'annotations',
      'finalizers',
      'labels',
      'name',
      'namespace',
    ]);
  });

  it('gives optional keys of merged lists a default', async () => {
    const { properties } = await schemaOf(`${core}.PodSpec`);
    expect(properties?.['imagePullSecrets']?.items?.properties?.['name']).toEqual({ type: 'string', default: '' });
    const ports = properties?.['containers']?.items?.properties?.['ports'];
    expect(ports?.['x-kubernetes-list-map-keys']).toEqual(['containerPort', 'protocol']);
    expect(ports?.items?.properties?.['protocol']?.default).toBe('TCP');
    const { properties: selector } = await schemaOf(`${core}.SecretKeySelector`);
    expect(selector?.['name']).toEqual({ type: 'string' });
  });

  it('cuts a recursive type and returns the paths', async () => {
    const { schema, cuts } = await read(jsonSchemaProps);
    expect(cuts).toContain('not');
    expect(cuts).toContain('properties{}');
    expect(schema.properties?.['not']).toEqual({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
    expect((await read(`${core}.Pod`)).cuts).toEqual([]);
  });

  it('returns a new tree to each caller', async () => {
    const types = new BuiltInTypes();
    const type = types.typeOf(`${meta}.LabelSelector`);
    expect(types.typeOf(`${meta}.LabelSelector`)).toBe(type);
    await types.load();
    const { schema } = type.schema();
    schema.default = {};
    (schema.properties ?? {})['matchLabels'] = { type: 'string' };
    expect(type.schema().schema).toMatchObject({ properties: { matchLabels: { type: 'object' } } });
    expect(type.schema().schema).not.toHaveProperty('default');
  });

  it('rejects a definition that does not exist or was not loaded', async () => {
    await expect(read(`${core}.Nothing`)).rejects.toThrow(RangeError);
    expect(() => new BuiltInTypes().typeOf(`${core}.Pod`).schema()).toThrow(RangeError);
  });
});

/**
 * The output of controller-gen 0.23 with maxDescLen=0 for Go structs with fields of these types, at k8s.io/api 0.36.3. The
 * differences that BuiltInTypes explains are removed from both sides before they are compared.
 */
describe('built-in types compared with controller-gen', () => {
  const path = new URL('./controller-gen.fixture.json', import.meta.url);
  const references = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, StructuralSchema>>;

  it.each(Object.entries(references))('%s differs only as explained', async (definition, reference) => {
    const ours = await schemaOf(definition);
    expect(withoutExplained(ours)).toEqual(withoutExplained(reference));
  });

  it('detects any other difference', async () => {
    const ours = await schemaOf(`${core}.ServiceSpec`);
    const changed = structuredClone(references[`${core}.ServiceSpec`]);
    delete changed?.properties?.['ports']?.items?.properties?.['protocol']?.default;
    expect(withoutExplained(ours)).not.toEqual(withoutExplained(changed ?? {}));
  });
});

/** Go constants that controller-gen does not resolve. */
const constants: ReadonlySet<unknown> = new Set(['ReadWrite', 'Shared']);

function withoutExplained(schema: StructuralSchema): StructuralSchema {
  const { description: _, default: value, ...rest } = schema;
  // Copied from an embedded LocalObjectReference.
  if (rest.properties?.['name'] !== undefined) delete rest['x-kubernetes-map-type'];
  const compared: StructuralSchema = !value || constants.has(value) ? rest : { ...rest, default: value };
  if (compared.items !== undefined) compared.items = withoutExplained(compared.items);
  if (typeof compared.additionalProperties === 'object') {
    compared.additionalProperties = withoutExplained(compared.additionalProperties);
  }
  if (compared.properties !== undefined) {
    compared.properties = Object.fromEntries(
      Object.entries(compared.properties).map(([name, property]) => [
        name,
        name === 'metadata' ? { type: 'object' } : withoutExplained(property),
      ]),
    );
  }
  return compared;
}
