import { type SchemaNode, schemaOf } from '@evenkeel/kinds/schemas';
import { type CompiledSchema, compileSchema, type StructuralSchema } from '@evenkeel/schema/evaluate';
import { copyJson, type JsonObject, stringifyJson } from '../apimachinery/index.ts';
import { fieldTypeOf } from '../apply/field-type.ts';
import { schemaErrorsOf } from '../apply/schema-check.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { KindVersion, VersionLookup } from '../kind/object-codec.ts';
import { plainError } from './conversion-review.ts';
import { type DefinitionSpec, storageVersionOf, type VersionDefinition } from './custom-definition.ts';
import { customSchemaNode } from './custom-schema.ts';
import type { VersionConverter } from './version-converter.ts';

/** The versions of one definition, served or not, which the codecs of the served ones share. */
export class CustomVersions {
  readonly #spec: DefinitionSpec;
  readonly #converter: VersionConverter | undefined;
  #loaded: Promise<LoadedVersions> | undefined;

  /** `converter` is undefined if versions differ only in their names (strategy None). */
  constructor(spec: DefinitionSpec, converter: VersionConverter | undefined) {
    this.#spec = spec;
    this.#converter = converter;
  }

  load(): Promise<LoadedVersions> {
    this.#loaded ??= schemaOf('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta').then(
      (objectMeta) => new LoadedVersions(this.#spec, this.#converter, objectMeta),
    );
    return this.#loaded;
  }
}

/** Schemas are compiled when they are first used. */
export class LoadedVersions {
  readonly converter: VersionConverter | undefined;
  readonly objectMeta: SchemaNode;
  readonly kind: string;
  readonly storageApiVersion: string;
  readonly #spec: DefinitionSpec;
  readonly #compiled = new Map<string, CompiledSchema>();
  readonly #schemas = new Map<VersionDefinition, SchemaNode>();

  constructor(spec: DefinitionSpec, converter: VersionConverter | undefined, objectMeta: SchemaNode) {
    this.#spec = spec;
    this.converter = converter;
    this.objectMeta = objectMeta;
    this.kind = spec.names?.kind ?? '';
    this.storageApiVersion = this.apiVersionOf(storageVersionOf(spec));
  }

  apiVersionOf(version: string): string {
    return `${this.#spec.group}/${version}`;
  }

  /** The compiled schema of a version; one that accepts everything if the definition does not have the version. */
  compiled(version: string): CompiledSchema {
    let schema = this.#compiled.get(version);
    if (schema === undefined) {
      const { schema: defined, subresources } = this.#find(version) ?? {};
      const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath = '' } = subresources?.scale ?? {};
      schema = compileSchema((defined?.openAPIV3Schema ?? freeForm) as StructuralSchema, {
        ...(subresources?.scale !== undefined && {
          scale: { specReplicasPath, statusReplicasPath, labelSelectorPath },
        }),
      });
      this.#compiled.set(version, schema);
    }
    return schema;
  }

  /** The schema of a version as a graph, for managed fields and apply. */
  schemaOf(version: VersionDefinition): SchemaNode {
    let schema = this.#schemas.get(version);
    if (schema === undefined) {
      schema = customSchemaNode(version.schema?.openAPIV3Schema, this.objectMeta);
      this.#schemas.set(version, schema);
    }
    return schema;
  }

  /** Returns a copy of a stored object, pruned and with the defaults of the version in which it is stored. */
  decoded(stored: ApiObject): ApiObject {
    const object = copyJson(stored);
    const schema = this.compiled(versionIn(stored.apiVersion));
    schema.prune(object);
    schema.default(object);
    return object;
  }

  /**
   * Runs `run` with all versions of the definition, for a request in `apiVersion`. Conversions between two other versions go
   * through that of the request, as upstream.
   */
  lookUp<T>(apiVersion: string, run: (versionOf: VersionLookup) => T): T | Promise<T> {
    const { converter } = this;
    if (converter === undefined) {
      return run(this.#lookUpWith((object, to) => ({ ...object, apiVersion: to })));
    }
    const conversions = new Conversions(converter);
    const versionOf = this.#lookUpWith((object, to) => {
      const from = object['apiVersion'];
      const hub = from === apiVersion || to === apiVersion ? object : conversions.convert(object, apiVersion);
      return from === to ? object : conversions.convert(hub, to);
    });
    return conversions.complete(() => run(versionOf));
  }

  #lookUpWith(convert: (object: JsonObject, to: string) => JsonObject): VersionLookup {
    return (apiVersion) => {
      const version = this.#find(versionIn(apiVersion));
      if (version === undefined || this.apiVersionOf(version.name ?? '') !== apiVersion) return undefined;
      const schema = this.schemaOf(version);
      return { schema, convert: (object) => declared(convert(object, apiVersion), schema) } satisfies KindVersion;
    };
  }

  #find(version: string): VersionDefinition | undefined {
    return (this.#spec.versions ?? []).find(({ name }) => name === version);
  }
}

const freeForm: StructuralSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** Rejects an object with fields that its version does not declare, which upstream does not drop here. */
function declared(object: JsonObject, schema: SchemaNode): JsonObject {
  const errors = schemaErrorsOf(object, fieldTypeOf(schema));
  if (errors !== undefined) throw plainError(errors);
  return object;
}

/** The version in an `apiVersion` of a group. */
export function versionIn(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}

/**
 * Lets a synchronous function use a webhook: a conversion that is not known yet ends the function, which runs again with the
 * result.
 */
class Conversions {
  readonly #converter: VersionConverter;
  readonly #known = new Map<string, { readonly object: JsonObject } | { readonly error: unknown }>();

  constructor(converter: VersionConverter) {
    this.#converter = converter;
  }

  convert(object: JsonObject, apiVersion: string): JsonObject {
    const key = `${apiVersion} ${stringifyJson(object)}`;
    const known = this.#known.get(key);
    if (known === undefined) throw new UnknownConversion(key, object, apiVersion);
    if ('error' in known) throw known.error;
    return known.object;
  }

  complete<T>(run: () => T): T | Promise<T> {
    try {
      return run();
    } catch (error) {
      if (error instanceof UnknownConversion) return this.#learn(error, run);
      throw error;
    }
  }

  async #learn<T>(first: UnknownConversion, run: () => T): Promise<T> {
    for (let unknown = first; ; ) {
      await this.#call(unknown);
      try {
        return run();
      } catch (error) {
        if (!(error instanceof UnknownConversion)) throw error;
        unknown = error;
      }
    }
  }

  async #call({ key, object, apiVersion }: UnknownConversion): Promise<void> {
    try {
      const [converted] = await this.#converter.convert([object as unknown as ApiObject], apiVersion);
      this.#known.set(key, { object: converted as unknown as JsonObject });
    } catch (error) {
      this.#known.set(key, { error });
    }
  }
}

/** Not an error: it carries a conversion out of the function that needs it. */
class UnknownConversion extends Error {
  readonly key: string;
  readonly object: JsonObject;
  readonly apiVersion: string;

  constructor(key: string, object: JsonObject, apiVersion: string) {
    super(`a conversion to ${apiVersion} is not known yet`);
    this.key = key;
    this.object = object;
    this.apiVersion = apiVersion;
  }
}
