import { accepts, type CorpusEntry, field, refuses, root, rules, specOf, versions } from './corpus-entry.fixture.ts';

const text = { type: 'string', maxLength: 10 };
const integer = { type: 'integer' };
const preserving = { 'x-kubernetes-preserve-unknown-fields': true };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const ruled = (schema: object, ...all: readonly (string | object)[]) => ({
  ...schema,
  'x-kubernetes-validations': all.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});
/** A rule on a value of a schema. */
const on = (schema: object, rule: string) => field(ruled(schema, rule));
const keyed = (properties: object) => ({
  type: 'array',
  maxItems: 5,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k'],
  items: object({ k: text, ...properties }, { required: ['k'] }),
});
const changes = ruled(text, 'oldSelf == self');
/** A rule with a fieldPath. */
const pathed = (fieldPath: string) =>
  field(
    ruled(
      object({
        a: object({ 'b.c': text, d: object({ e: text }) }),
        m: { type: 'object', additionalProperties: text },
        l: { type: 'array', items: text },
        "q'": text,
        '': text,
      }),
      { rule: 'true', fieldPath },
    ),
  );

/** The fields of rules. */
const forms: readonly CorpusEntry[] = [
  accepts('A rule is an expression.', rules({ rule: "self != 'x'" })),
  accepts('There may be several rules.', rules({ rule: "self != 'x'" }, { rule: "self != 'y'" })),
  accepts('There may be one rule twice.', rules({ rule: "self != 'x'" }, { rule: "self != 'x'" })),
  accepts('The list of rules may be empty.', rules()),
  refuses('A rule is not empty.', rules({ rule: '' })),
  refuses('A rule is not blank.', rules({ rule: ' \t' })),
  refuses('A rule is there.', rules({ message: 'x' })),
  accepts('A message may be empty.', rules({ rule: 'true', message: '' })),
  refuses('A message is not blank.', rules({ rule: 'true', message: ' ' })),
  refuses('A message has one line.', rules({ rule: 'true', message: 'a\nb' })),
  refuses('A message has no returns.', rules({ rule: 'true', message: 'a\rb' })),
  accepts('A message may end in a line break.', rules({ rule: 'true', message: 'a\n' })),
  refuses('A rule of two lines has a message.', rules({ rule: 'true\n&& true' })),
  accepts('A rule of two lines may have a message.', rules({ rule: 'true\n&& true', message: 'x' })),
  refuses(
    'A rule of two lines has a message that is no expression.',
    rules({ rule: 'true\n&& true', messageExpression: "'x'" }),
  ),
  accepts('A rule may end in a line break.', rules({ rule: 'true\n' })),
  accepts('A message may be an expression.', rules({ rule: 'true', messageExpression: "'not ' + self" })),
  accepts('A message may be said both ways.', rules({ rule: 'true', message: 'x', messageExpression: "'y'" })),
  refuses('A message that is an expression is a text.', rules({ rule: 'true', messageExpression: '1 + 1' })),
  refuses('A message that is an expression compiles.', rules({ rule: 'true', messageExpression: 'self +' })),
  refuses('A message that is an expression is not blank.', rules({ rule: 'true', messageExpression: ' ' })),
  accepts('A message expression may be a string that depends on the value.', {
    ...field(ruled(preservingProperty(), { rule: 'true', messageExpression: 'self.s' })),
  }),
  refuses('A message that is an expression knows its names.', rules({ rule: 'true', messageExpression: 'that' })),
  accepts(
    'A message expression may contain the old value.',
    rules({ rule: 'self == oldSelf', messageExpression: 'oldSelf' }),
  ),
  ...['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'].map((reason) =>
    accepts(`A rule may have the reason ${reason}.`, rules({ rule: 'true', reason })),
  ),
  refuses('The reason of a rule is known.', rules({ rule: 'true', reason: 'Bad' })),
  refuses('The reason of a rule is not empty.', rules({ rule: 'true', reason: '' })),
  refuses(
    'The reason of a rule is not a reason of other errors.',
    rules({ rule: 'true', reason: 'FieldValueNotFound' }),
  ),
  accepts('A rule may be broken at a field.', pathed('.a')),
  accepts('A rule may be broken at a field of a field.', pathed('.a.d.e')),
  accepts('A rule may be broken at a field with a dot.', pathed(".a['b.c']")),
  refuses('A rule is not broken at a field that is not there.', pathed('.z')),
  refuses('A rule is not broken at a field that JavaScript has.', pathed('.constructor')),
  refuses('A dot parts the names of fields.', pathed('.a.b.c')),
  accepts('A rule may be broken at a key.', pathed(".m['x y']")),
  accepts('A rule may be broken at a key with a dot before it.', pathed('.m.x')),
  refuses('A rule is not broken at an item.', pathed('.l[0]')),
  refuses('The path of a rule begins with a dot.', pathed('a')),
  refuses('The path of a rule closes its quotes.', pathed(".a['b")),
  refuses('The path of a rule closes its brackets.', pathed(".a['b.c'")),
  refuses('The path of a rule quotes keys in brackets.', pathed('.m[0]')),
  accepts('The path of a rule may escape quotes.', pathed("['q\\'']")),
  refuses('The path of a rule has escapes that are known.', pathed(".a['\\x']")),
  refuses('The path of a rule is more than a dot.', pathed('.')),
  refuses('The path of a rule does not end in a dot.', pathed('.a.')),
  refuses('The path of a rule is not blank.', pathed(' ')),
  refuses('The path of a rule has no line break.', pathed('.a\n')),
  refuses('The path of a rule has no double quotes.', pathed('.a["b.c"]')),
  refuses('The path of a rule on a text leads nowhere.', rules({ rule: 'true', fieldPath: '.a' })),
];

