import { fieldHint } from './misspelt-field.ts';

const schema = {
  properties: {
    spec: {
      properties: {
        name: {},
        ports: { items: { properties: { number: {}, protocol: {} } } },
        sites: { additionalProperties: { properties: { title: {} } } },
      },
    },
  },
};

const rejection = (path: string) =>
  `failed to create typed patch object (default/y; hello.example.com/v1, Kind=Greeting): ${path}: field not declared in schema`;

describe('fieldHint', () => {
  it.each([
    ['.spec.nam', '; did you mean "name"?'],
    ['.spec.ports[0].protocl', '; did you mean "protocol"?'],
    ['.spec.ports[number=80].nummber', '; did you mean "number"?'],
    ['.spec.sites.first.titel', '; did you mean "title"?'],
    ['.spce', '; did you mean "spec"?'],
    ['.spec.colour', ''],
    ['.spec.constructor.name', ''],
    ['.spec.unknown.nam', ''],
  ])('suggests a name for %s', (path, hint) => expect(fieldHint(rejection(path), schema)).toBe(hint));

  it('returns nothing for other errors, or without a schema', () => {
    expect(fieldHint('spec.name: Required value', schema)).toBe('');
    expect(fieldHint(rejection('.spec.nam'), undefined)).toBe('');
  });
});
