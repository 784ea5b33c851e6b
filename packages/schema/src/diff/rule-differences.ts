import { jsonEqual } from '../evaluate/apimachinery.ts';
import { checkDepth } from '../evaluate/nesting.ts';
import type { StructuralSchema, ValidationRule } from '../evaluate/structural-schema.ts';
import type { KeywordDifference } from './schema-difference.ts';

const keyword = 'x-kubernetes-validations';

/**
 * The rules of `to` that values of `from` may violate: those that `from` does not have, and those that read values of other
 * types there, because the same expression can then have another result.
 */
export function ruleDifferences(from: StructuralSchema, to: StructuralSchema): KeywordDifference[] {
  const given = new Set((from[keyword] ?? []).map(identityOf));
  const rules = to[keyword] ?? [];
  const isSame = rules.length === 0 || haveSameTypes(from, to);
  return rules
    .filter((rule) => !isSame || !given.has(identityOf(rule)))
    .map((rule) => ({
      keyword,
      effect: 'undecided',
      to: rule.rule,
      ...(given.has(identityOf(rule)) ? { from: rule.rule } : {}),
    }));
}

function identityOf({ rule, optionalOldSelf = false }: ValidationRule): string {
  return `${optionalOldSelf} ${rule}`;
}

/** The keywords that determine the types of values in CEL, and which old value they are compared with. */
const keywordsOfTypes = [
  'type',
  'format',
  'nullable',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
] as const;

/** Whether all values that both schemas have are of the same types in CEL. */
function haveSameTypes(from: StructuralSchema, to: StructuralSchema, depth = 0): boolean {
  checkDepth(depth);
  if (keywordsOfTypes.some((name) => !jsonEqual(from[name], to[name]))) return false;
  const { properties: others = {} } = to;
  for (const [name, below] of Object.entries(from.properties ?? {})) {
    const other = Object.hasOwn(others, name) ? others[name] : undefined;
    if (other !== undefined && !haveSameTypes(below, other, depth + 1)) return false;
  }
  const pairs = [
    [from.items, to.items],
    [from.additionalProperties, to.additionalProperties],
  ] as const;
  return pairs.every(([one, other]) =>
    typeof one === 'object' && typeof other === 'object'
      ? haveSameTypes(one, other, depth + 1)
      : typeof one === typeof other,
  );
}
