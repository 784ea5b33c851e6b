import type { SchemaNode } from '@evenkeel/kinds/schemas';
import type { FieldError } from '../apimachinery/index.ts';
import type { ApiObject } from './api-object.ts';

/** The maximum number of errors that strict decoding reports for one JSON text: the limit of `sigs.k8s.io/json`. */
export const strictErrorsMax = 100;

export interface TypedDecoding {
  readonly object: ApiObject;
  /** Unknown fields, as the server reports them: `unknown field "spec.foo"`. Empty if there are none. */
  readonly strictErrors: readonly string[];
}

/** Reads and writes the objects of one kind and version. All methods are synchronous. */
export interface ObjectCodec {
  /**
   * Converts parsed JSON to a typed object: drops fields that are not in the schema and sets defaults. May change and
   * return its argument. Throws {@link DecodingError} if a value cannot have the schema's type. A built-in kind reports
   * at most `strictErrorsMax` unknown fields; default: all.
   */
  decode(json: Record<string, unknown>, strictErrorsMax?: number): TypedDecoding;
  /**
   * Returns all errors of an object: those in `found`, which the strategy found, and those by the schema's own rules
   * (structural schema and CEL of custom kinds).
   */
  validate(
    object: ApiObject,
    old: ApiObject | undefined,
    found: readonly FieldError[],
    isStatus: boolean,
  ): readonly FieldError[];
  /** Converts a stored object to this version. May return its argument; never changes it. */
  fromStorage(stored: ApiObject): ApiObject;
  /** Converts an object of this version to its stored form. */
  toStorage(object: ApiObject): ApiObject;
  /** The schema's root node, for managed fields, apply and strategic patches. */
  readonly schema: SchemaNode;
  /** The initial object of a create, for managed fields. */
  readonly empty: ApiObject;
}

/** A body that cannot be decoded to an object of its kind. The message is Go's; the server adds its own prefix. */
export class DecodingError extends Error {
  override readonly name = 'DecodingError';
}
