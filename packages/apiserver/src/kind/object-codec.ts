import type { SchemaNode } from '@evenkeel/kinds/schemas';
import type { FieldError } from '../apimachinery/index.ts';
import type { ApiObject } from './api-object.ts';

/** How many errors strict decoding reports of one JSON text: the limit of `sigs.k8s.io/json`. */
export const strictErrorsMax = 100;

export interface TypedDecoding {
  readonly object: ApiObject;
  /** Unknown fields, as the server names them: `unknown field "spec.foo"`. Empty where there are none. */
  readonly strictErrors: readonly string[];
}

/** Reads and writes the objects of one kind and version. Synchronous once it is there. */
export interface ObjectCodec {
  /**
   * Makes a typed object of parsed JSON: drops what the schema does not know, fills defaults. May change and return its
   * argument. Throws {@link DecodingError} where a value cannot be of the schema's type. A built-in kind reports
   * `strictErrorsMax` unknown fields at most; default: all.
   */
  decode(json: Record<string, unknown>, strictErrorsMax?: number): TypedDecoding;
  /**
   * Every error of an object: those in `found`, which the strategy has found, and those by the schema's own rules
   * (structural schema and CEL of custom kinds).
   */
  validate(
    object: ApiObject,
    old: ApiObject | undefined,
    found: readonly FieldError[],
    isStatus: boolean,
  ): readonly FieldError[];
  /** What the store holds, in this version. May return its argument; never changes it. */
  fromStorage(stored: ApiObject): ApiObject;
  /** An object of this version as the store keeps it. */
  toStorage(object: ApiObject): ApiObject;
  /** The schema's root node, for managed fields, apply and strategic patches. */
  readonly schema: SchemaNode;
  /** What a create starts from, for managed fields. */
  readonly empty: ApiObject;
}

/** A body that is no object of its kind; the message is Go's, to be put behind the server's own prefix. */
export class DecodingError extends Error {
  override readonly name = 'DecodingError';
}
