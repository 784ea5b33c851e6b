import type { ValidationRule } from '../../structural-schema.ts';
import type { JsonSchemaProps } from '../custom-resource-definition.ts';
import { accepts, type CorpusEntry, refuses, specOf, versions } from './corpus-entry.fixture.ts';

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
const cheapFor = (maxItems: number) => specOf(list(cheap, maxItems));
/** A rule for all pairs of the items. */
const pairs = 'self.all(a, self.all(b, a != b))';

const schemaOf = (spec: JsonSchemaProps) => ({ schema: { openAPIV3Schema: object({ spec }) } });
const dear = schemaOf(list(withRules(integer, ...times(11, 'self > 0')), 5_000_000));
const costly = schemaOf(list(cheap, 5_000_001));

/** Rules at and slightly above the API server's cost limits. */
export const costEntries: readonly CorpusEntry[] = [
  accepts('A rule may cost 10 million.', cheapFor(5_000_000)),
  refuses('A rule costs at most 10 million.', cheapFor(5_000_001)),
  refuses('A rule costs at most that, and a factor below 1.5 is reported exactly.', cheapFor(7_499_999)),
  refuses('A rule costs at most that, and a factor from 1.5 is rounded.', cheapFor(7_500_000)),
  refuses('A rule costs at most that, and 2.25 times are rounded to even.', cheapFor(11_250_000)),
  refuses('A rule costs at most that, and 2.35 times are rounded down.', cheapFor(11_750_000)),
  refuses('Rules of a schema cost at most 100 million together.', cheapFor(50_000_001)),
  refuses('A rule costs at most that, and a factor of a hundred is reported.', cheapFor(500_000_000)),
  refuses('A rule costs at most that, and a larger factor is reported as more than a hundred.', cheapFor(500_000_001)),
  accepts('Rules of a schema may cost 100 million together.', {
    ...specOf(list(withRules(integer, ...times(10, 'self > 0')), 5_000_000)),
  }),
  refuses('Four of the rules that cost too much together are reported.', {
    ...specOf(list(withRules(integer, ...times(11, 'self > 0')), 5_000_000)),
  }),
  refuses(
    'Rules that cost 1 % each are reported.',
    specOf(list(withRules(integer, ...times(101, 'self > 0')), 500_000)),
  ),
  refuses('Rules that cost less cost too much together, but none of them is reported.', {
    ...specOf(list(withRules(integer, ...times(101, 'self > 0')), 499_999)),
  }),
  refuses('The most expensive rules are reported, not the first.', {
    ...specOf(
      object({
        a: list(withRules(integer, 'self > 0', 'self + 1 > 0'), 9_000_000),
        b: map(withRules(integer, 'self + 1 + 1 > 0'), 8_000_000),
        c: list(withRules(integer, 'self + 1 + 1 + 1 > 0'), 7_000_000),
        d: list(cheap, 1_000_000),
      }),
    ),
  }),
  accepts('A list in a list multiplies.', specOf(list(list(cheap, 2000), 2500))),
  refuses('A list in a list multiplies beyond the limit.', specOf(list(list(cheap, 3000), 3000))),
  refuses('A list in a map multiplies as well.', specOf(map(list(cheap, 3000), 3000))),
  accepts('A list without limit has as many items as a request has room for.', specOf(list(cheap))),
  accepts(
    'Seven rules on a list without limit may cost less than 100 million.',
    specOf(list(withRules(integer, ...times(7, 'self > 0 && self < 9')))),
  ),
  accepts('A list in a list without limit costs by its own items.', specOf(list(list(cheap, 10)))),
  accepts('A list without limit in a list costs by its own items.', specOf(list(list(cheap), 10))),
  accepts(
    'What is in a list of nothing costs nothing.',
    specOf(list(list(withRules(text, 'self.matches(self)'), 5), 0)),
  ),
  refuses('An object that takes other properties is a map to the estimate.', {
    ...specOf({ ...object({ a: cheap }), additionalProperties: true, maxProperties: 6_000_000 }),
  }),
  accepts('Items that are long are few.', specOf(list({ ...object({ a: cheap, b: text }), required: ['a', 'b'] }))),
  accepts('A rule on long items costs little where it compares with short ones.', {
    ...specOf(list(withRules({ ...object({ a: text }), required: ['a'] }, "self.a != 'x'"))),
  }),
  refuses('All pairs of a list without limit cost too much.', specOf(withRules(list(text), pairs))),
  accepts('All pairs of a short list do not.', specOf(withRules(list({ ...text, maxLength: 63 }, 100), pairs))),
  refuses('All pairs of a map of long texts cost too much.', {
    ...specOf(withRules(map(text, 200), 'self.all(a, self.all(b, self[a] != self[b]))')),
  }),
  refuses('A search for long text in long text costs too much.', specOf(withRules(text, 'self.contains(self)'))),
  accepts('A pattern costs by the length of its text.', specOf(withRules(text, "self.matches('^[a-z]*$')"))),
  refuses('A long pattern costs more.', specOf(withRules(text, `self.matches('${'[a-z]'.repeat(60)}')`))),
  accepts('An enum has values whose length is known.', {
    ...specOf(list(withRules({ ...text, enum: ['a', 'abcdefghijklmnop'] }, "self != 'x'"), 1_000_000)),
  }),
  refuses('An integer or text is as long as it may be.', {
    ...specOf(list(withRules({ 'x-kubernetes-int-or-string': true }, 'self == 1 || self == string(self)'), 20_000)),
  }),
  refuses('A message that is an expression costs too.', {
    ...specOf(
      withRules(list(text), {
        rule: 'self.size() > 0',
        messageExpression: "self.map(a, self.filter(b, a == b).join(',')).join(';')",
      }),
    ),
  }),
  refuses('A message that is an expression costs by the longest text that it may be.', {
    ...specOf(
      list(withRules(integer, { rule: 'self > 0', messageExpression: "string(self) + ' is no good'" }), 3_000_000),
    ),
  }),
  refuses('A rule that does not compile costs nothing, nor does its message.', {
    ...specOf(
      withRules(list(text), {
        rule: 'self.all(a, self.all(b, a != c))',
        messageExpression: 'self.all(a, self.all(b, a != b)) ? "" : ""',
      }),
    ),
  }),
  refuses('A rule costs though its message does not compile.', {
    ...specOf(withRules(list(text), { rule: pairs, messageExpression: 'self.all(' })),
  }),
  refuses('Rules at many levels each cost by their own data.', {
    ...specOf(
      withRules(
        object({
          a: withRules(list(withRules(list(cheap, 4000), 'self.size() > 0'), 4000), 'self.all(a, a.all(b, b > 0))'),
        }),
        'self.a.size() > 0',
      ),
    ),
  }),
  refuses('Rules on properties that expressions cannot name or see have costs.', {
    ...specOf(
      withRules(
        object({
          'a/b': withRules(list(text), pairs),
          c: { 'x-kubernetes-preserve-unknown-fields': true, properties: { d: withRules(text, "self != 'x'") } },
        }),
        'true',
      ),
    ),
  }),
  refuses('Rules on properties of invisible data have costs.', {
    ...specOf(
      object({ c: { 'x-kubernetes-preserve-unknown-fields': true, properties: { d: withRules(list(text), pairs) } } }),
    ),
  }),
  refuses('Rules on embedded resources cost by their content.', {
    ...specOf({
      ...withRules(
        object({
          a: list(
            withRules(
              { ...object({ a: text }), 'x-kubernetes-embedded-resource': true },
              "self.metadata.name != 'x' && self.kind != self.a",
            ),
          ),
        }),
        'true',
      ),
    }),
  }),
  refuses('Equal versions are reported once.', versions(dear, dear)),
  refuses('Different versions are reported separately.', versions(dear, costly)),
];
