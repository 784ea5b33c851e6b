import { byMethod, declare, recordField } from '../declarations/class-record.ts';
import type { AnyClass, KindReference, WatchedReference } from '../declarations/class-reference.ts';
import { controllerDecorator, type FunctionStep, type PlainFunction } from '../declarations/controller-decorator.ts';
import type { DeclarationReader } from '../declarations/declaration-reader.ts';
import { permissionFor } from '../declarations/permission.ts';
import type { CachedKind } from '../declarations/planned-kind.ts';
import { nameOfReference } from '../declarations/resolve-reference.ts';
import type { Metadata, MetadataClass } from '../kind/metadata.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';
import { ObjectKey } from '../object/object-key.ts';
import type { Predicate, SeenObject } from '../predicate/object-event.ts';

export interface WatchesOptions<T extends SeenObject = SeenObject> {
  /** Only objects that carry all of these labels are watched. */
  labels?: Readonly<Record<string, string>>;
  /** Only objects for which these fields have these values, by the server's field selectors. */
  fields?: Readonly<Record<string, string>>;
  /**
   * Whether a manager without `namespaces` may hold every Secret, ConfigMap or Pod of the cluster whole. Default false: it
   * refuses to start where nothing selects, for a cluster may hold more of them than an operator has memory for.
   */
  wholeCluster?: boolean;
  /** Which events are mapped; all must let an event pass. Default: every event is. */
  predicates?: readonly Predicate<T>[];
}

export interface WatchesDeclaration extends Omit<WatchesOptions, 'predicates'> {
  readonly kind: WatchedReference;
  readonly method: string;
  readonly predicates?: readonly Predicate[];
}

/** Decorates a method that takes what is watched. */
type MapperDecorator<T extends SeenObject> = <F extends (object: T) => readonly ObjectKey[]>(
  target: object,
  method: string,
  descriptor: TypedPropertyDescriptor<F>,
) => void;

/** The same where that is metadata alone: a parameter that has more, were it optional, would promise what never comes. */
type MetadataMapperDecorator<T extends KubernetesObject> = <F extends (object: Metadata<T>) => readonly ObjectKey[]>(
  target: object,
  method: string,
  descriptor: TypedPropertyDescriptor<F> & TakesMetadata<F>,
) => void;

/** Demanded of a method beside its type; the compiler shows the key where it is not met. */
export type TakesMetadata<F> = F extends (object: infer P) => unknown
  ? Exclude<keyof P, keyof KubernetesObject> extends never
    ? unknown
    : { readonly 'is given metadata alone: write Metadata<YourKind> as the type of its parameter': never }
  : never;

/**
 * Marks a method that maps an object of another kind to the keys it wakes. It is called with the old and with the new
 * object of an update, and the union is woken. It must be quick, may not wait, and has no effect but its answer.
 *
 * Promised: it is called once at the start, before anything runs, with a sample of the kind: frozen, with the name `sample`,
 * the labels that the declaration selects by, and nothing beside its metadata. An answer that is no list of `ObjectKey`
 * fails the start with `invalid-mapper-result`, and so does a key that could name no object, unless what it lacks is a name,
 * or, where the declaration selects, a namespace: those may come from what the sample does not have. Nothing is woken by
 * it, and what the method throws at it is not looked at.
 *
 * Not promised: that a wrong answer for an object of the cluster fails the start. It is told and counted, and costs those
 * keys alone: whoever may create such an object could otherwise keep the operator from starting.
 *
 * With `Metadata(Kind)` it takes a `Metadata<Kind>`; the compiler refuses a method that takes more.
 */
export function Watches<T extends KubernetesObject>(
  kind: KindReference<T>,
  options?: WatchesOptions<T>,
): MapperDecorator<T>;
export function Watches<T extends KubernetesObject>(
  kind: MetadataClass<T> | (() => MetadataClass<T>),
  options?: WatchesOptions<Metadata<T>>,
): MetadataMapperDecorator<T>;
export function Watches(
  kind: WatchedReference,
  options: WatchesOptions<never> = {},
): (target: object, method: string) => void {
  return (target, method) => declare(watches.record, target, { ...options, kind, method } as WatchesDeclaration);
}

/** What follows from `@Watches`. */
export const watches = controllerDecorator({
  name: 'Watches',
  record: recordField('watches', byMethod<WatchesDeclaration>()),
  plan: planWatches,
  permissions: ({ watches: watched, controllerClass: { name } }) =>
    watched.map(({ resource }) => permissionFor(resource, ['list', 'watch'], `${name} watches ${resource.kind}`)),
  step: (kind: WatchedReference, mapper: PlainFunction, options?: WatchesOptions<KubernetesObject>): FunctionStep => ({
    on: 'method',
    does: mapper,
    unnamed: `watches(${nameOfReference(kind)})`,
    decorate: Watches(kind as KindReference, options),
  }),
});

export interface WatchesStep<S> {
  /** As `@Watches`. */
  watches<W extends KubernetesObject>(
    kind: KindReference<W>,
    mapper: (object: W, services: S) => readonly ObjectKey[],
    options?: WatchesOptions<W>,
  ): this;
  watches<W extends KubernetesObject>(
    kind: MetadataClass<W> | (() => MetadataClass<W>),
    mapper: (object: Metadata<W>, services: S) => readonly ObjectKey[],
    options?: WatchesOptions<Metadata<W>>,
  ): this;
}

export interface PlannedWatch extends CachedKind {
  readonly labels: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  /** Whether every object of the cluster may be held whole, whatever the kind. */
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
    const returned = unlistedReturn(reader, watch.method);
    if (returned !== undefined) {
      reader.report(
        'invalid-mapper-result',
        `${reader.say('Watches')} stands on a method whose type says that it returns ${returned}; return a list of ObjectKey, empty where nothing is to be woken, and do not wait`,
        watch.method,
      );
    }
    if (kind === undefined) return [];
    const { labels = {}, fields = {}, wholeCluster, method } = watch;
    return { ...kind, labels, fields, wholeCluster: wholeCluster === true, predicates, method };
  });
  return { watches: planned };
}

/** Built-in classes that a compiler writes down for a type of which no value is a list. */
const unlisted: ReadonlySet<unknown> = new Set([String, Number, Boolean, BigInt, Symbol, Promise, Map, Set, ObjectKey]);

/**
 * What a method returns, where the compiler has written that down and it can be no list. Of a class of the user's nothing is
 * concluded: a compiler that knows no types takes whatever has the name of an alias for it.
 */
function unlistedReturn({ controllerClass }: DeclarationReader, method: string): string | undefined {
  const type: unknown = Reflect.getMetadata('design:returntype', controllerClass.prototype as object, method);
  return unlisted.has(type) ? `a ${(type as AnyClass).name}` : undefined;
}