/** The names that rules may use. */
const expressions: readonly CorpusEntry[] = [
  refuses('A rule is CEL.', rules({ rule: "self !== 'x" })),
  refuses('A rule knows its names.', rules({ rule: 'selv > 5' })),
  refuses('A rule compares values of comparable types.', rules({ rule: 'self > 5' })),
  refuses('A rule is true or false.', rules({ rule: 'self + self' })),
  refuses('A rule is no text.', rules({ rule: 'self' })),
  refuses('A rule calls functions that are there.', rules({ rule: 'self.shout() == self' })),
  refuses('A rule does not ask for the time.', rules({ rule: "now() > timestamp('2020-01-01T00:00:00Z')" })),
  refuses('A rule has patterns that are patterns.', rules({ rule: "self.matches('(')" })),
  refuses('A rule has durations that are durations.', rules({ rule: "duration('x') > duration('1s')" })),
  refuses('A rule has times that are times.', rules({ rule: "timestamp('x') > timestamp('2020-01-01T00:00:00Z')" })),
  refuses('A rule has lists of one type.', rules({ rule: "self in ['a', 1]" })),
  accepts('A rule may use quantities.', rules({ rule: "quantity('1Gi').isGreaterThan(quantity('1Mi'))" })),
  accepts(
    'A rule may use addresses.',
    rules({ rule: "ip('1.2.3.4').family() == 4 && cidr('1.0.0.0/8').prefixLength() == 8" }),
  ),
  accepts('A rule may use formats.', rules({ rule: "!format.dns1123Label().validate('a').hasValue()" })),
  accepts('A rule may use semantic versions.', rules({ rule: "semver('1.2.3').major() == 1" })),
  accepts('A rule may use URLs.', rules({ rule: "url('https://a').getHost() == 'a'" })),
  accepts('A rule may use sets.', rules({ rule: "sets.contains(['a'], ['a'])" })),
  accepts('A rule may sort.', rules({ rule: "['b', 'a'].sort() == ['a', 'b']" })),
  accepts('A rule may use optional values.', rules({ rule: "optional.of(self).orValue('') == self" })),
  accepts('A rule may loop over two variables.', rules({ rule: '[1].all(i, v, i < v)' })),
  refuses('A rule does no mathematics.', rules({ rule: 'math.greatest(1, 2) == 2' })),
  refuses('A rule of a broken type does not compile.', on(integer, "self == 'x'")),
  accepts('A rule may use properties.', on(object({ b: integer }), 'self.b > 1')),
  refuses('A rule speaks of no property that is not there.', on(object({ b: integer }), 'self.c > 1')),
  accepts('A rule may use a date as a timestamp.', on({ type: 'string', format: 'date' }, 'self.getFullYear() > 2000')),
  refuses('A rule speaks of a date as no text.', on({ type: 'string', format: 'date' }, "self.startsWith('2')")),
  accepts('A value whose format has no type in CEL is a string for a rule.', {
    ...on({ type: 'string', format: 'email', maxLength: 9 }, "self.contains('@')"),
  }),
  accepts('A rule may use bytes.', on({ type: 'string', format: 'byte', maxLength: 9 }, 'self.size() > 3')),
  accepts('A rule may use a duration.', on({ type: 'string', format: 'duration' }, "self > duration('1s')")),
  accepts('A rule may use an int-or-string as either type.', {
    ...on({ 'x-kubernetes-int-or-string': true }, "type(self) == int ? self > 1 : self != 'x'"),
  }),
  accepts('A rule may use a number.', on({ type: 'number' }, 'self > 1.5')),
  accepts('A rule may compare a number with an integer.', on({ type: 'number' }, 'self > 1')),
  accepts('A rule may use a list.', on({ type: 'array', maxItems: 5, items: text }, "self.exists(e, e == 'a')")),
  accepts(
    'A rule may use a map.',
    on({ type: 'object', maxProperties: 5, additionalProperties: integer }, 'self.all(k, self[k] > 1)'),
  ),
  accepts('A rule may use escaped names.', {
    ...on(object({ 'a-b': integer, 'c.d': integer, namespace: integer, e__f: integer, 'g/h': integer }), escaped()),
  }),
  refuses('A rule uses no name without escapes.', on(object({ 'a-b': integer }), 'self.a-b > 1')),
  refuses('A rule uses no name that begins with a digit.', on(object({ '1a': integer }), 'has(self.1a)')),
  refuses('A rule uses no name that cannot be escaped.', on(object({ ü: integer }), 'has(self.ü)')),
  accepts('A rule may use names from Object.prototype.', {
    ...on(
      object({ constructor: integer, toString: integer, hasOwnProperty: text }),
      'self.constructor > self.toString',
    ),
  }),
  refuses('A rule cannot use names from Object.prototype.', on(object({ a: integer }), 'has(self.constructor)')),
  accepts('A rule may use __proto__.', {
    ...field(
      ruled(
        JSON.parse('{"type":"object","properties":{"__proto__":{"type":"integer"}}}'),
        'self.__underscores__proto__underscores__ > 1',
      ),
    ),
  }),
  refuses('A rule cannot see unspecified fields.', on(object({ x: preserving }), 'has(self.x)')),
  refuses('What is only preserved has no rules.', field(ruled(preserving, 'true'))),
  accepts('An object that preserves may have rules.', field(ruled({ type: 'object', ...preserving }, 'true'))),
  refuses('A rule cannot see preserved fields.', field(ruled({ type: 'object', ...preserving }, 'has(self.x)'))),
  refuses('Items of a text have no rules.', field({ ...ruled(text, 'true'), items: ruled(text, 'true') })),
  refuses(
    'Values of a text have no rules.',
    field({ ...ruled(text, 'true'), additionalProperties: ruled(text, 'true') }),
  ),
  accepts('Items of a text that has no rules may have some.', field({ ...text, items: ruled(text, 'true') })),
  accepts('A rule of a resource sees name, kind and version.', {
    ...root(
      ruled(object({ spec: object({}) }), "self.metadata.name != 'x' && self.kind != '' && self.apiVersion != ''"),
    ),
  }),
  refuses('A rule of a resource sees no labels.', root(ruled(object({}), "self.metadata.labels['a'] != 'x'"))),
  refuses('A rule of a field sees nothing above it.', on(text, "self.metadata.name != 'x'")),
  accepts('A rule of an embedded resource sees its name.', {
    ...on({ ...object({ a: text }), 'x-kubernetes-embedded-resource': true }, "self.metadata.name != 'x'"),
  }),
  accepts('A rule of null is like any other.', on({ ...text, nullable: true }, "self != 'x'")),
  accepts(
    'A rule may be on a map.',
    on({ type: 'object', additionalProperties: text, maxProperties: 3 }, 'size(self) > 1'),
  ),
  accepts('Rules may be on all levels.', {
    ...root(ruled(object({ spec: ruled(object({ a: ruled(text, "self != ''") }), 'has(self.a)') }), 'has(self.spec)')),
  }),
  refuses('A rule beside a broken schema is not compiled.', {
    ...field({ ...object({ x: {} }), 'x-kubernetes-validations': [{ rule: 'nonsense' }] }),
  }),
  refuses('A rule above a broken list is not compiled.', {
    ...field(ruled(object({ x: { type: 'array', items: text, 'x-kubernetes-list-type': 'bag' } }), 'nonsense')),
  }),
  refuses('A rule beside a broken list is compiled.', {
    ...specOf(
      object({ x: { type: 'array', items: text, 'x-kubernetes-list-type': 'bag' }, y: ruled(text, 'nonsense') }),
    ),
  }),
  refuses('A rule beside a broken default is not compiled.', {
    ...specOf(object({ x: { type: 'string', default: 5 }, y: ruled(text, 'nonsense') })),
  }),
  refuses('All rules that do not compile are reported.', rules({ rule: 'a' }, { rule: 'true' }, { rule: 'b' })),
  refuses('Rules of one version are reported at that version.', {
    ...versions({}, { schema: { openAPIV3Schema: ruled(object({}), 'nonsense') } }),
  }),
];

