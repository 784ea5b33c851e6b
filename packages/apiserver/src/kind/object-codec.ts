import type { SchemaNode } from '@evenkeel/kinds/schemas';
import type { FieldError, JsonObject } from '../apimachinery/index.ts';
import type { ApiObject } from './api-object.ts';

/** The maximum number of errors that strict decoding reports for one JSON text: the limit of `sigs.k8s.io/json`. */
export const strictErrorsMax = 100;

export interface TypedDecoding {
  readonly object: ApiObject;
  /** Unknown fields, as the server reports them: `unknown field "spec.foo"`. Empty if there are none. */
  readonly strictErrors: readonly string[];
}

/** A version of a kind, for the managed fields that were recorded in it. */
export interface KindVersion {
  readonly schema: SchemaNode;
  /** Converts an object of any version of the kind to this one. Throws StatusError if that fails. */
  convert(object: JsonObject): JsonObject;
}

/** Returns a version of a kind by its `apiVersion`; undefined if the kind does not have it. */
export type VersionLookup = (apiVersion: string) => KindVersion | undefined;

/** Reads and writes the objects of one kind and version. Only methods that may call a webhook return promises. */
export interface ObjectCodec {
  /**
   * Converts parsed JSON to a typed object: drops fields that are not in the schema and sets defaults. May change and
   * return its argument. Throws {@link DecodingError} if a value cannot have the schema's type. A built-in kind reports
   * at most `strictErrorsMax` unknown fields; default: all.
   */
  decode(json: Record<string, unknown>, strictErrorsMax?: number): TypedDecoding;
  /**
   * As `decode`, for the result of an apply, which upstream converts without decoding it again: in custom resources, nulls stay and
   * are rejected later.
   */
  decodeApplied(json: Record<string, unknown>): TypedDecoding;
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
  /**
   * Set if a webhook converts objects: converts stored objects in advance, so that `fromStorage` is synchronous. Returns
   * undefined if there is nothing to wait for. Rejects with a StatusError if the conversion fails. With `again`, objects
   * are converted again whose conversion is known.
   */
  prepare?(stored: readonly ApiObject[], again?: boolean): Promise<void> | undefined;
  /** Converts a stored object to this version. May return its argument; never changes it. */
  fromStorage(stored: ApiObject): ApiObject;
  /** Converts an object of this version to its stored form. Returns a promise only if a webhook converts it. */
  toStorage(object: ApiObject): ApiObject | Promise<ApiObject>;
  /**
   * Runs a pure function that may convert objects between versions. Returns a promise only if a webhook converts them;
   * then the function runs several times.
   */
  withVersions<T>(run: (versionOf: VersionLookup) => T): T | Promise<T>;
  /** The schema's root node, for managed fields, apply and strategic patches. */
  readonly schema: SchemaNode;
  /** The initial object of a create, for managed fields. */
  readonly empty: ApiObject;
}

/** A body that cannot be decoded to an object of its kind. The message is Go's; the server adds its own prefix. */
export class DecodingError extends Error {
  override readonly name = 'DecodingError';
}
