import { byMethod, declare, recordField } from '../declarations/class-record.ts';
import type { KindReference, ObjectOfReference, WatchedReference } from '../declarations/class-reference.ts';
import { controllerDecorator, type FunctionStep, type PlainFunction } from '../declarations/controller-decorator.ts';
import type { DeclarationReader } from '../declarations/declaration-reader.ts';
import type { CachedKind } from '../declarations/planned-kind.ts';
import { groupResourceOf } from '../kind/api-resource.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';
import type { TakesMetadata } from './watches.ts';

export interface IndexDeclaration {
  readonly name: string;
  readonly method: string;
  /** The indexed kind; undefined for the reconciled kind. */
  readonly kind?: WatchedReference;
}

type IndexValues = string | readonly string[] | null | undefined;

/** Decorates a method whose parameter is the indexed object. */
type IndexDecorator<R extends WatchedReference> = <F extends (object: ObjectOfReference<R>) => IndexValues>(
  target: object,
  method: string,
  descriptor: TypedPropertyDescriptor<F> & TakesMetadata<R, F>,
) => void;

/**
 * Marks a method that returns the values by which the cache indexes an object. Without `kind`, it indexes the reconciled kind;
 * `kind` is a kind that the controller owns or watches. Find objects with `lister.byIndex(name, value)`. The method is called
 * once for each version of an object and must be pure and fast. It returns a string, a list of strings, or nothing.
 */
export function Index(name: string): (target: object, method: string) => void;
export function Index<R extends WatchedReference>(name: string, kind: R): IndexDecorator<R>;
export function Index(name: string, ...kind: readonly WatchedReference[]): (target: object, method: string) => void {
  return (target, method) => {
    const declaration: IndexDeclaration =
      kind.length === 0 ? { name, method } : { name, method, kind: kind[0] as WatchedReference };
    declare(index.record, target, declaration);
  };
}

/** The descriptor of `@Index`. */
export const index = controllerDecorator({
  name: 'Index',
  record: recordField('indexes', byMethod<IndexDeclaration>()),
  plan: planIndexes,
  step: (name: string, valuesOf: PlainFunction, ...kind: readonly [KindReference?]): FunctionStep => ({
    on: 'method',
    does: valuesOf,
    unnamed: `index(${String(name)})`,
    // An import cycle passes undefined as the kind, which differs from passing no kind.
    decorate: (Index as (name: string, ...kind: readonly [KindReference?]) => IndexDecorator<never>)(name, ...kind),
  }),
});

export interface IndexStep<T extends KubernetesObject, S> {
  /** Same as `@Index`. */
  index(name: string, valuesOf: (object: T, services: S) => IndexValues): this;
  index<R extends WatchedReference>(
    name: string,
    valuesOf: (object: ObjectOfReference<R>, services: S) => IndexValues,
    kind: R,
  ): this;
}

/** An index of a cached kind, and the method that returns its keys. */
export interface PlannedIndex extends CachedKind {
  readonly name: string;
  readonly method: string;
}

export interface PlannedIndexes {
  /** The indexes of the reconciled kind, and of kinds that the controller owns or watches. */
  readonly indexes: readonly PlannedIndex[];
}

function planIndexes(declarations: readonly IndexDeclaration[], reader: DeclarationReader): PlannedIndexes {
  const methods = new Map<string, string>();
  const planned = declarations.flatMap((declaration): PlannedIndex | [] => {
    const { name, method } = declaration;
    const indexed =
      'kind' in declaration ? reader.kind(`${reader.say('Index')}("${name}")`, declaration.kind) : reader.primary;
    if (indexed === undefined) return [];
    const { kind, resource, metadataOnly } = indexed;
    reader.checkParameter(`${reader.say('Index')}("${name}")`, indexed, method);
    const id = `${name} ${groupResourceOf(resource)} ${metadataOnly}`;
    const other = methods.get(id);
    if (other !== undefined) {
      reader.report(
        'duplicate-declaration',
        `${reader.say('Index')}("${name}") is on ${other} and ${method}; give each index a different name`,
      );
    }
    methods.set(id, method);
    const isCached = reader.cached.some((known) => known.kind === kind && known.metadataOnly === metadataOnly);
    // Without the reconciled kind, the list of cached kinds is incomplete.
    if (!isCached && reader.primary !== undefined) {
      const named = metadataOnly ? `Metadata(${kind.name})` : kind.name;
      reader.report(
        'kind-not-cached',
        `${reader.say('Index')}("${name}", ${named}): this controller does not reconcile, own or watch ${named}; add ${reader.say('Owns')} or ${reader.say('Watches')} for it`,
        method,
      );
    }
    return { kind, resource, metadataOnly, name, method };
  });
  return { indexes: planned };
}
