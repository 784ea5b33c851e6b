import { EvenkeelError } from '../errors/evenkeel-error.ts';
import { type ApiResource, apiResource, type KindClass } from '../kind/api-resource.ts';
import { declared, recordField, single } from './class-record.ts';
import type { CustomResourceDeclaration } from './custom-resource-declaration.ts';

/** The record of `@CustomResource`. */
export const customResource = recordField('customResource', single<CustomResourceDeclaration>());

/**
 * Returns the API resource of a class: of a built-in kind, or of a class with `@CustomResource`. Throws
 * `missing-custom-resource` for any other class.
 */
export function resourceOf(kind: KindClass): ApiResource {
  const declaration = declared(customResource, kind);
  if (declaration !== undefined) {
    return {
      group: declaration.group,
      version: declaration.version,
      kind: declaration.kind,
      plural: declaration.plural ?? pluralOf(declaration.kind),
      namespaced: declaration.scope !== 'Cluster',
    };
  }
  const builtIn = kind[apiResource];
  if (builtIn !== undefined) return builtIn;
  throw new EvenkeelError(
    'missing-custom-resource',
    `${kind.name} is used as a kind but has no @CustomResource; add @CustomResource({ group, version }) above the class`,
  );
}

/** Returns the English plural of a kind in lower case: `nginxes`, `policies`, `gateways`, `endpoints`. */
export function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (/(?:endpoints|series|species)$/.test(singular) || ownPlurals.has(singular)) return singular;
  if (/(?:s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  if (/[^aeiou]y$/.test(singular)) return `${singular.slice(0, -1)}ies`;
  return `${singular}s`;
}

/** Words whose plural is the same, from gobuffalo/flect plural_rules.go, which controller-gen uses. */
const ownPlurals: ReadonlySet<string> = new Set([
  'aircraft',
  'bison',
  'deer',
  'equipment',
  'fish',
  'grouse',
  'information',
  'jeans',
  'money',
  'moose',
  'news',
  'offspring',
  'police',
  'rice',
  'salmon',
  'sheep',
  'shrimp',
  'swine',
  'trout',
  'tuna',
]);
