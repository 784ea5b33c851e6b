import { stringifyJson } from '../apimachinery/index.ts';
import type { KindCatalog } from '../catalog/kind-catalog.ts';
import { entityTag } from '../crypto/content-hash.ts';
import { definitionsStorageKey, type StoredDefinition } from '../customresource/custom-definition.ts';
import { customOpenApiKind } from '../customresource/custom-discovery.ts';
import { type CommonDescriptions, customDefinitions } from '../customresource/open-api-definitions.ts';
import type { OpenApiSchema, SchemaSource } from '../customresource/reachable-schemas.ts';
import { notAcceptable, parseAccept } from '../handlers/negotiation.ts';
import type { PathHandler } from '../handlers/request-pipeline.ts';
import { loadOnce } from '../kind/load-once.ts';
import type { ApiResponse } from '../request/api-request.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { BuiltInSchemas } from './built-in-schemas.ts';
import { emptyProtobufDocument, protobufDocumentType } from './openapi-v2-protobuf.ts';
import { openApiV3Index, openApiV3Path } from './openapi-v3-index.ts';

/**
 * Serves `/openapi/v2`, `/openapi/v3` and the documents in its index. A document is created on the first request, and
 * again after its content has changed. The code that creates documents is imported then, because most servers never
 * serve one.
 */
export function openApiHandler(catalog: KindCatalog, store: ObjectStore): PathHandler {
  const documents = new OpenApiDocuments(catalog, store);
  return (context) => {
    const [root, version, ...rest] = context.info.path.split('/').filter((part) => part !== '');
    if (root !== 'openapi' || context.info.method !== 'GET') return undefined;
    if (version === 'v2' && rest.length === 0) return documents.v2(context);
    if (version !== 'v3') return undefined;
    if (rest.length === 0) return documents.v3Index(context);
    const [, group = '', groupVersion = ''] = rest[0] === 'api' ? ['', '', rest[1]] : rest;
    return documents.v3(context, group, groupVersion, rest.join('/'));
  };
}

class OpenApiDocuments {
  readonly #catalog: KindCatalog;
  readonly #store: ObjectStore;
  readonly #made = new Map<string, { generation: number; text: string }>();
  readonly #builtin = loadOnce<BuiltInSchemas>(async () => (await import('./built-in-schemas.ts')).builtInSchemas());

  constructor(catalog: KindCatalog, store: ObjectStore) {
    this.#catalog = catalog;
    this.#store = store;
  }

  v3Index(context: RequestContext): ApiResponse {
    acceptsJson(context);
    const index = openApiV3Index(this.#catalog.apiGroups(), (group, version) => this.#revisionOf(group, version));
    return documentResponse(context, JSON.stringify(index));
  }

  v3(context: RequestContext, group: string, version: string, path: string): Promise<ApiResponse> | undefined {
    const served = this.#catalog
      .apiGroups()
      .find(({ name }) => name === group)
      ?.versions.find((candidate) => candidate.version === version);
    if (served === undefined || openApiV3Path(group, version) !== path) return undefined;
    acceptsJson(context);
    const custom = this.#catalog.isCustomGroup(group);
    return this.#document(context, path, async () => {
      const { openApiV3Document } = await import('./openapi-v3.ts');
      const builtin = await this.#builtin();
      const source = this.#withCustom(
        builtin.v3({ group, version }),
        builtin.common,
        3,
        (itsGroup, itsVersion) => itsGroup === group && itsVersion === version,
      );
      return openApiV3Document(group, served, source, { custom });
    });
  }

  v2(context: RequestContext): ApiResponse | Promise<ApiResponse> {
    if (acceptsOnlyProtobuf(context)) return documentResponse(context, emptyProtobufDocument(), protobufDocumentType);
    acceptsJson(context);
    return this.#document(context, 'v2', async () => {
      const { openApiV2Document } = await import('./openapi-v2.ts');
      const groups = this.#catalog.apiGroups();
      const custom = groups.map(({ name }) => name).filter((name) => this.#catalog.isCustomGroup(name));
      const builtin = await this.#builtin();
      const source = this.#withCustom(builtin.v2(), builtin.common, 2, () => true);
      return openApiV2Document(groups, source, custom);
    });
  }

  async #document(context: RequestContext, name: string, make: () => Promise<object>): Promise<ApiResponse> {
    const { generation } = this.#catalog;
    const known = this.#made.get(name);
    if (known?.generation === generation) return documentResponse(context, known.text);
    const text = stringifyJson(await make());
    this.#made.set(name, { generation, text });
    return documentResponse(context, text);
  }

  #withCustom(
    builtin: SchemaSource,
    common: CommonDescriptions,
    openApi: 2 | 3,
    includes: (group: string, version: string) => boolean,
  ): SchemaSource {
    const definitions = new Map<string, OpenApiSchema>();
    for (const definition of this.#definitions()) {
      for (const kind of this.#catalog.customOf(definition.metadata.name)) {
        if (!includes(kind.names.group, kind.names.version)) continue;
        for (const [name, schema] of customDefinitions(customOpenApiKind(definition, kind), openApi, common)) {
          definitions.set(name, schema);
        }
      }
    }
    return (name) => definitions.get(name) ?? builtin(name);
  }

  #definitions(): readonly StoredDefinition[] {
    const stored = this.#store.resource(definitionsStorageKey).list('');
    return stored.map(({ object }) => object as unknown as StoredDefinition);
  }

  #revisionOf(group: string, version: string): string {
    if (!this.#catalog.isCustomGroup(group)) return 'built in';
    return this.#definitions()
      .filter(({ spec }) => spec.group === group && spec.versions?.some(({ name }) => name === version) === true)
      .map(({ metadata }) => `${metadata.uid} ${metadata.generation}`)
      .join('\n');
  }
}

/** Whether the client accepts only the protobuf form. It has two names, and kubectl still uses the older one. */
function acceptsOnlyProtobuf({ headers }: RequestContext): boolean {
  const types = parseAccept(headers['accept'] ?? '').map(({ type }) => type);
  return types.length > 0 && types.every((type) => protobufTypes.has(type));
}

const protobufTypes = new Set([protobufDocumentType, 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf']);

/** Rejects a client that does not accept JSON with 406, because the other documents have no protobuf form. */
function acceptsJson({ headers }: RequestContext): void {
  const accept = headers['accept'] ?? '';
  if (accept === '') return;
  const types = parseAccept(accept).map(({ type }) => type);
  if (!types.some((type) => type === 'application/json' || type === '*/*' || type === 'application/*')) {
    throw notAcceptable();
  }
}

function documentResponse(
  { headers }: RequestContext,
  document: string | Uint8Array,
  type = 'application/json',
): ApiResponse {
  const etag = entityTag(document);
  const common = { 'content-type': type, etag, vary: 'Accept' };
  if (headers['if-none-match'] === etag) return { status: 304, headers: common, body: new Uint8Array() };
  return { status: 200, headers: common, body: Buffer.from(document) };
}
