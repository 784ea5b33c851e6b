import type { ValidationRule } from '../structural-schema.ts';
import type { CustomResourceDefinition, JsonSchemaProps } from './custom-resource-definition.ts';
import { definitionOf } from './sample-definitions.fixture.ts';

/** Definitions whose rules cost as much as the API server allows, or a little more. */
export const costlyDefinitions: [string, CustomResourceDefinition][] = [];

const sample = (name: string, schema: JsonSchemaProps) => costlyDefinitions.push([name, definitionOf(schema)]);
const object = (properties: { [name: string]: JsonSchemaProps }): JsonSchemaProps => ({ type: 'object', properties });
const withRules = (schema: JsonSchemaProps, ...rules: (string | ValidationRule)[]): JsonSchemaProps => ({
  ...schema,
  'x-kubernetes-validations': rules.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});
const list = (items: JsonSchemaProps, maxItems?: number): JsonSchemaProps => ({
  type: 'array',
  items,
  ...(maxItems === undefined ? {} : { maxItems }),
});
const map = (values: JsonSchemaProps, maxProperties?: number): JsonSchemaProps => ({
  type: 'object',
  additionalProperties: values,
  ...(maxProperties === undefined ? {} : { maxProperties }),
});
const integer: JsonSchemaProps = { type: 'integer' };
const text: JsonSchemaProps = { type: 'string' };
/** Its cost is 2: the variable and the comparison. */
const cheap = withRules(integer, 'self > 0');
const times = (count: number, rule: string) => new Array<string>(count).fill(rule);

for (const maxItems of [5_000_000, 5_000_001, 7_499_999, 7_500_000, 11_250_000, 11_750_000, 50_000_000]) {
  sample(`a rule that costs 2 for each of ${maxItems} items`, list(cheap, maxItems));
}
sample('a rule that costs a hundred times the limit', list(cheap, 500_000_000));
sample('a rule that costs more than that', list(cheap, 500_000_001));
sample('rules that together cost the limit', list(withRules(integer, ...times(10, 'self > 0')), 5_000_000));
sample('rules that together cost more', list(withRules(integer, ...times(11, 'self > 0')), 5_000_000));
sample('many rules of 1 % of the limit', list(withRules(integer, ...times(101, 'self > 0')), 500_000));
sample('many rules of less', list(withRules(integer, ...times(101, 'self > 0')), 499_999));
sample(
  'rules of several costs',
  object({
    a: list(withRules(integer, 'self > 0', 'self + 1 > 0'), 9_000_000),
    b: map(withRules(integer, 'self + 1 + 1 > 0'), 8_000_000),
    c: list(withRules(integer, 'self + 1 + 1 + 1 > 0'), 7_000_000),
    d: list(cheap, 1_000_000),
  }),
);
sample('a list of lists', list(list(cheap, 3000), 3000));
sample('a map of lists', map(list(cheap, 3000), 3000));
sample('a list in a list without limit', list(list(cheap, 10)));
sample('a list without limit in a list', list(list(cheap), 10));
sample('a list of nothing', list(list(withRules(text, 'self.matches(self)'), 5), 0));
sample('an object that takes other properties too', {
  ...object({ a: cheap }),
  additionalProperties: true,
  maxProperties: 6_000_000,
});
sample('items of a known least size', list({ ...object({ a: cheap, b: text }), required: ['a', 'b'] }));
sample('items with a rule of their own', list(withRules({ ...object({ a: text }), required: ['a'] }, "self.a != 'x'")));
sample('all pairs of a list', withRules(list(text), 'self.all(a, self.all(b, a != b))'));
sample(
  'all pairs of a short list',
  withRules(list({ ...text, maxLength: 63 }, 100), 'self.all(a, self.all(b, a != b))'),
);
sample('all pairs of a map', withRules(map(text, 200), 'self.all(a, self.all(b, self[a] != self[b]))'));
sample('a search in long text', withRules(text, 'self.contains(self)', "self.matches('^[a-z]*$')"));
sample('an enum, and an integer or text', {
  type: 'object',
  properties: {
    a: list(withRules({ ...text, enum: ['a', 'abcdefghijklmnop'] }, 'self + self != self')),
    b: list(withRules({ 'x-kubernetes-int-or-string': true }, 'self == 1 || self == string(self)'), 20_000),
  },
});
sample(
  'a message expression',
  withRules(list(text), {
    rule: 'self.size() > 0',
    messageExpression: "self.map(a, self.filter(b, a == b).join(',')).join(';')",
  }),
);
sample(
  'a message expression in a list counts once',
  list(withRules(text, { rule: "self != 'x'", messageExpression: "self + ' is no good'" }), 3_000_000),
);
sample(
  'a rule that does not compile costs nothing, nor does its message',
  withRules(list(text), {
    rule: 'self.all(a, self.all(b, a != c))',
    messageExpression: 'self.all(a, self.all(b, a != b)) ? "" : ""',
  }),
);
sample(
  'a message expression that does not compile, of a costly rule',
  withRules(list(text), { rule: 'self.all(a, self.all(b, a != b))', messageExpression: 'self.all(' }),
);
sample(
  'rules at many levels',
  withRules(
    object({
      a: withRules(list(withRules(list(cheap, 4000), 'self.size() > 0'), 4000), 'self.all(a, a.all(b, b > 0))'),
    }),
    'self.a.size() > 0',
  ),
);
sample(
  'properties that expressions cannot name, or not see',
  withRules(
    object({
      'a/b': withRules(list(text), 'self.all(a, self.all(b, a != b))'),
      c: { 'x-kubernetes-preserve-unknown-fields': true, properties: { d: withRules(text, "self != 'x'") } },
    }),
    'true',
  ),
);
sample('properties of what expressions cannot see', {
  type: 'object',
  properties: {
    c: {
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { d: withRules(list(text), 'self.all(a, self.all(b, a != b))') },
    },
  },
});
sample('an embedded resource', {
  type: 'object',
  'x-kubernetes-validations': [{ rule: 'true' }],
  properties: {
    a: list(
      withRules(
        { ...object({ a: text }), 'x-kubernetes-embedded-resource': true },
        "self.metadata.name != 'x' && self.kind != self.a",
      ),
    ),
  },
});

const [, shared] = costlyDefinitions.find(([name]) => name === 'rules that together cost more') ?? [];
const [version] = shared?.spec?.versions ?? [];
const other = { openAPIV3Schema: object({ spec: list(cheap, 5_000_001) }) };
costlyDefinitions.push(
  ['two versions alike', twoVersions(version?.schema)],
  ['two versions with schemas of their own', twoVersions(other)],
);

function twoVersions(schema: typeof other | NonNullable<typeof version>['schema']): CustomResourceDefinition {
  const versions = [version ?? {}, { ...version, name: 'v2', storage: false, ...(schema && { schema }) }];
  return { ...shared, spec: { ...shared?.spec, versions } };
}
