import { fieldErrorText } from '@evenkeel/apimachinery/field-error';
import { checkCustomResourceDefinition } from './check-crd.ts';
import { field, spec, version } from './corpus/corpus-entry.fixture.ts';

const errorsOf = (value: unknown) => checkCustomResourceDefinition(value).errors.map(fieldErrorText);

describe('checkCrd', () => {
  it('checks a definition with its defaults and its status', () => {
    const { crd, errors, warnings } = checkCustomResourceDefinition({
      ...spec({}),
      status: { storedVersions: ['v9'] },
    });
    expect(errors).toEqual([]);
    expect(warnings).toEqual([]);
    expect(crd.spec?.names).toEqual({ plural: 'things', kind: 'Thing', singular: 'thing', listKind: 'ThingList' });
    expect(crd.status).toEqual({ storedVersions: ['v1'] });
  });

  it('does not change the definition', () => {
    const value = Object.freeze(field({ type: 'string', default: null, format: 'color' }));
    const before = structuredClone(value);
    checkCustomResourceDefinition(value);
    expect(value).toEqual(before);
  });

  it('reports every value of the wrong type, with keys and indexes, and no other errors', () => {
    const wrong = field({ type: 'array', minItems: '3', items: { type: ['string'], maxLength: 1.5 }, nullable: 'no' });
    const at = 'spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[a]';
    expect(errorsOf({ ...wrong, metadata: { name: 5 } })).toEqual([
      'metadata.name: Invalid value: 5: must be a string',
      `${at}.minItems: Invalid value: "3": must be an integer`,
      `${at}.items.type: Invalid value: "a list": must be a string`,
      `${at}.items.maxLength: Invalid value: 1.5: must be an integer`,
      `${at}.nullable: Invalid value: "no": must be a boolean`,
    ]);
  });

  it.each([[undefined], [null], [5], ['x'], [[]], [{}], [() => {}], [{ spec: { versions: [[]] } }]])(
    'accepts any input as its argument: %p',
    (value) => {
      expect(errorsOf(value)).not.toEqual([]);
    },
  );

  it('rejects selectable fields without a schema, for which a real server panics', () => {
    const selectableFields = [{ jsonPath: '.spec.a' }];
    const missing = 'spec.versions[0].schema.openAPIV3Schema: Required value';
    expect(errorsOf(version({ schema: {}, selectableFields }))).toEqual([missing]);
    const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', $ref: '#/a' } } };
    expect(errorsOf(version({ schema: { openAPIV3Schema }, selectableFields }))).toEqual([
      'spec.validation.openAPIV3Schema.properties[spec].$ref: Forbidden: $ref is not supported',
      `spec.schema.openAPIV3Schema: Invalid value: "": OpenAPIV3Schema '$ref' is not supported`,
    ]);
  });
});
