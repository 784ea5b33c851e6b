/**
 * What happens to a value of the one schema that is read and written through the other.
 *
 * - `lost`: it is dropped, or a part of it.
 * - `defaulted`: if it is missing, it gets a value.
 * - `invalid`: it can be rejected.
 * - `undecided`: it is unknown whether the other version accepts it.
 * - `merged`: it is kept, but server-side apply merges it in another way.
 * - `overwritten`: writes of the object change it that did not do so before.
 * - `new-objects`: nothing, if the object has the value. New objects, and those that were stored before the first schema had a
 *   default, get another value or none.
 */
export type DifferenceEffect =
  | 'lost'
  | 'defaulted'
  | 'invalid'
  | 'undecided'
  | 'merged'
  | 'overwritten'
  | 'new-objects';

/** A difference of one keyword at one place. */
export interface KeywordDifference {
  readonly keyword: string;
  readonly effect: DifferenceEffect;
  /** The keyword's value in the schema that the objects come from; undefined if it has none. */
  readonly from?: unknown;
  /** The keyword's value in the schema that the objects are read and written through; undefined if it has none. */
  readonly to?: unknown;
}

/** A difference between two schemas that affects the values of one of them. */
export interface SchemaDifference extends KeywordDifference {
  /** `forward`: it affects values of the first schema in the second one. `backward`: the opposite. */
  readonly direction: 'forward' | 'backward';
  /** The values in an object: `spec.ports[*].name`, `spec.labels.*`; empty for the whole object. */
  readonly path: string;
  /** The place in the schema that the objects come from, as the API server writes it: `.properties[spec].items`. */
  readonly fromPlace: string;
  /** The place in the other schema. If it lacks the value, the place where it would be. */
  readonly toPlace: string;
}
