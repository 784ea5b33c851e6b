import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import type { ApiClass, ApiProperty, PropertyType } from '../model/api-class.ts';
import { schemaPlace } from './schema-place.ts';

function property(name: string, className: string, type: PropertyType): ApiProperty {
  return { name, className, type, isOptional: false, isRequired: true, constraints: [], says: [] };
}

function apiClass(name: string, properties: readonly ApiProperty[]): ApiClass {
  return { type: Object, name, properties, says: [] };
}

const text: PropertyType = { is: 'string' };
const port = apiClass('Port', [property('name', 'Port', text), property('a].b', 'Port', text)]);
const spec = apiClass('Spec', [
  property('ports', 'Spec', { is: 'array', items: { is: 'object', class: port } }),
  property('byName', 'Spec', { is: 'map', values: { is: 'array', items: { is: 'object', class: port } } }),
  property('kept', 'Spec', { is: 'anyObject' }),
]);
const root = apiClass('Thing', [property('spec', 'Thing', { is: 'object', class: spec })]);

const portSchema: StructuralSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, 'a].b': { type: 'string' } },
  anyOf: [{ properties: { name: { minLength: 1 } } }, { not: { required: ['name'] } }],
};
const schema: StructuralSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        ports: { type: 'array', items: portSchema },
        byName: { type: 'object', additionalProperties: { type: 'array', items: portSchema } },
        kept: { type: 'object', properties: { deep: { type: 'string' } } },
      },
    },
  },
};

function placeOf(path: string): string {
  const { innermost, rest } = schemaPlace(path, root, schema);
  const { property: found, class: type } = innermost;
  return `${found === undefined ? '' : `${found.className}.${found.name}`} | ${type?.name ?? ''} | ${rest}`;
}

describe('schemaPlace()', () => {
  it.each([
    ['', ' | Thing | '],
    ['.x-kubernetes-validations[0].rule', ' | Thing | .x-kubernetes-validations[0].rule'],
    ['.properties[spec].default', 'Thing.spec | Spec | .default'],
    ['.properties[spec].properties[ports].items.properties[name].default', 'Port.name |  | .default'],
    [
      '.properties[spec].properties[ports].items.x-kubernetes-validations[2]',
      'Spec.ports | Port | .x-kubernetes-validations[2]',
    ],
    ['.properties[spec].properties[byName].additionalProperties.items.properties[name].type', 'Port.name |  | .type'],
    ['.properties[spec].properties[ports].items.anyOf[0].properties[name].minLength', 'Port.name |  | .minLength'],
    ['.properties[spec].properties[ports].items.anyOf[1].not.required', 'Spec.ports | Port | .required'],
    ['.properties[spec].properties[ports].items.properties[a].b].pattern', 'Port.a].b |  | .pattern'],
    ['.properties[spec].properties[ports].items.default[0].name', 'Spec.ports | Port | .default[0].name'],
    ['.properties[spec].properties[kept].properties[deep].type', 'Spec.kept |  | .type'],
    ['.properties[gone].type', ' | Thing | .properties[gone].type'],
    ['.properties[spec].properties[ports].additionalProperties', 'Spec.ports |  | .additionalProperties'],
    ['.items.type', ' | Thing | .items.type'],
    ['.anyOf[7].type', ' | Thing | .anyOf[7].type'],
  ])('follows %s', (path, place) => {
    expect(placeOf(path)).toBe(place);
  });

  it('lists the schemas along the path', () => {
    const { steps } = schemaPlace('.properties[spec].properties[ports].items.properties[name]', root, schema);
    expect(steps.map(({ schema: own }) => own.type)).toEqual(['object', 'object', 'array', 'object', 'string']);
  });
});
