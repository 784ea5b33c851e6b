import { readFileSync } from 'node:fs';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { BuiltInTypes } from './built-in-types.ts';

const core = 'io.k8s.api.core.v1';
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const jsonSchemaProps = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';

async function schemaOf(definition: string): Promise<StructuralSchema> {
  return (await BuiltInTypes.load([definition])).schema(definition).schema;
}

describe('BuiltInTypes', () => {
  it('gives templates the metadata that they need, and nothing else of it', async () => {
    const { properties } = await schemaOf(`${core}.PodTemplateSpec`);
    expect(Object.keys(properties?.['metadata']?.properties ?? {})).toEqual([
      'annotations',
      'finalizers',
      'labels',
      'name',
      'namespace',
    ]);
  });

  it('gives keys of merged lists a default, where they are not required', async () => {
    const { properties } = await schemaOf(`${core}.PodSpec`);
    expect(properties?.['imagePullSecrets']?.items?.properties?.['name']).toEqual({ type: 'string', default: '' });
    const ports = properties?.['containers']?.items?.properties?.['ports'];
    expect(ports?.['x-kubernetes-list-map-keys']).toEqual(['containerPort', 'protocol']);
    expect(ports?.items?.properties?.['protocol']?.default).toBe('TCP');
    const { properties: selector } = await schemaOf(`${core}.SecretKeySelector`);
    expect(selector?.['name']).toEqual({ type: 'string' });
  });

  it('cuts a type where it contains itself, and says where', async () => {
    const { schema, cuts } = (await BuiltInTypes.load([jsonSchemaProps])).schema(jsonSchemaProps);
    expect(cuts).toContain('not');
    expect(cuts).toContain('properties{}');
    expect(schema.properties?.['not']).toEqual({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
    expect((await BuiltInTypes.load([`${core}.Pod`])).schema(`${core}.Pod`).cuts).toEqual([]);
  });

  it('gives each caller a tree of its own', async () => {
    const types = await BuiltInTypes.load([`${meta}.LabelSelector`]);
    const { schema } = types.schema(`${meta}.LabelSelector`);
    schema.default = {};
    (schema.properties ?? {})['matchLabels'] = { type: 'string' };
    expect(types.schema(`${meta}.LabelSelector`).schema).toMatchObject({
      properties: { matchLabels: { type: 'object' } },
    });
    expect(types.schema(`${meta}.LabelSelector`).schema).not.toHaveProperty('default');
  });

  it('leaves the metadata of an embedded resource to the API server', async () => {
    const types = await BuiltInTypes.load([`${core}.Pod`]);
    const { schema } = types.embeddedResource(`${core}.Pod`);
    expect(schema['x-kubernetes-embedded-resource']).toBe(true);
    expect(schema.properties?.['metadata']).toEqual({ type: 'object' });
    expect(schema.properties?.['spec']?.properties).toHaveProperty('containers');
  });

  it('refuses a definition that does not exist, and one that was not loaded', async () => {
    await expect(BuiltInTypes.load([`${core}.Nothing`])).rejects.toThrow(RangeError);
    expect(() => new BuiltInTypes().schema(`${core}.Pod`)).toThrow(RangeError);
  });
});

/**
 * controller-gen 0.23 with maxDescLen=0, of Go structs with fields of these types at k8s.io/api 0.36.3. What is taken from
 * either side before they are compared is what BuiltInTypes explains.
 */
describe('built-in types beside those of controller-gen', () => {
  const path = new URL('./controller-gen.fixture.json', import.meta.url);
  const references = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, StructuralSchema>>;

  it.each(Object.entries(references))('%s differs only as explained', async (definition, reference) => {
    const ours = await schemaOf(definition);
    expect(withoutExplained(ours)).toEqual(withoutExplained(reference));
  });

  it('would show another difference', async () => {
    const ours = await schemaOf(`${core}.ServiceSpec`);
    const changed = structuredClone(references[`${core}.ServiceSpec`]);
    delete changed?.properties?.['ports']?.items?.properties?.['protocol']?.default;
    expect(withoutExplained(ours)).not.toEqual(withoutExplained(changed ?? {}));
  });
});

/** Constants of Go that controller-gen does not follow. */
const constants: ReadonlySet<unknown> = new Set(['ReadWrite', 'Shared']);

function withoutExplained(schema: StructuralSchema): StructuralSchema {
  const { description: _, default: value, ...rest } = schema;
  // Handed down from an embedded LocalObjectReference.
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
