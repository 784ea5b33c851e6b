import type { BuiltinResource } from '@evenkeel/kinds/discovery';
import { type SchemaNode, schemaOf } from '@evenkeel/kinds/schemas';
import { type FieldError, goQuote } from '../apimachinery/index.ts';
import { emptyBuiltIn } from '../apply/managed-object.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { ObjectCodec, TypedDecoding, VersionLookup } from '../kind/object-codec.ts';
import type { Strategy } from '../kind/strategy.ts';
import { TypedDecoder } from '../kind/typed-decoder.ts';

/** Creates the codec of a built-in kind in one version. Parses the required definitions on first use. */
export async function builtinCodec(
  apiVersion: string,
  resource: Pick<BuiltinResource, 'kind' | 'definition'>,
  strategy: Strategy,
): Promise<ObjectCodec> {
  const schema = await schemaOf(resource.definition);
  return new BuiltinCodec(apiVersion, resource.kind, schema, strategy);
}

class BuiltinCodec implements ObjectCodec {
  readonly schema: SchemaNode;
  readonly empty: ApiObject;
  readonly #apiVersion: string;
  readonly #kind: string;
  readonly #strategy: Strategy;

  constructor(apiVersion: string, kind: string, schema: SchemaNode, strategy: Strategy) {
    this.schema = schema;
    this.#apiVersion = apiVersion;
    this.#kind = kind;
    this.#strategy = strategy;
    this.empty = emptyBuiltIn(apiVersion, kind, schema) as unknown as ApiObject;
  }

  decode(json: Record<string, unknown>, strictErrorsMax = Number.POSITIVE_INFINITY): TypedDecoding {
    return this.#decode(new TypedDecoder({ readsText: true }), json, strictErrorsMax);
  }

  decodeApplied(json: Record<string, unknown>): TypedDecoding {
    return this.#decode(new TypedDecoder({ converts: true }), json, Number.POSITIVE_INFINITY);
  }

  #decode(decoder: TypedDecoder, json: Record<string, unknown>, strictErrorsMax: number): TypedDecoding {
    const { apiVersion: _, kind: __, ...members } = decoder.struct(json, this.schema);
    const object = { kind: this.#kind, apiVersion: this.#apiVersion, ...members } as unknown as ApiObject;
    this.#strategy.default?.(object);
    const unknownFields = decoder.unknownFields.slice(0, strictErrorsMax);
    return { object, strictErrors: unknownFields.map((field) => `unknown field ${goQuote(field)}`) };
  }

  validate(_object: ApiObject, _old: ApiObject | undefined, found: readonly FieldError[]): readonly FieldError[] {
    return found;
  }

  fromStorage(stored: ApiObject): ApiObject {
    return stored.apiVersion === this.#apiVersion ? stored : { ...stored, apiVersion: this.#apiVersion };
  }

  toStorage(object: ApiObject): ApiObject {
    return object;
  }

  withVersions<T>(run: (versionOf: VersionLookup) => T): T {
    return run(noOtherVersion);
  }
}

const noOtherVersion: VersionLookup = () => undefined;
