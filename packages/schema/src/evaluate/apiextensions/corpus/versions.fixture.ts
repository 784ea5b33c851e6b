import { accepts, type CorpusEntry, refuses, root, spec, version, versions } from './corpus-entry.fixture.ts';

const column = { name: 'a', type: 'string', jsonPath: '.spec.a' };
const columns = (values: object) => version({ additionalPrinterColumns: [{ ...column, ...values }] });
const scale = (values: object) =>
  version({ subresources: { scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.status.a', ...values } } });
const schema = (properties: object) => ({ openAPIV3Schema: { type: 'object', properties } });
const warned = (deprecationWarning: string) => version({ deprecated: true, deprecationWarning });

const selected = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        ...Object.fromEntries([...'abcdefghi'].map((letter) => [letter, { type: 'string' }])),
        format: { type: 'string', format: 'date' },
        enum: { type: 'string', enum: ['a'] },
        int: { type: 'integer' },
        bool: { type: 'boolean' },
        num: { type: 'number' },
        ios: { 'x-kubernetes-int-or-string': true },
        list: { type: 'array', items: { type: 'string' } },
        map: { type: 'object', additionalProperties: { type: 'string' } },
        any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        'd.e': { type: 'string' },
      },
    },
    metadata: { type: 'object', properties: { name: { type: 'string' } } },
  },
};
const selectable = (...paths: readonly (string | undefined)[]) =>
  root(selected, { selectableFields: paths.map((jsonPath) => ({ jsonPath })) });

