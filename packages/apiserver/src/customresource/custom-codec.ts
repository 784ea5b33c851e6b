import type { SchemaNode } from '@evenkeel/kinds/schemas';
import { type CompiledSchema, LimitError, NestingDepthError } from '@evenkeel/schema/evaluate';
import { aggregateMessage, copyJson, type FieldError, goQuote, jsonEqual } from '../apimachinery/index.ts';
import { emptyCustomResource } from '../apply/managed-object.ts';
import { type ApiObject, withSortedKeys } from '../kind/api-object.ts';
import {
  DecodingError,
  type ObjectCodec,
  strictErrorsMax,
  type TypedDecoding,
  type VersionLookup,
} from '../kind/object-codec.ts';
import { TypedDecoder } from '../kind/typed-decoder.ts';
import type { VersionDefinition } from './custom-definition.ts';
import { type CustomVersions, type LoadedVersions, versionIn } from './custom-versions.ts';
import type { VersionConverter } from './version-converter.ts';

/** Creates the codec of a custom kind in one version. */
export async function customCodec(version: VersionDefinition, versions: CustomVersions): Promise<ObjectCodec> {
  return new CustomCodec(version, await versions.load());
}

/**
 * Prunes before it sets defaults, both on decoding and when a stored object is read, since the definition may have
 * changed: apiextensions-apiserver's `schemaCoercingDecoder` and `unstructuredDefaulter`. A stored object gets the defaults
 * of the version in which it is stored, and is converted and pruned after that.
 */
class CustomCodec implements ObjectCodec {
  readonly schema: SchemaNode;
  readonly empty: ApiObject;
  readonly #version: VersionDefinition;
  readonly #apiVersion: string;
  readonly #versions: LoadedVersions;
  /** Whether an object without a status is read with one. */
  readonly #defaultsStatus: boolean;
  /** Stored objects and their form in this version. */
  readonly #read = new WeakMap<ApiObject, ApiObject>();

  constructor(version: VersionDefinition, versions: LoadedVersions) {
    this.#version = version;
    this.#versions = versions;
    this.#defaultsStatus = version.schema?.openAPIV3Schema?.properties?.['status']?.default !== undefined;
    this.#apiVersion = versions.apiVersionOf(version.name ?? '');
    this.schema = versions.schemaOf(version);
    this.empty = emptyCustomResource(this.#apiVersion, versions.kind) as unknown as ApiObject;
  }

  decode(json: Record<string, unknown>): TypedDecoding {
    return this.#decode(json, false);
  }

  decodeApplied(json: Record<string, unknown>): TypedDecoding {
    return this.#decode(json, true);
  }

  #decode(json: Record<string, unknown>, keepsNulls: boolean): TypedDecoding {
    const metadata = json['metadata'] ?? {};
    const decoder = new TypedDecoder();
    json['metadata'] = decoder.struct(metadata, this.#versions.objectMeta);
    try {
      // Upstream converts and prunes only objects of the kind, and rejects others later.
      const isOwn = this.#isOwn(json);
      const mismatch = keepsNulls || !isOwn ? undefined : this.#own.mismatch(json);
      if (mismatch !== undefined) throw new DecodingError(aggregateMessage([mismatch]));
      const pruned = isOwn ? this.#own.prune(json) : [];
      const unknown = [...this.#inOrder(decoder.unknownFields, metadata), ...pruned];
      this.#own.default(json, { keepsNulls });
      return {
        object: json as unknown as ApiObject,
        strictErrors: unknown.map((field) => `unknown field ${goQuote(field)}`),
      };
    } catch (error) {
      if (error instanceof NestingDepthError) throw new DecodingError('exceeded max depth');
      if (error instanceof LimitError) throw new DecodingError(error.message);
      throw error;
    }
  }

  #isOwn({ apiVersion, kind }: Record<string, unknown>): boolean {
    const groupOf = (text: unknown): string => String(text).split('/')[0] ?? '';
    return kind === this.#versions.kind && groupOf(apiVersion) === groupOf(this.#apiVersion);
  }

  validate(
    object: ApiObject,
    old: ApiObject | undefined,
    found: readonly FieldError[],
    isStatus: boolean,
  ): readonly FieldError[] {
    return this.#own.validate(object, { ...(old !== undefined && { old }), found, isStatus });
  }

  get prepare(): ObjectCodec['prepare'] {
    const { converter } = this.#versions;
    if (converter === undefined) return undefined;
    return (stored, again = false) => {
      const waiting = stored.filter(
        (object) => object.apiVersion !== this.#apiVersion && (again || !this.#read.has(object)),
      );
      return waiting.length === 0 ? undefined : this.#convertStored(converter, waiting);
    };
  }

  async #convertStored(converter: VersionConverter, stored: readonly ApiObject[]): Promise<void> {
    const decoded = stored.map((object) => this.#versions.decoded(object));
    const converted = await converter.convert(decoded, this.#apiVersion);
    for (const [index, object] of converted.entries()) {
      this.#pruned(object);
      this.#read.set(stored[index] as ApiObject, object);
    }
  }

  fromStorage(stored: ApiObject): ApiObject {
    const known = this.#read.get(stored);
    if (known !== undefined) return known;
    const object = this.#versions.decoded(stored);
    if (object.apiVersion !== this.#apiVersion) {
      if (this.#versions.converter !== undefined) throw new Error(`${this.#apiVersion}: read before it was prepared`);
      object.apiVersion = this.#apiVersion;
      this.#pruned(object);
    }
    const read = jsonEqual(object, stored) ? stored : object;
    this.#read.set(stored, read);
    return read;
  }

  toStorage(object: ApiObject): ApiObject | Promise<ApiObject> {
    const { converter, storageApiVersion } = this.#versions;
    if (object.apiVersion === storageApiVersion) {
      // Decoding already pruned the object and set its defaults, but a create has removed the status, with its default.
      if (object['status'] !== undefined || !this.#defaultsStatus) this.#read.set(object, object);
      return object;
    }
    if (converter !== undefined) {
      return converter.convert([object], storageApiVersion).then(([stored]) => this.#pruned(stored as ApiObject));
    }
    return this.#pruned({ ...copyJson(object), apiVersion: storageApiVersion });
  }

  /** What upstream does after every conversion, in place. */
  #pruned(converted: ApiObject): ApiObject {
    const schema = this.#versions.compiled(versionIn(converted.apiVersion));
    schema.prune(converted);
    schema.dropNulls(converted);
    return converted;
  }

  withVersions<T>(run: (versionOf: VersionLookup) => T): T | Promise<T> {
    return this.#versions.lookUp(this.#apiVersion, run);
  }

  /** Upstream reads metadata a second time, from JSON that it has written with sorted keys. */
  #inOrder(unknownFields: readonly string[], metadata: unknown): string[] {
    const decoder = new TypedDecoder();
    if (unknownFields.length > 1) decoder.struct(withSortedKeys(metadata), this.#versions.objectMeta);
    const fields = unknownFields.length > 1 ? decoder.unknownFields : unknownFields;
    return fields.slice(0, strictErrorsMax).map((field) => `metadata.${field}`);
  }

  get #own(): CompiledSchema {
    return this.#versions.compiled(this.#version.name ?? '');
  }
}
