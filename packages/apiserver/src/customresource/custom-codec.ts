import { type SchemaNode, schemaOf } from '@evenkeel/kinds/schemas';
import {
  type CompiledSchema,
  compileSchema,
  LimitError,
  NestingDepthError,
  type StructuralSchema,
} from '@evenkeel/schema/evaluate';
import { copyJson, type FieldError, goQuote, jsonEqual } from '../apimachinery/index.ts';
import { emptyCustomResource } from '../apply/managed-object.ts';
import { type ApiObject, withSortedKeys } from '../kind/api-object.ts';
import { DecodingError, type ObjectCodec, strictErrorsMax, type TypedDecoding } from '../kind/object-codec.ts';
import { TypedDecoder } from '../kind/typed-decoder.ts';
import { internalError } from '../status/refusal.ts';
import { type DefinitionSpec, storageVersionOf, type VersionDefinition } from './custom-definition.ts';
import { customSchemaNode } from './custom-schema.ts';
import { scaleErrors } from './scale-rules.ts';

/** The schemas of all versions of one definition, each compiled when it is first needed. */
export type CompiledVersions = (version: string) => CompiledSchema;

export function compiledVersions({ versions = [] }: DefinitionSpec): CompiledVersions {
  const compiled = new Map<string, CompiledSchema>();
  return (version) => {
    let schema = compiled.get(version);
    if (schema === undefined) {
      const defined = versions.find(({ name }) => name === version)?.schema?.openAPIV3Schema;
      schema = compileSchema((defined ?? freeForm) as StructuralSchema);
      compiled.set(version, schema);
    }
    return schema;
  };
}

const freeForm: StructuralSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** The codec of a custom kind in one version. */
export async function customCodec(
  spec: DefinitionSpec,
  version: VersionDefinition,
  compiled: CompiledVersions,
): Promise<ObjectCodec> {
  return new CustomCodec(spec, version, compiled, await schemaOf('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'));
}

/**
 * Decoding prunes before it defaults, and objects that are read go through both again, since their definition may have
 * changed: apiextensions-apiserver's `schemaCoercingDecoder` and `unstructuredDefaulter`.
 */
class CustomCodec implements ObjectCodec {
  readonly schema: SchemaNode;
  readonly empty: ApiObject;
  readonly #spec: DefinitionSpec;
  readonly #version: VersionDefinition;
  readonly #apiVersion: string;
  readonly #storageApiVersion: string;
  readonly #compiled: CompiledVersions;
  readonly #objectMeta: SchemaNode;
  /** What stored objects are in this version. */
  readonly #read = new WeakMap<ApiObject, ApiObject>();

  constructor(spec: DefinitionSpec, version: VersionDefinition, compiled: CompiledVersions, objectMeta: SchemaNode) {
    this.#spec = spec;
    this.#version = version;
    this.#compiled = compiled;
    this.#objectMeta = objectMeta;
    this.#apiVersion = `${spec.group}/${version.name}`;
    this.#storageApiVersion = `${spec.group}/${storageVersionOf(spec)}`;
    this.schema = customSchemaNode(version.schema?.openAPIV3Schema, objectMeta);
    this.empty = emptyCustomResource(this.#apiVersion, spec.names?.kind ?? '') as unknown as ApiObject;
  }

  decode(json: Record<string, unknown>): TypedDecoding {
    const metadata = json['metadata'] ?? {};
    const decoder = new TypedDecoder();
    json['metadata'] = decoder.struct(metadata, this.#objectMeta);
    try {
      const unknown = [...this.#inOrder(decoder.unknownFields, metadata), ...this.#own.prune(json)];
      this.#own.default(json);
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

  validate(
    object: ApiObject,
    old: ApiObject | undefined,
    found: readonly FieldError[],
    isStatus: boolean,
  ): readonly FieldError[] {
    const errors = this.#own.validate(object, { ...(old !== undefined && { old }), found, isStatus });
    const scale = scaleErrors(object, this.#version.subresources?.scale, isStatus);
    // They come before what is said of rules that were not looked at.
    const unchecked = errors.findIndex(({ detail }) => detail.startsWith('some validation rules were not checked'));
    return unchecked < 0 ? [...errors, ...scale] : errors.toSpliced(unchecked, 0, ...scale);
  }

  fromStorage(stored: ApiObject): ApiObject {
    const known = this.#read.get(stored);
    if (known !== undefined) return known;
    const object = this.#convert(stored, this.#apiVersion);
    this.#own.prune(object);
    this.#own.default(object);
    const read = jsonEqual(object, stored) ? stored : object;
    this.#read.set(stored, read);
    return read;
  }

  toStorage(object: ApiObject): ApiObject {
    if (object.apiVersion === this.#storageApiVersion) {
      // It was pruned and defaulted when it was decoded.
      this.#read.set(object, object);
      return object;
    }
    const stored = this.#convert(object, this.#storageApiVersion);
    this.#compiled(storageVersionOf(this.#spec)).prune(stored);
    return stored;
  }

  /** Upstream reads metadata a second time, from JSON that it has written with sorted keys. */
  #inOrder(unknownFields: readonly string[], metadata: unknown): string[] {
    const decoder = new TypedDecoder();
    if (unknownFields.length > 1) decoder.struct(withSortedKeys(metadata), this.#objectMeta);
    const fields = unknownFields.length > 1 ? decoder.unknownFields : unknownFields;
    return fields.slice(0, strictErrorsMax).map((field) => `metadata.${field}`);
  }

  get #own(): CompiledSchema {
    return this.#compiled(this.#version.name ?? '');
  }

  #convert(object: ApiObject, apiVersion: string): ApiObject {
    if (object.apiVersion !== apiVersion && this.#spec.conversion?.strategy === 'Webhook') {
      const kind = `${object.apiVersion}, Kind=${object.kind}`;
      throw internalError(`conversion webhook for ${kind} failed: this server calls no webhooks`);
    }
    return { ...copyJson(object), apiVersion };
  }
}
