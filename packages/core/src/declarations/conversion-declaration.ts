import type { KubernetesObject } from '../object/kubernetes-object.ts';
import type { AnyClass, KindReference } from './class-reference.ts';

/** Paths of this version, and for each the path of the same value in the hub. */
export type FieldMoves = Readonly<Record<string, string>>;

/**
 * How objects of a version are converted to the hub, which is another version of the kind, and back. All versions of a kind are
 * converted through its hub.
 *
 * A conversion in either direction has these steps:
 * 1. It copies the object: fields with the same path keep their values. Fields in `keep` and `omit` are not copied.
 * 2. It moves the fields of `moves`.
 * 3. It calls `toHub` or `fromHub`.
 * 4. It puts fields of `keep` back that an earlier conversion kept.
 *
 * A path has the names of nested properties, and `[*]` for every element of a list: `spec.ports[*].name`. It starts below `spec`,
 * `status` or another property of the object, but not in `metadata`. It cannot contain the keys of maps.
 */
export interface ConversionOptions<
  Hub extends KubernetesObject = KubernetesObject,
  Moves extends FieldMoves = FieldMoves,
  Spoke = KubernetesObject,
> {
  /**
   * The class of the hub, or a function that returns it. All versions of a kind must have the same hub, which itself declares no
   * conversion. The hub does not need to be the storage version: changing one does not change the other.
   */
  readonly hub: KindReference<Hub>;
  /**
   * Fields that the hub has in another place: `{ 'spec.size': 'spec.replicas' }`. The value is not changed. A conversion from the
   * hub moves them back. Below `[*]`, both paths must lead to the same list. Default: none.
   */
  readonly moves?: Moves;
  /**
   * Fields that the other version cannot hold, or not exactly. Their values are kept in the annotation
   * `conversion.evenkeel.dev/VERSION` of the other version's object, as JSON of at most 128 KiB, and are put back when the
   * object is converted back. If a field was changed through the other version in between, the kept value is dropped. For a path
   * with `[*]`, the whole list is kept, and dropped if any of its elements was changed.
   *
   * A kept field is not copied in step 1. If the other version has a field of the same name, `toHub` or `fromHub` must set it.
   * Anybody who can write the object can write the annotation, so kept values are not validated. Default: none.
   */
  readonly keep?: {
    /** Paths of this version that the hub cannot hold. */
    readonly spoke?: readonly string[];
    /** Paths of the hub that this version cannot hold. */
    readonly hub?: readonly string[];
  };
  /**
   * Fields that are not copied in step 1, because the other version does not have them. `toHub` and `fromHub` convert them, or `lossy`
   * accepts their loss. `evenkeel generate` reports a field that only one version has and that is in neither `moves`, `keep` nor
   * `omit`: the API server would reject it in server-side apply. Default: none.
   */
  readonly omit?: {
    /** Paths of this version. */
    readonly spoke?: readonly string[];
    /** Paths of the hub. */
    readonly hub?: readonly string[];
  };
  /**
   * Completes a conversion to the hub. `hub` is the object after the first two steps, and the function changes it. Both objects
   * have their class as prototype, and a `spec` and a `status` if the class declares them. All other fields can be missing, also
   * required ones: in server-side apply, the API server converts objects with only some of their fields. Of the metadata, the
   * function may only change labels and annotations. It must not be async, and must not depend on anything but the object: the API server converts the same object
   * many times. If it throws, the API server rejects the request. Requires `fromHub`.
   */
  readonly toHub?: (spoke: Spoke, hub: Hub) => void;
  /** Completes a conversion from the hub, like `toHub`. Requires `toHub`. */
  readonly fromHub?: (hub: Hub, spoke: Spoke) => void;
}

declare const missing: unique symbol;
interface Missing {
  readonly [missing]: true;
}

/** The type of the value at a path, without undefined. */
type ValueAt<T, Path extends string> = string extends Path
  ? unknown
  : Path extends `${infer First}.${infer Rest}`
    ? ValueAt<StepInto<T, First>, Rest>
    : StepInto<T, Path>;

type StepInto<T, Step extends string> = T extends Missing
  ? T
  : Step extends `${infer Name}[*]`
    ? ElementOf<PropertyOf<T, Name>>
    : PropertyOf<T, Step>;

type PropertyOf<T, Name extends string> = unknown extends T
  ? unknown
  : T extends object
    ? Name extends keyof T
      ? NonNullable<T[Name]>
      : Missing
    : Missing;

type ElementOf<T> = unknown extends T ? unknown : T extends readonly (infer E)[] ? NonNullable<E> : Missing;

/**
 * Nothing to check, or a message for the class that the decorator is on: a path that it or the hub does not have, a
 * field whose type differs in the hub, or a function for another class.
 */
export type ConvertedClass<T extends AnyClass, Hub extends KubernetesObject, Moves extends FieldMoves, Spoke> =
  InstanceType<T> extends Spoke
    ? string extends keyof Moves
      ? unknown
      : [WrongMove<InstanceType<T>, Hub, Moves>] extends [never]
        ? unknown
        : WrongMove<InstanceType<T>, Hub, Moves>
    : 'toHub and fromHub must be for this class';

type WrongMove<T, Hub, Moves extends FieldMoves> = {
  [From in keyof Moves & string]: [ValueAt<T, From>] extends [Missing]
    ? `${From} is not a field of this class`
    : [ValueAt<Hub, Moves[From]>] extends [Missing]
      ? `${Moves[From]} is not a field of the hub`
      : [ValueAt<T, From>] extends [ValueAt<Hub, Moves[From]>]
        ? [ValueAt<Hub, Moves[From]>] extends [ValueAt<T, From>]
          ? never
          : `${From} and ${Moves[From]} have different types`
        : `${From} and ${Moves[From]} have different types`;
}[keyof Moves & string];
