import type { StructuralSchema, ValidationRule } from '../structural-schema.ts';

const rules = (...rules: ValidationRule[]) => ({ 'x-kubernetes-validations': rules });
const integer: StructuralSchema = { type: 'integer' };
const text: StructuralSchema = { type: 'string', maxLength: 20 };

/** A schema with rules of every kind; without `strict` the same structure without rules and limits. */
export function ruleSchema(strict: boolean): StructuralSchema {
  const schema: StructuralSchema = {
    type: 'object',
    ...rules(
      {
        rule: '!has(self.spec.forbidden)',
        fieldPath: '.spec.forbidden',
        reason: 'FieldValueForbidden',
        message: 'is not allowed',
      },
      { rule: "!has(self.metadata.name) || self.metadata.name != 'bad-name'" },
    ),
    properties: {
      spec: {
        type: 'object',
        required: ['min'],
        ...rules(
          { rule: 'self.min <= self.max', message: ' min must not exceed max ' },
          {
            rule: 'self.min != 13',
            messageExpression: "self.max > 0 ? ' unlucky ' : 1 / self.max > 5 ? 'a' : 'below zero'",
            message: 'fallback',
            reason: 'FieldValueRequired',
          },
          {
            rule: '!has(self.name) || self.name != oldSelf.name || self.max == oldSelf.max',
            message: 'max is fixed while name is',
          },
          {
            rule: "!oldSelf.hasValue() || !has(self.once) || oldSelf.value().?once.orValue('') == self.once",
            optionalOldSelf: true,
            message: 'once set stays set',
          },
        ),
        properties: {
          min: { type: 'integer', default: 0 },
          max: { type: 'integer', default: 10, maximum: 100 },
          name: text,
          once: text,
          forbidden: text,
          even: { ...integer, ...rules({ rule: 'self % 2 == 0', reason: 'FieldValueDuplicate' }) },
          divisor: { ...integer, ...rules({ rule: '10 / self > 0' }) },
          immutable: { ...text, ...rules({ rule: 'self == oldSelf', message: 'is immutable' }) },
          lower: { ...text, ...rules({ rule: 'self == self.lowerAscii()', messageExpression: "'line\\nbreak'" }) },
          mixed: { 'x-kubernetes-int-or-string': true, ...rules({ rule: 'self > 5' }) },
          nullable: { ...text, nullable: true, ...rules({ rule: "self != 'x'" }) },
          short: { type: 'string', maxLength: 3, enum: ['a', 'bcd', 'x'] },
          set: {
            type: 'array',
            'x-kubernetes-list-type': 'set',
            maxItems: 5,
            items: { ...text, ...rules({ rule: "self != 'x'" }) },
          },
          map: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            maxItems: 5,
            ...rules({ rule: "self.all(item, item.name != 'no')", fieldPath: '' }),
            items: {
              type: 'object',
              required: ['name'],
              ...rules({
                rule: '!has(self.size) || self.size >= oldSelf.size',
                message: 'must not shrink',
                fieldPath: '.size',
              }),
              properties: {
                name: text,
                size: { type: 'integer', maximum: 50 },
                note: { type: 'string', maxLength: 3 },
              },
            },
          },
          labels: {
            type: 'object',
            maxProperties: 5,
            additionalProperties: { ...text, ...rules({ rule: "self != 'x'", message: 'no x' }) },
          },
          byKey: {
            type: 'object',
            maxProperties: 5,
            ...rules({ rule: "!('a' in self) || self.a > 0", fieldPath: "['a']", message: 'a must be positive' }),
            additionalProperties: integer,
          },
          embedded: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
            ...rules({ rule: "self.kind == 'Pod'", message: 'must be a Pod' }),
          },
          free: {
            'x-kubernetes-preserve-unknown-fields': true,
            type: 'object',
            properties: { a: { ...integer, maximum: 5 } },
          },
          'odd-name': { type: 'object', properties: { 'a.b': { ...integer, ...rules({ rule: 'self > 0' }) } } },
        },
      },
      status: {
        type: 'object',
        ...rules({ rule: 'self.ready <= 3', message: 'too many ready' }),
        properties: { ready: { type: 'integer', maximum: 9, default: 0 } },
      },
    },
  };
  return strict ? schema : lenient(schema);
}

const checks = ['maximum', 'maxLength', 'maxItems', 'maxProperties', 'enum', 'x-kubernetes-validations', 'required'];

function lenient(schema: StructuralSchema): StructuralSchema {
  const isList = schema['x-kubernetes-list-type'] === 'map';
  const kept = Object.entries(schema).filter(([keyword]) => !checks.includes(keyword));
  const relaxed: StructuralSchema = Object.fromEntries(kept);
  if (schema.items !== undefined)
    relaxed.items = { ...lenient(schema.items), ...(isList ? { required: ['name'] } : {}) };
  if (typeof schema.additionalProperties === 'object')
    relaxed.additionalProperties = lenient(schema.additionalProperties);
  if (schema.properties !== undefined) {
    relaxed.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, lenient(property)]),
    );
  }
  return relaxed;
}
