import type { CustomResourceDefinition } from '../custom-resource-definition.ts';

/** A definition, and one thing that the API server holds for or against it. */
export interface CorpusEntry {
  /** A sentence: what the definition shows. */
  readonly name: string;
  readonly isAccepted: boolean;
  /** A request's body, which need not be of the right types. */
  readonly crd: unknown;
  /** What it replaces; undefined where it is new. */
  readonly old?: OldDefinition;
}

/** A definition that is on the server already. */
export interface OldDefinition {
  readonly crd: CustomResourceDefinition;
  /**
   * Whether its kind is served (`established`); whether it is not, because another's is called so (`conflicting`); or
   * whether it is one that is served though no server of today would take it (`grandfathered`).
   */
  readonly state: 'established' | 'conflicting' | 'grandfathered';
}

export const accepts = (name: string, crd: unknown): CorpusEntry => ({ name, isAccepted: true, crd });
export const refuses = (name: string, crd: unknown): CorpusEntry => ({ name, isAccepted: false, crd });

const group = 'crd.example.com';
const metadataOf = { name: `things.${group}` };
const namesOf = { plural: 'things', kind: 'Thing' };
const schemaOf = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } };
const versionOf = { name: 'v1', served: true, storage: true, schema: schemaOf };

/** A definition of nothing but what is given, and what every definition must say. */
function definition(metadata: object, specification: object): CustomResourceDefinition {
  const values = { group, scope: 'Namespaced', names: namesOf, versions: [versionOf], ...specification };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { ...metadataOf, ...metadata },
    spec: values,
  } as CustomResourceDefinition;
}

/** A good definition with other metadata. */
export const metadata = (values: object) => definition(values, {});

/** A good definition with other values in its `spec`. */
export const spec = (values: object) => definition({}, values);

/** The same with other names, of which the plural also names the definition. */
export function names(values: {
  readonly plural?: unknown;
  readonly [name: string]: unknown;
}): CustomResourceDefinition {
  const { plural = namesOf.plural } = values;
  return definition({ name: `${String(plural)}.${group}` }, { names: { ...namesOf, ...values } });
}

/** The same with other values in its version. */
export const version = (values: object) => versions(values);

/** The same with versions of which each has other values; the first is the storage version unless it says otherwise. */
export function versions(...each: readonly object[]): CustomResourceDefinition {
  const all = each.map((values, i) => ({ ...versionOf, name: `v${i + 1}`, storage: i === 0, ...values }));
  return spec({ versions: all });
}

/** The same with another schema, and perhaps other values in its version. */
export const root = (openAPIV3Schema: unknown, values: object = {}) =>
  version({ schema: { openAPIV3Schema }, ...values });

/** The same with a schema for its `spec`. */
export const specOf = (schema: unknown) => root({ type: 'object', properties: { spec: schema } });

/** The same with a schema for its field `spec.a`. */
export const field = (schema: unknown) => specOf({ type: 'object', properties: { a: schema } });

/** The same with rules for a text at `spec.a`. */
export const rules = (...all: readonly unknown[]) =>
  field({ type: 'string', maxLength: 10, 'x-kubernetes-validations': all });
