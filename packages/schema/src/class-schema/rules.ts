import { escapeFieldName } from '../evaluate/cel/value/field-name.ts';
import type { StructuralSchema, ValidationRule } from '../evaluate/structural-schema.ts';

/** Adds CEL rules to a schema. */
export function addRules(schema: StructuralSchema, rules: readonly ValidationRule[]): void {
  if (rules.length === 0) return;
  schema['x-kubernetes-validations'] = [...(schema['x-kubernetes-validations'] ?? []), ...rules];
}

/** `self.x__dash__y` for the property `x-y`. Only for names that CEL can express. */
export function fieldOf(object: 'self' | 'oldSelf', name: string): string {
  return `${object}.${escapeFieldName(name) ?? name}`;
}

/** A string literal in CEL, which supports all escapes of JSON. */
export function celString(text: string): string {
  return JSON.stringify(text);
}

/** `self.type == "a"`, or `self.type in ["a", "b"]`. */
export function isOneOf(field: string, values: readonly string[]): string {
  const [first = ''] = values;
  return values.length === 1 ? `${field} == ${celString(first)}` : `${field} in [${values.map(celString).join(', ')}]`;
}

/** The opposite of {@link isOneOf}. */
export function isNoneOf(field: string, values: readonly string[]): string {
  const [first = ''] = values;
  return values.length === 1 ? `${field} != ${celString(first)}` : `!(${isOneOf(field, values)})`;
}

/** The `fieldPath` of a rule that leads to a property. */
export function fieldPathOf(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `['${name.replace(/['\\]/g, '\\$&')}']`;
}
