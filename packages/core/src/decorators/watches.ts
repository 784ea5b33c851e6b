import { byMethod, declare, recordField } from '../declarations/class-record.ts';
import type { AnyClass, ObjectOfReference, WatchedReference } from '../declarations/class-reference.ts';
import { controllerDecorator, type FunctionStep, type PlainFunction } from '../declarations/controller-decorator.ts';
import type { DeclarationReader } from '../declarations/declaration-reader.ts';
import { permissionFor } from '../declarations/permission.ts';
import type { CachedKind } from '../declarations/planned-kind.ts';
import { nameOfReference } from '../declarations/resolve-reference.ts';
import type { Metadata } from '../kind/metadata.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';
import { ObjectKey } from '../object/object-key.ts';
import type { Predicate, SeenObject } from '../predicate/object-event.ts';

/** The options of `@Watches`. */
export interface WatchesOptions<T extends SeenObject = SeenObject> {
  /** Watches only objects with all of these labels. Default: all objects. */
  labels?: Readonly<Record<string, string>>;
  /** Watches only objects whose fields have these values, with the server's field selectors. Default: all objects. */
  fields?: Readonly<Record<string, string>>;
  /**
   * Whether a manager without `namespaces` may keep every Secret, ConfigMap or Pod of the cluster in memory. Default: false. A
   * manager with such a watch does not start unless the watch selects objects, because they may need more memory than the
   * operator has.
   */
  wholeCluster?: boolean;
  /** Select the events to map. An event must pass all of them. Default: every event. */
  predicates?: readonly Predicate<T>[];
}

export interface WatchesDeclaration extends Omit<WatchesOptions, 'predicates'> {
  readonly kind: WatchedReference;
  readonly method: string;
  readonly predicates?: readonly Predicate[];
}

/** Decorates a method whose parameter is the watched object. */
type MapperDecorator<R extends WatchedReference> = <F extends (object: ObjectOfReference<R>) => readonly ObjectKey[]>(
  target: object,
  method: string,
  descriptor: TypedPropertyDescriptor<F> & TakesMetadata<R, F>,
) => void;

/**
 * An additional constraint on a method for metadata only. A parameter with more fields, even optional ones, would promise data
 * that never arrives. If it is not met, the compiler's error shows the text.
 */
export type TakesMetadata<R extends WatchedReference, F> = [F] extends [(object: infer P) => unknown]
  ? keyof ObjectOfReference<R> extends keyof Metadata
    ? Exclude<keyof P, keyof KubernetesObject> extends never
      ? unknown
      : 'gets only metadata: write Metadata<YourKind> as the type of its parameter'
    : unknown
  : never;

/**
 * Marks a method that maps an object of another kind to the keys to enqueue. For an update it is called with the old and with
 * the new object, and the keys of both are enqueued. It must be synchronous, fast and without side effects.
 *
 * Promised: it is called once at the start, before anything runs, with a sample of the kind. The sample is frozen and has only
 * metadata: the name `sample`, and the labels that the declaration selects by. The start fails with `invalid-mapper-result` if
 * the method does not return a list of `ObjectKey`, or returns a key that no object can have. Two cases are allowed, because
 * the missing part may come from a field that the sample does not have: an empty name, and, if the declaration selects
 * objects, a missing namespace. The keys for the sample are not enqueued, and an error that the method throws for it is
 * ignored.
 *
 * Not promised: that a wrong result for an object of the cluster fails the start, because a user who may create such an object
 * could otherwise stop the operator. The error is logged and counted, and those keys are not enqueued.
 *
 * With `Metadata(Kind)`, the parameter is a `Metadata<Kind>`; the compiler rejects a method with a larger parameter type.
 */
export function Watches<R extends WatchedReference>(
  kind: R,
  options: WatchesOptions<ObjectOfReference<R>> = {},
): MapperDecorator<R> {
  return (target, method) => declare(watches.record, target, { ...options, kind, method } as WatchesDeclaration);
}

/** The descriptor of `@Watches`. */
export const watches = controllerDecorator({
  name: 'Watches',
  record: recordField('watches', byMethod<WatchesDeclaration>()),
  plan: planWatches,
  permissions: ({ watches: watched, controllerClass: { name } }) =>
    watched.map(({ resource }) => permissionFor(resource, ['list', 'watch'], `${name} watches ${resource.kind}`)),
  step: (
    kind: WatchedReference,
    mapper: PlainFunction,
    options?: WatchesOptions<ObjectOfReference<WatchedReference>>,
  ): FunctionStep => ({
    on: 'method',
    does: mapper,
    unnamed: `watches(${nameOfReference(kind)})`,
    decorate: Watches(kind, options),
  }),
});

export interface WatchesStep<S> {
  /** Same as `@Watches`. */
  watches<R extends WatchedReference>(
    kind: R,
    mapper: (object: ObjectOfReference<R>, services: S) => readonly ObjectKey[],
    options?: WatchesOptions<ObjectOfReference<R>>,
  ): this;
}

/** A watched kind, and how its events are mapped to keys. */
export interface PlannedWatch extends CachedKind {
  readonly labels: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  /** Whether the cache may contain every complete object of the cluster, for any kind. */
  readonly wholeCluster: boolean;
  readonly predicates: readonly Predicate[];
  readonly method: string;
}

export interface PlannedWatches {
  readonly watches: readonly PlannedWatch[];
}

function planWatches(declarations: readonly WatchesDeclaration[], reader: DeclarationReader): PlannedWatches {
  const planned = declarations.flatMap((watch): PlannedWatch | [] => {
    const decorator = `${reader.say('Watches')} on ${watch.method}`;
    reader.checkOptions(decorator, watch, ['kind', 'method', 'labels', 'fields', 'wholeCluster', 'predicates']);
    const predicates = reader.predicates(decorator, watch.predicates);
    const kind = reader.cachedKind(decorator, watch.kind);
    reader.checkParameter(reader.say('Watches'), kind, watch.method);
    const returned = unlistedReturn(reader, watch.method);
    if (returned !== undefined) {
      reader.report(
        'invalid-mapper-result',
        `this ${reader.say('Watches')} method is declared to return ${returned}; return ObjectKey[] synchronously ([] enqueues nothing)`,
        watch.method,
      );
    }
    if (kind === undefined) return [];
    const { labels = {}, fields = {}, wholeCluster, method } = watch;
    return { ...kind, labels, fields, wholeCluster: wholeCluster === true, predicates, method };
  });
  return { watches: planned };
}

/** Built-in classes that a compiler records for types whose values are never lists. */
const unlisted: ReadonlySet<unknown> = new Set([String, Number, Boolean, BigInt, Symbol, Promise, Map, Set, ObjectKey]);

/**
 * Returns the return type of a method if the compiler has recorded it and it cannot be a list. A class of the user proves
 * nothing: a compiler without type information may record a class that only shares the name of a type alias.
 */
function unlistedReturn({ controllerClass }: DeclarationReader, method: string): string | undefined {
  const type: unknown = Reflect.getMetadata('design:returntype', controllerClass.prototype as object, method);
  return unlisted.has(type) ? `a ${(type as AnyClass).name}` : undefined;
}
