import type { CustomResourceDefinition } from '../custom-resource-definition.ts';

/** A definition, and one property for which the API server accepts or rejects it. */
export interface CorpusEntry {
  /** A sentence about the rule that the definition shows. */
  readonly name: string;
  readonly isAccepted: boolean;
  /** A request's body, which may have wrong types. */
  readonly crd: unknown;
  /** The definition that it replaces; undefined for a new one. */
  readonly old?: OldDefinition;
}

/** A definition that already exists on the server. */
export interface OldDefinition {
  readonly crd: CustomResourceDefinition;
  /**
   * Its state: its kind is served (`established`); it is not served, because another kind has the name (`conflicting`); or
   * it is served, but a current server would reject it (`grandfathered`).
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

/** A definition of the given fields and the required fields. */
function definition(metadata: object, specification: object): CustomResourceDefinition {
  const values = { group, scope: 'Namespaced', names: namesOf, versions: [versionOf], ...specification };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { ...metadataOf, ...metadata },
    spec: values,
  } as CustomResourceDefinition;
}

/** A valid definition with other metadata. */
export const metadata = (values: object) => definition(values, {});

/** A valid definition with other values in its `spec`. */
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

/** The same with several versions with different values; the first is the storage version unless another is declared. */
export function versions(...each: readonly object[]): CustomResourceDefinition {
  const all = each.map((values, i) => ({ ...versionOf, name: `v${i + 1}`, storage: i === 0, ...values }));
  return spec({ versions: all });
}

/** The same with another schema, and optionally other values in its version. */
export const root = (openAPIV3Schema: unknown, values: object = {}) =>
  version({ schema: { openAPIV3Schema }, ...values });

/** The same with a schema for its `spec`. */
export const specOf = (schema: unknown) => root({ type: 'object', properties: { spec: schema } });

/** The same with a schema for its field `spec.a`. */
export const field = (schema: unknown) => specOf({ type: 'object', properties: { a: schema } });

/** The same with rules for a string at `spec.a`. */
export const rules = (...all: readonly unknown[]) =>
  field({ type: 'string', maxLength: 10, 'x-kubernetes-validations': all });