/** Transition rules. */
const transitions: readonly CorpusEntry[] = [
  accepts('A rule may use the old value.', field(changes)),
  accepts('A rule may use a missing old value.', {
    ...rules({ rule: "oldSelf.orValue('') == self", optionalOldSelf: true }),
  }),
  refuses('An old value that may not be there is no text.', rules({ rule: 'oldSelf == self', optionalOldSelf: true })),
  refuses('An old value that is there is not optional.', rules({ rule: 'oldSelf.hasValue()' })),
  refuses(
    'A rule says that there may be no old value where it speaks of it.',
    rules({ rule: 'true', optionalOldSelf: true }),
  ),
  refuses(
    'A rule says nothing of an old value that it does not speak of.',
    rules({ rule: 'true', optionalOldSelf: false }),
  ),
  accepts('That there is an old value may be said.', rules({ rule: 'self == oldSelf', optionalOldSelf: false })),
  refuses('A message expression with the old value does not make a rule a transition rule.', {
    ...rules({ rule: 'true', messageExpression: 'oldSelf', optionalOldSelf: false }),
  }),
  refuses('Items have no old value.', field({ type: 'array', maxItems: 5, items: changes })),
  refuses('Items of a set have no old value.', {
    ...field({ type: 'array', maxItems: 5, items: changes, 'x-kubernetes-list-type': 'set' }),
  }),
  refuses('Items of a list that is whole have no old value.', {
    ...field({ type: 'array', maxItems: 5, items: changes, 'x-kubernetes-list-type': 'atomic' }),
  }),
  accepts('Items with keys have an old value.', field(keyed({ v: changes }))),
  accepts('A list has an old value.', field(ruled({ type: 'array', maxItems: 5, items: text }, 'self == oldSelf'))),
  refuses('What is below items has no old value.', {
    ...field({ type: 'array', maxItems: 5, items: object({ a: keyed({ v: changes }) }) }),
  }),
  accepts(
    'Values of a map have an old value.',
    field({ type: 'object', maxProperties: 5, additionalProperties: changes }),
  ),
  accepts('Properties of an object that is whole have an old value.', {
    ...field({ ...object({ a: changes }), 'x-kubernetes-map-type': 'atomic' }),
  }),
  refuses('The list nearest to the root is reported.', {
    ...field({ type: 'array', maxItems: 2, items: { type: 'array', maxItems: 2, items: changes } }),
  }),
];