/** Versions, and their fields besides the schema. */
export const versionEntries: readonly CorpusEntry[] = [
  refuses('There is a version.', spec({ versions: [] })),
  refuses('There is at least one version, and a missing list has none.', spec({ versions: undefined })),
  refuses('One version is stored.', version({ storage: false })),
  refuses('Only one version is stored.', versions({}, { storage: true })),
  accepts('Several versions may be served.', versions({}, {}, {})),
  accepts('A version may be stored that is not served.', version({ served: false })),
  accepts('The storage version may be a later one.', versions({ storage: false }, { storage: true })),
  refuses('A version has a name.', version({ name: '' })),
  refuses('The name of a version has no capitals.', version({ name: 'V1' })),
  refuses('The name of a version has no dots.', version({ name: 'v1.0' })),
  refuses('The name of a version does not begin with a digit.', version({ name: '1' })),
  accepts('The name of a version need not be like those of Kubernetes.', version({ name: 'foo-1' })),
  refuses('Versions have names of their own.', versions({}, { name: 'v1' })),
  refuses('A later version has a name that is as good.', versions({}, { name: 'V2' })),
  refuses('A version has a schema.', version({ schema: undefined })),
  refuses('The schema of a version is not empty.', version({ schema: {} })),
  refuses('A second version has a schema too.', versions({}, { schema: {} })),
  refuses('A version that is not served has a schema too.', versions({}, { served: false, schema: undefined })),
  refuses(
    'What is wrong with the schema of one version is said there.',
    versions({}, { schema: schema({ spec: {} }) }),
  ),
  refuses('What is wrong with the schema of all versions is said once.', {
    ...versions({ schema: schema({ spec: {} }) }, { schema: schema({ spec: {} }) }),
  }),
  refuses('What is wrong with the first version alone is said there.', versions({ schema: schema({ spec: {} }) }, {})),

  accepts('A version may be deprecated.', version({ deprecated: true })),
  accepts('A deprecation may have a warning.', warned('example.com/v1 Thing is deprecated; use v2')),
  refuses('A deprecation warning needs a deprecated version.', version({ deprecationWarning: 'x' })),
  refuses('A deprecation warning is not empty.', warned('')),
  accepts('A deprecation warning may have 256 bytes.', warned('x'.repeat(256))),
  refuses('A deprecation takes at most 256 bytes.', warned('x'.repeat(257))),
  refuses('A deprecation takes at most 256 bytes, not characters.', warned('ü'.repeat(129))),
  accepts('A deprecation may be in any language.', warned('veraltet: Größe 大小 😀')),
  refuses('A deprecation has one line.', warned('ü\nx')),
  refuses('A deprecation has no tabs.', warned('a\tb')),
  refuses('A deprecation has no blanks but the common one.', warned('a\u00a0b')),
  refuses('A deprecation has no invisible characters.', warned('a\u200bb')),
  refuses('A deprecation has no private characters.', warned('a\ue000b')),

  accepts('A column has a name, a type and a path.', columns({})),
  refuses('A column has a name.', columns({ name: '' })),
  refuses('A column has a type.', columns({ type: '' })),
  refuses('The type of a column is a scalar one.', columns({ type: 'object' })),
  accepts('The type of a column may be a date.', columns({ type: 'date' })),
  accepts('The type of a column may be a number.', columns({ type: 'number', format: 'double' })),
  accepts('The format of a column need not fit its type.', columns({ type: 'boolean', format: 'int32' })),
  refuses('The format of a column is known.', columns({ type: 'integer', format: 'int16' })),
  refuses('A column has a path.', columns({ jsonPath: '' })),
  refuses('The path of a column begins with a dot.', columns({ jsonPath: 'spec.a' })),
  refuses('The path of a column has no braces.', columns({ jsonPath: '{.spec.a}' })),
  accepts('The path of a column is only checked for its leading dot.', columns({ jsonPath: '.spec.a[' })),
  accepts('The path of a column may be a dot.', columns({ jsonPath: '.' })),
  accepts('A column may have a priority.', columns({ priority: 1, description: 'which' })),
  accepts('Columns may have one name.', version({ additionalPrinterColumns: [column, column] })),
  refuses('What is wrong with the columns of one version is said there.', {
    ...versions({ additionalPrinterColumns: [column] }, { additionalPrinterColumns: [{ ...column, name: '' }] }),
  }),
  refuses('What is wrong with the columns of all versions is said once.', {
    ...versions({ additionalPrinterColumns: [{ name: 'a' }] }, { additionalPrinterColumns: [{ name: 'a' }] }),
  }),

  accepts('A version may have a status.', version({ subresources: { status: {} } })),
  accepts('A version may have empty subresources.', version({ subresources: {} })),
  accepts('A version may be scaled.', scale({})),
  accepts('A version may be scaled by a selector in its status.', scale({ labelSelectorPath: '.status.selector' })),
  accepts('A version may be scaled by a selector in its spec.', scale({ labelSelectorPath: '.spec.selector' })),
  accepts('A selector of a scale may be empty.', scale({ labelSelectorPath: '' })),
  refuses('A scale has a path to the desired replicas.', scale({ specReplicasPath: '' })),
  refuses('A scale has a path to the actual replicas.', scale({ statusReplicasPath: '' })),
  refuses('What is wanted is below the spec.', scale({ specReplicasPath: '.status.a' })),
  refuses('What is wanted is not the spec.', scale({ specReplicasPath: '.spec' })),
  refuses('What is there is below the status.', scale({ statusReplicasPath: '.spec.a' })),
  refuses(
    'The paths of a scale begin with a dot.',
    scale({ specReplicasPath: 'spec.a', statusReplicasPath: 'status.a' }),
  ),
  refuses('A selector is below spec or status.', scale({ labelSelectorPath: '.a' })),
  refuses('The path of a selector begins with a dot.', scale({ labelSelectorPath: 'status.a' })),
  accepts('A scale path need not lead to a declared property.', scale({ specReplicasPath: '.spec.a[0].b' })),
  refuses('What is wrong with the scale of one version is said there.', {
    ...versions({}, { subresources: { scale: {} } }),
  }),

  accepts('Fields may be selectable.', selectable('.spec.a', '.spec.b')),
  accepts('A selectable field may be an integer.', selectable('.spec.int')),
  accepts('A selectable field may be a boolean.', selectable('.spec.bool')),
  accepts('A selectable field may have a format.', selectable('.spec.format')),
  accepts('A selectable field may have an enum.', selectable('.spec.enum')),
  refuses('A selectable field is no number.', selectable('.spec.num')),
  refuses('A selectable field is no integer or text.', selectable('.spec.ios')),
  refuses('A selectable field is no object.', selectable('.spec')),
  refuses('A selectable field is no list.', selectable('.spec.list')),
  refuses('A selectable field is not in a list.', selectable('.spec.list[0]')),
  accepts('A selectable field may be in a map.', selectable('.spec.map.x')),
  refuses('A selectable field is named without brackets.', selectable(".spec['a']")),
  refuses('A selectable field has no dots in its name.', selectable('.spec.d.e')),
  refuses('A selectable field has a path.', selectable('')),
  refuses('A selectable field has a path, and a missing path is reported.', selectable(undefined)),
  refuses('The path of a selectable field begins with a dot.', selectable('spec.a')),
  refuses('The path of a selectable field does not end in one.', selectable('.spec.')),
  refuses('The path of a selectable field has no empty name.', selectable('.spec..a')),
  refuses('The path of a selectable field is more than a dot.', selectable('.')),
  refuses('A selectable field is in the schema.', selectable('.spec.z')),
  refuses('A selectable field is not unknown to the schema.', selectable('.spec.any.x')),
  refuses('A selectable field is not in the metadata.', selectable('.metadata.name')),
  refuses('A selectable field is checked if there is no schema.', version({ schema: {}, selectableFields: [{}] })),
  refuses(
    'A selectable field of one of several versions is not checked if there is no schema.',
    versions({ schema: {}, selectableFields: [{}] }, {}),
  ),
  refuses('A selectable field is checked if the schema cannot be structural.', {
    ...root({ type: 'object', additionalItems: true }, { selectableFields: [{ jsonPath: 'x' }] }),
  }),
  refuses('A selectable field of one of several versions is checked if its schema cannot be structural.', {
    ...versions({ schema: schema({ a: { $ref: 'x' } }), selectableFields: [{ jsonPath: '[0]' }] }, {}),
  }),
  refuses('A selectable field is there once.', selectable('.spec.a', '.spec.a')),
  accepts('There may be eight selectable fields.', selectable(...[...'abcdefgh'].map((name) => `.spec.${name}`))),
  refuses('There are at most eight selectable fields.', selectable(...[...'abcdefghi'].map((name) => `.spec.${name}`))),
  refuses('Selectable fields that are wrong do not count as too many.', {
    ...selectable(...[...'abcdefghi'].map((name) => `.spec.${name}.z`)),
  }),
  refuses('Selectable fields need a schema of the same version.', {
    ...versions({}, { schema: {}, selectableFields: [{ jsonPath: '.spec.a' }] }),
  }),
];
