import { escapeFieldName } from '../evaluate/cel/value/field-name.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';

/** How deep below a rule's value properties are searched; schemas of built-in types are very deep. */
const maxDepth = 6;

/**
 * The correction of an expression that uses the unescaped name of a property, such as `self.in` or `self.a-b`. Empty if it
 * uses no such name.
 */
export function escapeHint(expression: string, schema: StructuralSchema): string {
  for (const name of namesBelow(schema, maxDepth)) {
    const escaped = escapeFieldName(name);
    if (escaped === undefined || escaped === name) continue;
    const at = expression.indexOf(`.${name}`);
    const next = expression[at + 1 + name.length] ?? '';
    if (at < 0 || /\w/.test(next)) continue;
    return `; the property "${name}" is called ${escaped} in CEL: write ${ownerBefore(expression, at)}.${escaped}`;
  }
  return '';
}

/** `self.a` before the second dot of `self.a.b`. */
function ownerBefore(expression: string, at: number): string {
  return /[\w.]*$/.exec(expression.slice(0, at))?.[0] ?? '';
}

function namesBelow(schema: StructuralSchema, depth: number): Set<string> {
  if (depth === 0) return new Set();
  const { properties = {}, items, additionalProperties: values } = schema;
  const below = [...Object.values(properties), ...(items === undefined ? [] : [items])];
  if (typeof values === 'object') below.push(values);
  return new Set([...Object.keys(properties), ...below.flatMap((part) => [...namesBelow(part, depth - 1)])]);
}
