import { fieldErrorText } from '@evenkeel/apimachinery/field-error';
import { copyJson } from '@evenkeel/apimachinery/json';
import type { CustomResourceDefinition, JsonSchemaProps } from './custom-resource-definition.ts';
import { defaultCustomResourceDefinition } from './default-crd.ts';
import { unrecognizedFormats } from './unrecognized-formats.ts';
import { validateCustomResourceDefinition } from './validate-crd.ts';

function definition(spec: JsonSchemaProps, changes: object = {}): CustomResourceDefinition {
  const openAPIV3Schema: JsonSchemaProps = { type: 'object', properties: { spec } };
  const crd: CustomResourceDefinition = {
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      ...changes,
    },
  };
  defaultCustomResourceDefinition(crd);
  return crd;
}

/** A list whose rules cost 2 for each item. */
function costly(maxItems: number, rules: number): JsonSchemaProps {
  const validations = new Array(rules).fill({ rule: 'self > 0' });
  return { type: 'array', maxItems, items: { type: 'integer', 'x-kubernetes-validations': validations } };
}

const errorsOf = (crd: CustomResourceDefinition, old?: CustomResourceDefinition) =>
  validateCustomResourceDefinition(crd, old).map(fieldErrorText);

describe('defaultCustomResourceDefinition', () => {
  it('derives the defaults from the kind', () => {
    const crd = definition({ type: 'object' });
    expect(crd.spec?.names).toEqual({ plural: 'things', kind: 'Thing', singular: 'thing', listKind: 'ThingList' });
    expect(crd.spec?.conversion).toEqual({ strategy: 'None' });
    expect(crd.status?.storedVersions).toEqual(['v1']);
  });

  it('does not change given values', () => {
    const names = { plural: 'things', kind: 'Thing', singular: 'it', listKind: 'Things' };
    expect(definition({ type: 'object' }, { names }).spec?.names).toEqual(names);
  });
});

describe('validateCustomResourceDefinition', () => {
  it('returns no errors for a valid definition', () => {
    expect(errorsOf(definition({ type: 'object', properties: { size: { type: 'integer', default: 3 } } }))).toEqual([]);
  });

  it('reports errors of all versions at spec.validation, and errors of one version at that version', () => {
    const broken: JsonSchemaProps = { type: 'object', properties: { a: {} } };
    const reason = 'type: Required value: must not be empty for specified object fields';
    const crd = definition(broken);
    expect(errorsOf(crd)).toEqual([`spec.validation.openAPIV3Schema.properties[spec].properties[a].${reason}`]);
    const schema = { openAPIV3Schema: { type: 'object' } };
    const versions = [...(crd.spec?.versions ?? []), { name: 'v2', served: true, storage: false, schema }];
    expect(errorsOf({ ...crd, spec: { ...crd.spec, versions } })).toEqual([
      `spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[a].${reason}`,
    ]);
  });

  it('reports rules that do not compile, and invalid defaults', () => {
    const rule = definition({ type: 'object', 'x-kubernetes-validations': [{ rule: 'self.nothing' }] });
    expect(errorsOf(rule)[0]).toContain('x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.nothing",');
    expect(errorsOf(rule)[0]).toContain("undefined field 'nothing'");
    expect(errorsOf(definition({ type: 'object', properties: { a: { type: 'integer', default: 'x' } } }))).toEqual([
      'spec.validation.openAPIV3Schema.properties[spec].properties[a].default: Invalid value: "string":  in body must be of type integer: "string"',
    ]);
  });

  it('reports expensive rules, each for all of its data and all together', () => {
    const path = 'spec.validation.openAPIV3Schema';
    const rulePath = `${path}.properties[spec].items.x-kubernetes-validations`;
    const advice =
      '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';
    expect(errorsOf(definition(costly(5_000_000, 10)))).toEqual([]);
    expect(errorsOf(definition(costly(11_250_000, 1)))).toEqual([
      `${rulePath}[0].rule: Forbidden: estimated rule cost exceeds budget by factor of 2.2x ${advice}`,
    ]);
    expect(errorsOf(definition(costly(5_000_000, 11)))).toEqual([
      ...[0, 1, 2, 3].map(
        (i) =>
          `${rulePath}[${i}].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema`,
      ),
      `${path}: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of 1.100000x ${advice}`,
    ]);
  });

  it('reports a schema that nests too deeply', () => {
    let schema: JsonSchemaProps = { type: 'object' };
    for (let i = 0; i < 20_000; i++) schema = { type: 'object', properties: { a: schema } };
    expect(errorsOf(definition(schema))).toEqual([
      'spec.versions[0].schema.openAPIV3Schema: Forbidden: must not nest deeper than 500 levels',
    ]);
  });
});

describe('validateCustomResourceDefinition on update', () => {
  const established = { conditions: [{ type: 'Established', status: 'True' }] };

  it('forbids changes of the names under which objects are stored', () => {
    const old = { ...definition({ type: 'object' }), status: { ...established, storedVersions: ['v1'] } };
    const crd = copyJson(old);
    Object.assign(crd.spec ?? {}, { scope: 'Cluster', group: 'other.com' });
    expect(errorsOf(crd, old)).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.group: Invalid value: "other.com": field is immutable',
    ]);
  });

  it('requires the versions in which objects may be stored', () => {
    const old = definition({ type: 'object' });
    const crd = copyJson(old);
    Object.assign(crd.spec?.versions?.[0] ?? {}, { name: 'v2' });
    expect(errorsOf({ ...crd, status: { storedVersions: ['v1', 'v2'] } }, old)[0]).toContain(
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions',
    );
  });

  it('ignores errors of the old definition that newer rules forbid', () => {
    const set: JsonSchemaProps = { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'set' };
    const crd = definition({ type: 'object', properties: { set } });
    expect(errorsOf(crd)).toHaveLength(1);
    expect(errorsOf(crd, crd)).toEqual([]);
  });

  it('accepts existing expensive rules, but limits their total', () => {
    const crd = definition(costly(6_000_000, 2));
    expect(errorsOf(crd)).toHaveLength(2);
    expect(errorsOf(crd, crd)).toEqual([]);
    expect(errorsOf(definition(costly(6_000_001, 2)), crd)).toHaveLength(2);
    const dear = definition(costly(6_000_000, 10));
    expect(errorsOf(dear, dear).at(-1)).toContain(
      'estimated rule cost total for entire OpenAPIv3 schema exceeds budget',
    );
    expect(errorsOf(dear, dear)).toHaveLength(5);
  });

  it('treats a new version as unchanged if all versions had its schema', () => {
    const old = definition(costly(6_000_000, 1));
    const [first] = old.spec?.versions ?? [];
    const versions = [first ?? {}, { ...first, name: 'v2', storage: false }];
    expect(errorsOf({ ...old, spec: { ...old.spec, versions } }, old)).toEqual([]);
  });
});

describe('unrecognizedFormats', () => {
  it('returns unknown formats, on update only the new ones', () => {
    const crd = definition({
      type: 'object',
      properties: { a: { type: 'string', format: 'color' }, b: { type: 'integer', format: 'int32' } },
    });
    expect(unrecognizedFormats(crd)).toEqual(['color']);
    expect(unrecognizedFormats(crd, crd)).toEqual([]);
  });
});