const untyped = { 'x-kubernetes-preserve-unknown-fields': true };

/** Rules on values without a type. */
const typeless: readonly CorpusEntry[] = [
  refuses('The root has a type where it has rules.', root(ruled(untyped, 'true'))),
  refuses('The root has a type where it and a property have rules.', {
    ...root(ruled({ ...untyped, properties: { spec: ruled({ ...text, maxLength: 5 }, "self == 'x'") } }, 'true')),
  }),
  accepts('The root need have no type where only a property has rules.', {
    ...root({ ...untyped, properties: { spec: ruled({ ...text, maxLength: 5 }, "self == 'x'") } }),
  }),
  refuses('A default without a type has no rules.', field({ ...ruled(untyped, 'self > 3'), default: { b: [1] } })),
  refuses('A default without a type is reported once, whatever the rules are.', {
    ...field({ ...ruled(untyped, 'self > 3', 'nonsense', ''), default: 5 }),
  }),
  refuses('A default without a type is reported if the only rule is empty.', {
    ...field({ ...ruled(untyped, ''), default: 5 }),
  }),
];

/** All groups of rules. */
export const ruleEntries: readonly CorpusEntry[] = [...forms, ...expressions, ...transitions, ...typeless];

function preservingProperty(): object {
  return object({ s: text });
}

function escaped(): string {
  return 'self.a__dash__b > 1 && self.c__dot__d > 1 && self.__namespace__ > 1 && self.e__underscores__f > 1 && self.g__slash__h > 1';
}
