import { copyJson } from '../json-value.ts';
import type { CustomResourceDefinition, JsonSchemaProps, VersionSpec } from './custom-resource-definition.ts';

const group = 'crd.example.com';

const base = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `things.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } },
      },
    ],
  },
};

type Base = typeof base;
type Change = (crd: Base & { [key: string]: unknown }) => void;

/** A definition of one version whose `spec` has the schema. */
export function definitionOf(schema: JsonSchemaProps): CustomResourceDefinition {
  const crd: CustomResourceDefinition = copyJson(base);
  const openAPIV3Schema: JsonSchemaProps = { type: 'object', properties: { spec: schema } };
  Object.assign(crd.spec?.versions?.[0] ?? {}, { schema: { openAPIV3Schema } });
  return crd;
}

/** Definitions with one thing changed, by what that is. */
export const sampleDefinitions: [string, CustomResourceDefinition][] = [];

function changed(name: string, change: Change): void {
  const crd = copyJson(base);
  change(crd);
  sampleDefinitions.push([name, crd as CustomResourceDefinition]);
}

const set = (target: object, values: object) => Object.assign(target, values);
const spec = (name: string, values: object) => changed(name, (crd) => set(crd.spec, values));
const names = (name: string, values: object) => changed(name, (crd) => set(crd.spec.names, values));
const version = (name: string, values: VersionSpec) => changed(name, (crd) => set(crd.spec.versions[0] ?? {}, values));
const root = (name: string, schema: unknown, values: VersionSpec = {}) =>
  version(name, { schema: { openAPIV3Schema: schema as JsonSchemaProps }, ...values });
/** The schema of one field below spec. */
const field = (name: string, schema: unknown) =>
  root(`field: ${name}`, { type: 'object', properties: { spec: { type: 'object', properties: { a: schema } } } });

changed('as it is', () => {});
changed('name', (crd) => set(crd.metadata, { name: 'other.crd.example.com' }));
changed('name in capitals', (crd) => set(crd.metadata, { name: 'Things.crd.example.com' }));
changed('labels', (crd) => set(crd.metadata, { labels: { 'a b': 'c d', 'a/b/c': '', [`${'x'.repeat(64)}`]: 'ok' } }));
changed('annotations and finalizers', (crd) =>
  set(crd.metadata, {
    annotations: { 'UP.example.com/x': '', '/x': '' },
    finalizers: ['a b', 'orphan', 'foregroundDeletion'],
  }),
);
spec('group without dot', { group: 'example' });
spec('group in capitals', { group: 'Example.com' });
spec('no group', { group: '' });
spec('scope', { scope: 'Global' });
spec('no scope', { scope: '' });
spec('no versions', { versions: [] });
spec('preserveUnknownFields', { preserveUnknownFields: true });
names('plural in capitals', { plural: 'Things' });
names('no plural', { plural: '' });
names('singular', { singular: 'a b' });
names('no kind', { kind: '' });
names('kind', { kind: 'My_Kind' });
names('kind is list kind', { listKind: 'Thing' });
names('list kind', { listKind: 'thing.list' });
names('short names and categories', { shortNames: ['th', 'T'], categories: ['all', 'a.b'] });
names('long plural', { plural: 'x'.repeat(64) });
version('no storage', { storage: false });
version('version name', { name: 'V1' });
version('no version name', { name: '' });
version('odd but legal version name', { name: 'foo1' });
version('no schema', { schema: {} });
changed('schema missing', (crd) => {
  const [first] = crd.spec.versions;
  if (first !== undefined) set(first, { schema: undefined });
});
const second = (values: VersionSpec) => (crd: Base) =>
  crd.spec.versions.push({ ...copyJson(base.spec.versions[0]), ...values } as never);
changed('same name twice', second({}));
changed('two storage versions', second({ name: 'v2' }));
changed('two versions', second({ name: 'v2', storage: false }));
changed('second version without schema', second({ name: 'v2', storage: false, schema: {} }));
changed(
  'second version broken',
  second({ name: 'v2', storage: false, schema: { openAPIV3Schema: { type: 'object', properties: { spec: {} } } } }),
);
changed(
  'second version with columns',
  second({ name: 'v2', storage: false, additionalPrinterColumns: [{ name: 'a' }] }),
);
changed(
  'second version with status',
  second({
    name: 'v2',
    storage: false,
    subresources: { status: {} },
    schema: { openAPIV3Schema: { type: 'object', minProperties: 1 } },
  }),
);
version('deprecation without deprecated', { deprecationWarning: 'x' });
version('deprecation', { deprecated: true, deprecationWarning: 'x' });
version('empty deprecation', { deprecated: true, deprecationWarning: '' });
version('long deprecation', { deprecated: true, deprecationWarning: 'ü'.repeat(129) });
version('odd deprecation', { deprecated: true, deprecationWarning: 'ü\nx' });
version('columns', {
  additionalPrinterColumns: [
    { name: '', type: 'text', jsonPath: 'spec' },
    { name: 'b', type: '', jsonPath: '' },
    { name: 'c', type: 'integer', format: 'int16', jsonPath: '.spec' },
    { name: 'd', type: 'date', format: 'date', jsonPath: '.a[' },
  ],
});
version('scale', {
  subresources: { scale: { specReplicasPath: 'spec.a', statusReplicasPath: '.spec.a', labelSelectorPath: '.a' } },
});
version('empty scale', { subresources: { scale: { specReplicasPath: '', statusReplicasPath: '' } } });
version('good scale', { subresources: { scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.status.a' } } });
const selectable = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        a: { type: 'string' },
        n: { type: 'number' },
        o: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
    metadata: { type: 'object', properties: { name: { type: 'string' } } },
  },
};
root('selectable fields', selectable, {
  selectableFields: [
    '.spec.a',
    '.spec.a',
    '.spec.b',
    '.spec.n',
    'spec.a',
    '',
    '.metadata.name',
    ".spec['a']",
    '.spec.o.x',
    '.spec.',
    '.spec',
  ].map((jsonPath) => ({ jsonPath })),
});
root(
  'many selectable fields',
  {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: Object.fromEntries([...'abcdefghi'].map((letter) => [letter, { type: 'string' }])),
      },
    },
  },
  {
    selectableFields: [...'abcdefghi'].map((letter) => ({ jsonPath: `.spec.${letter}` })),
  },
);
spec('conversion strategy', { conversion: { strategy: 'Manual' } });
spec('conversion without webhook', { conversion: { strategy: 'Webhook' } });
spec('conversion none with webhook', {
  conversion: { strategy: 'None', webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://a' } } },
});
const webhook = (clientConfig: object, conversionReviewVersions: string[] = ['v1']) => ({
  conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions } },
});
spec('conversion url', webhook({ url: 'https://a.b/c' }));
spec('conversion url broken', webhook({ url: 'http://u:p@a.b/c?d=e#f' }));
spec('conversion without host', webhook({ url: 'https:///x' }));
spec('conversion url and service', webhook({ url: 'https://a', service: { name: 'a', namespace: 'b' } }));
spec('conversion nothing', webhook({}));
spec('conversion service', webhook({ service: { name: 'a', namespace: '', port: 70000, path: '/a//b_c/' } }));
spec('conversion service path', webhook({ service: { name: '', namespace: 'b', path: 'a' } }));
spec('conversion versions', webhook({ url: 'https://a' }, ['v2', 'v2', 'V3']));
spec('conversion no versions', webhook({ url: 'https://a' }, []));
const protectedGroup = (name: string, annotations?: object) =>
  changed(name, (crd) => {
    set(crd.metadata, { name: 'things.foo.k8s.io', ...(annotations === undefined ? {} : { annotations }) });
    set(crd.spec, { group: 'foo.k8s.io' });
  });
protectedGroup('protected group');
protectedGroup('protected group approved', {
  'api-approved.kubernetes.io': 'https://github.com/kubernetes/kubernetes/pull/1',
});
protectedGroup('protected group bypassed', { 'api-approved.kubernetes.io': 'unapproved, experimental' });
protectedGroup('protected group with nonsense', { 'api-approved.kubernetes.io': 'bananas' });

root('root of type string', { type: 'string' });
root('root without type', {});
root('root nullable', { type: 'object', nullable: true });
root('root with additionalProperties', { type: 'object', additionalProperties: { type: 'string' } });
root('root preserving', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
root('root with metadata', {
  type: 'object',
  properties: { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } } },
});
root('root with metadata of labels', {
  type: 'object',
  properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } },
});
root('root with metadata described', {
  type: 'object',
  properties: { metadata: { type: 'object', description: 'x' } },
});
root('root with odd kind', {
  type: 'object',
  properties: { kind: { type: 'integer' }, apiVersion: { type: 'object' }, metadata: { type: 'string' } },
});
root('root with default in metadata', {
  type: 'object',
  properties: {
    metadata: { type: 'object', properties: { name: { type: 'string', default: 'x' } } },
    kind: { type: 'string', default: 'x' },
  },
});
root('root condition on metadata', {
  type: 'object',
  properties: { a: { type: 'string' } },
  anyOf: [{ properties: { metadata: { required: ['x'] } } }],
});
root('root default', { type: 'object', default: { spec: {} }, properties: { spec: { type: 'object' } } });
root('root of status: minProperties', { type: 'object', minProperties: 1 }, { subresources: { status: {} } });
root('root of status: type', { type: 'array', items: { type: 'string' }, enum: [1] }, { subresources: { status: {} } });
root(
  'root of status: fine',
  { type: 'object', description: 'x', required: ['spec'], properties: { spec: { type: 'object' } } },
  { subresources: { status: {} } },
);
field('no type', {});
field('no type but preserving', { 'x-kubernetes-preserve-unknown-fields': true });
field('preserving false', { type: 'object', 'x-kubernetes-preserve-unknown-fields': false });
field('odd type', { type: 'text' });
field('null', { type: 'null' });
field('list without items', { type: 'array' });
field('list with items without type', { type: 'array', items: {} });
field('list with many items', { type: 'array', items: [{ type: 'string' }, { type: 'integer' }] });
field('properties and additionalProperties', {
  type: 'object',
  properties: { a: { type: 'string' } },
  additionalProperties: { type: 'string' },
});
field('properties and additionalProperties false', {
  type: 'object',
  properties: { a: { type: 'string' } },
  additionalProperties: false,
});
field('properties and additionalProperties true', {
  type: 'object',
  properties: { a: { type: 'string' } },
  additionalProperties: true,
});
field('refused keywords', {
  type: 'object',
  $ref: '#/x',
  definitions: { a: { type: 'string' } },
  patternProperties: { a: { type: 'string' } },
  dependencies: { a: ['b'] },
  additionalItems: true,
  id: 'x',
  uniqueItems: true,
});
field('unique items in condition', { type: 'array', items: { type: 'string' }, allOf: [{ uniqueItems: true }] });
field('pattern', { type: 'string', pattern: 'a(' });
field('pattern with lookahead', { type: 'string', pattern: '(?=a)b' });
field('pattern with back reference', { type: 'string', pattern: '(a)\\1' });
field('pattern repeated too often', { type: 'string', pattern: 'a{1001}' });
field('pattern class', { type: 'string', pattern: '[z-a]' });
field('format', { type: 'string', format: 'no-such-format' });
field('condition that says too much', {
  type: 'object',
  properties: { a: { type: 'string' } },
  anyOf: [
    {
      type: 'object',
      title: 't',
      description: 'd',
      default: {},
      nullable: true,
      additionalProperties: true,
      'x-kubernetes-preserve-unknown-fields': true,
      'x-kubernetes-map-type': 'atomic',
      'x-kubernetes-validations': [{ rule: 'true' }],
    },
  ],
});
field('condition on lists that says too much', {
  type: 'array',
  items: { type: 'string' },
  not: {
    items: { 'x-kubernetes-int-or-string': true, 'x-kubernetes-embedded-resource': true },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['a'],
  },
});
field('condition on what is not there', {
  type: 'object',
  properties: { a: { type: 'string' } },
  oneOf: [{ properties: { b: { minLength: 1 } } }, { items: { minLength: 1 } }],
  allOf: [{ anyOf: [{ properties: { a: { properties: { c: {} } } } }] }],
});
field('int or string', { 'x-kubernetes-int-or-string': true });
field('int or string with type', { type: 'integer', 'x-kubernetes-int-or-string': true });
field('int or string with anyOf', {
  'x-kubernetes-int-or-string': true,
  anyOf: [{ type: 'integer' }, { type: 'string' }],
});
field('int or string in allOf', {
  'x-kubernetes-int-or-string': true,
  allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: 'x' }],
});
field('int or string the wrong way round', {
  'x-kubernetes-int-or-string': true,
  anyOf: [{ type: 'string' }, { type: 'integer' }],
});
field('int or string preserving', { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true });
field('int or string embedded', { 'x-kubernetes-int-or-string': true, 'x-kubernetes-embedded-resource': true });
field('embedded without properties', { type: 'object', 'x-kubernetes-embedded-resource': true });
field('embedded with additionalProperties', {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  additionalProperties: { type: 'string' },
});
field('embedded string', { type: 'string', 'x-kubernetes-embedded-resource': true });
field('embedded with metadata', {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  properties: {
    metadata: {
      type: 'object',
      properties: {
        labels: { type: 'object', additionalProperties: { type: 'string', default: 'x' } },
        x: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
});
field('embedded with defaults', {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
  properties: {
    kind: { type: 'string', default: 'under_score' },
    metadata: { type: 'object', properties: { name: { type: 'string', default: 'a/b' } } },
  },
});
field('embedded default', {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
  default: { apiVersion: 'v1' },
});
field('list type', { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'bag' });
field('list type of object', { type: 'object', 'x-kubernetes-list-type': 'set' });
field('list type without type', { 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-list-type': 'set' });
field('set of objects', { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'set' });
field('set of atomic objects', {
  type: 'array',
  items: { type: 'object', 'x-kubernetes-map-type': 'atomic' },
  'x-kubernetes-list-type': 'set',
});
field('set of sets', {
  type: 'array',
  items: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
  'x-kubernetes-list-type': 'set',
});
field('set of nullable', { type: 'array', items: { type: 'string', nullable: true }, 'x-kubernetes-list-type': 'set' });
field('map without keys', { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map' });
field('map of strings', {
  type: 'array',
  items: { type: 'string' },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['a'],
});
field('map with odd keys', {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['a', 'b', 'c', 'a', 'o'],
  items: {
    type: 'object',
    nullable: true,
    required: ['a'],
    properties: {
      a: { type: 'string' },
      b: { type: 'string' },
      c: { type: 'string', default: 'x', nullable: true },
      o: { type: 'object', default: {} },
    },
  },
});
field('map keys without list type', {
  type: 'array',
  items: { type: 'object', properties: { a: { type: 'string' } } },
  'x-kubernetes-list-map-keys': ['a'],
});
field('map keys of a set', {
  type: 'array',
  items: { type: 'string' },
  'x-kubernetes-list-type': 'set',
  'x-kubernetes-list-map-keys': ['a'],
});
field('map without items', { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] });
field('map type', { type: 'object', 'x-kubernetes-map-type': 'loose' });
field('map type of list', { type: 'array', items: { type: 'string' }, 'x-kubernetes-map-type': 'atomic' });
field('default of wrong type', { type: 'string', default: 5 });
field('default out of range', { type: 'integer', default: 5, maximum: 3, minimum: 7 });
field('default with unknown field', {
  type: 'object',
  default: { a: 'x', b: 1 },
  properties: { a: { type: 'string' } },
});
field('default without required', {
  type: 'object',
  default: {},
  required: ['a'],
  properties: { a: { type: 'string', default: 'x' } },
});
field('default not in enum', { type: 'string', default: 'c', enum: ['a', 'b'] });
field('default with format', { type: 'string', default: 'x', format: 'date' });
field('default with odd format', { type: 'number', default: 5, format: 'odd' });
field('default of int or string', { 'x-kubernetes-int-or-string': true, default: true });
field('default null', { type: 'string', nullable: true, default: null });
field('default against rule', {
  type: 'integer',
  default: 5,
  'x-kubernetes-validations': [{ rule: 'self < 3', message: 'too many' }],
});
field('default against rule on old', {
  type: 'integer',
  default: 5,
  'x-kubernetes-validations': [{ rule: 'oldSelf.hasValue() && self == oldSelf.value()', optionalOldSelf: true }],
});
field('default in items', {
  type: 'array',
  items: { type: 'object', default: { z: 1 }, properties: { a: { type: 'string', default: 5 } } },
});
field('default in additionalProperties', {
  type: 'object',
  additionalProperties: { type: 'object', properties: { a: { type: 'string', default: 5 } } },
});
field('enum of odd values', { type: 'string', enum: [1, null, { a: 1 }], default: 'x' });
const rule = (name: string, ...rules: unknown[]) =>
  field(`rule: ${name}`, { type: 'string', maxLength: 10, 'x-kubernetes-validations': rules });
rule('fine', { rule: "self != 'x'" });
rule('empty', { rule: ' ' });
rule('not parsed', { rule: "self !== 'x" });
rule('unknown name', { rule: 'selv > 5' });
rule('wrong types', { rule: 'self > 5' });
rule('no boolean', { rule: 'self + self' });
rule('empty message', { rule: 'true', message: ' ' });
rule('message of two lines', { rule: 'true', message: 'a\nb' });
rule('rule of two lines', { rule: 'true\n&& true' });
rule('rule of two lines with message', { rule: 'true\n&& true', message: 'x' });
rule(
  'message expression',
  { rule: 'true', messageExpression: '1 + 1' },
  { rule: 'true', messageExpression: 'self +' },
  { rule: 'true', messageExpression: ' ' },
);
rule('reason', { rule: 'true', reason: 'Bad' }, { rule: 'true', reason: 'FieldValueInvalid' });
rule(
  'field path',
  { rule: 'true', fieldPath: '.a' },
  { rule: 'true', fieldPath: ' ' },
  { rule: 'true', fieldPath: '.a\n' },
);
rule('optionalOldSelf unused', { rule: 'true', optionalOldSelf: true }, { rule: 'true', optionalOldSelf: false });
rule('optionalOldSelf', { rule: "oldSelf.orValue('') == self", optionalOldSelf: true });
rule('oldSelf', { rule: 'oldSelf == self' });
field('rule: paths', {
  type: 'object',
  properties: {
    a: { type: 'object', properties: { 'b.c': { type: 'string' } } },
    m: { type: 'object', additionalProperties: { type: 'string' } },
  },
  'x-kubernetes-validations': [
    '.a',
    ".a['b.c']",
    '.a.b.c',
    ".m['x y']",
    '.m.x',
    'a',
    ".a['b",
    '.m[0]',
    ".a['\\x']",
    '.',
  ].map((fieldPath) => ({ rule: 'true', fieldPath })),
});
field('rule: oldSelf in a list', {
  type: 'array',
  maxItems: 5,
  items: { type: 'string', maxLength: 5, 'x-kubernetes-validations': [{ rule: 'oldSelf == self' }] },
});
field('rule: oldSelf in a map list', {
  type: 'array',
  maxItems: 5,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['a'],
  items: {
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'string', maxLength: 5, 'x-kubernetes-validations': [{ rule: 'oldSelf == self' }] } },
  },
});
field('rule: on unknown data', {
  'x-kubernetes-preserve-unknown-fields': true,
  'x-kubernetes-validations': [{ rule: 'true' }],
});
field('rule: on what rules cannot see', {
  type: 'object',
  properties: { x: { 'x-kubernetes-preserve-unknown-fields': true } },
  'x-kubernetes-validations': [{ rule: 'has(self.x)' }],
});
field('rule: beside a broken schema', {
  type: 'object',
  properties: { x: {} },
  'x-kubernetes-validations': [{ rule: 'nonsense' }],
});
field('rule: beside a broken list type', {
  type: 'object',
  properties: { x: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'bag' } },
  'x-kubernetes-validations': [{ rule: 'nonsense' }],
});
field('rule: in a condition', { type: 'object', allOf: [{ 'x-kubernetes-validations': [{ rule: 'true' }] }] });
