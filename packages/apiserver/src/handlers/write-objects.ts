import { apiVersionOf, StatusError } from '@evenkeel/core';
import { schemaOf } from '@evenkeel/kinds/schemas';
import { compareText, copyJson, goQuote, isJsonObject, type JsonObject, stringifyJson } from '../apimachinery/index.ts';
import { applyObject, describeObject, typeOf } from '../apply/apply-object.ts';
import { managerNameOf } from '../apply/manager.ts';
import { type ApiObject, withSortedKeys } from '../kind/api-object.ts';
import { DecodingError, strictErrorsMax, type TypedDecoding } from '../kind/object-codec.ts';
import type { DeleteOptions } from '../kind/strategy.ts';
import { TypedDecoder } from '../kind/typed-decoder.ts';
import { patchFailed } from '../patch/patch-refusal.ts';
import { deleteObject } from '../registry/delete-object.ts';
import { ignoredFields, type ObjectChange, type WriteResult } from '../registry/object-registry.ts';
import type { WriteRequest } from '../registry/write-request.ts';
import type { ApiResponse } from '../request/api-request.ts';
import { badRequest, conflict, internalError, notFound } from '../status/refusal.ts';
import { strictErrorsInOrder } from '../text/json-text.ts';
import { membersOf, otherTypeOf, typeMismatch } from './body-type.ts';
import { encodedResponse, encodeObject, encodePartial, prepareStored, statusResponse } from './encoding.ts';
import { negotiate, type Representation } from './negotiation.ts';
import { PatchedObject, type PatchType, patchOrError, patchText, patchTypeOf } from './patch-body.ts';
import { deleteOptionsOf, listOptionsOf, type WriteOptions, writeOptionsOf } from './query-options.ts';
import { chunkOf, notThatForm, representedList, representedObject } from './read-objects.ts';
import { bodyText, cannotHandle, missingKind, type ParsedBody, parseBody, parseYaml, warnOf } from './request-body.ts';
import { Selection } from './selection.ts';
import type { ResourceRequest, ServerResources } from './server-resources.ts';
import { tableOf } from './table.ts';

export async function createObject(resource: ResourceRequest): Promise<ApiResponse> {
  const { context, kind, server } = resource;
  const representation = negotiate(context.headers, context.query, { transforms: true });
  const options = writeOptionsOf(context.query, 'CreateOptions');
  const body = await bodyOf(resource, options);
  const object = decodeBody(resource, body, options);
  context.audit?.requestObject(object, () => encodeObject(object, kind));
  if (kind.review !== undefined) {
    const write = writeRequestOf(resource, options, '');
    server.registry.claimFields(write, object);
    const decode = (json: JsonObject): ApiObject => resource.codec.decode(json).object;
    const admitted = await server.registry.admitAction(write, object, decode);
    const answer = await kind.review(context, admitted);
    return encodedResponse(201, encodeObject(answer, kind), representation);
  }
  const result = await server.registry.create(writeRequestOf(resource, options, ''), object);
  return writtenResponse(resource, result, representation);
}

export async function updateObject(resource: ResourceRequest): Promise<ApiResponse> {
  const { context, server, kind } = resource;
  const representation = negotiate(context.headers, context.query, { transforms: true });
  const options = writeOptionsOf(context.query, 'UpdateOptions');
  const object = decodeBody(resource, await bodyOf(resource, options), options);
  context.audit?.requestObject(object, () => encodeObject(object, kind));
  checkName(object, context.info.name, resource.kind.names.namespaced ? context.info.namespace : '');
  const request = writeRequestOf(resource, options, context.info.name);
  const result = await server.registry.update(request, () => copyJson(object), { expectsUid: true });
  return writtenResponse(resource, result, representation);
}

export async function patchObject(resource: ResourceRequest): Promise<ApiResponse> {
  const { context, request, kind, codec, server } = resource;
  const representation = negotiate(context.headers, context.query, { transforms: true });
  const type = patchTypeOf(context.headers['content-type'] ?? '', kind.custom);
  const applies = type === 'application/apply-patch+yaml';
  const options = writeOptionsOf(context.query, 'PatchOptions', applies);
  const text = bodyText(request.body);
  const write = writeRequestOf(resource, options, context.info.name);
  if (applies) {
    const body = await yamlOrError(text);
    if (!(body instanceof Error)) context.audit?.requestPatch(() => stringifyJson(body.value));
    const result = await applyPatch(resource, write, body, options);
    return writtenResponse(resource, result, representation);
  }
  const patch = patchOrError(type, text, options.fieldValidation);
  if (!(patch instanceof Error)) context.audit?.requestPatch(() => patchText(patch));
  const result = await server.registry.update(write, (current) => {
    if (current === undefined) throw notFound(kind.names, write.name);
    const patched = new PatchedObject(valueOr(patch), current, codec.schema);
    const object = decodePatched(resource, type, patched, options);
    checkName(object, write.name, write.namespace);
    if (kind.custom && !object.apiVersion) {
      throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
    }
    return object;
  });
  return writtenResponse(resource, result, representation);
}

/** Throws an error of {@link patchOrError} or {@link yamlOrError}. */
export function valueOr<T>(parsed: T | Error): T {
  if (parsed instanceof Error) throw parsed;
  return parsed;
}

function decodePatched(
  { codec, context, kind, server }: ResourceRequest,
  type: PatchType,
  patched: PatchedObject,
  options: WriteOptions,
): ApiObject {
  const isStrategic = type === 'application/strategic-merge-patch+json';
  const decode = (json: JsonObject): TypedDecoding => {
    if (isStrategic) return codec.decodeApplied(json);
    if (kind.custom) patched.checkRange();
    const other = patchedTypeError(kind, json, server.catalog);
    if (other !== undefined) throw new DecodingError(other);
    return kind.custom || json['apiVersion'] ? codec.decode(json) : withoutVersion(json);
  };
  let decoded: TypedDecoding;
  try {
    decoded = decode(patched.json());
  } catch (error) {
    if (!(error instanceof DecodingError)) throw error;
    throw patched.invalid(isStrategic || kind.custom ? error.message : firstError(() => decode(patched.sortedJson())));
  }
  const found = decoded.strictErrors;
  if (found.length > 0) {
    const isInOrder = kind.custom || found.length === 1 || !decoded.object.apiVersion;
    const sorted = isInOrder ? found : codec.decode(patched.sortedJson()).strictErrors;
    const strictErrors = kind.custom || isStrategic ? sorted : sorted.slice(0, strictErrorsMax);
    if (options.fieldValidation === 'Strict')
      throw patched.invalid(`strict decoding error: ${strictErrors.join(', ')}`);
    if (options.fieldValidation === 'Warn') warnOf(strictErrors, (message) => context.warn(message));
  }
  return decoded.object;
}

/** The message of the error that upstream finds first: it decodes JSON with sorted keys, except after a strategic patch. */
function firstError(decode: () => unknown): string {
  try {
    decode();
  } catch (error) {
    if (error instanceof DecodingError) return error.message;
    throw error;
  }
  throw new Error('the order of keys decides whether a patched object can be decoded');
}

const nullVersion = '.apiVersion accessor error: <nil> is of the type <nil>, expected string';

/** Why the patched JSON cannot be decoded as its kind. */
function patchedTypeError(
  { names, custom }: ResourceRequest['kind'],
  patched: JsonObject,
  catalog: ServerResources['catalog'],
): string | undefined {
  const mismatch = typeMismatch(patched, ['apiVersion', 'kind']);
  if (mismatch !== undefined) return `couldn't get version/kind; ${mismatch}`;
  const { apiVersion, kind } = patched;
  if (String(apiVersion).split('/').length > 2) return `unexpected GroupVersion string: ${String(apiVersion)}`;
  if (custom && !kind) return `Object 'Kind' is missing in '${stringifyJson(withSortedKeys(patched))}'`;
  if (custom) return apiVersion === null ? nullVersion : undefined;
  return otherTypeOf(names, patched, catalog);
}

/** Upstream decodes JSON without an apiVersion as its internal type, of which no field has a name in JSON. */
function withoutVersion(patched: JsonObject): TypedDecoding {
  const unknown = Object.keys(patched).filter((name) => name !== 'apiVersion' && name !== 'kind');
  return {
    object: { metadata: {} } as unknown as ApiObject,
    strictErrors: unknown.toSorted(compareText).map((name) => `unknown field ${goQuote(name)}`),
  };
}

/** Upstream parses the body of an apply after it has looked up the object. */
export function yamlOrError(text: string): Promise<ParsedBody | Error> {
  return parseYaml(text).catch((error: unknown) => {
    if (error instanceof StatusError) return error;
    throw error;
  });
}

function applyPatch(
  resource: ResourceRequest,
  write: WriteRequest,
  body: ParsedBody | Error,
  options: WriteOptions,
): Promise<WriteResult> {
  const { kind, codec, server, context } = resource;
  const change: ObjectChange = (current, versionOf) => {
    const { value: applied, strictErrors } = valueOr(body);
    if (!isJsonObject(applied)) {
      throw badRequest(
        'error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal into Go value of type map[string]interface {}',
      );
    }
    const outcome = applyObject({
      versionOf,
      schema: codec.schema,
      apiVersion: apiVersionOf(kind.names),
      kind: kind.names.kind,
      empty: codec.empty as unknown as JsonObject,
      live: current as unknown as JsonObject | undefined,
      applied,
      manager: options.fieldManager,
      force: options.force === true,
      subresource: write.subresource?.name,
      ignored: ignoredFields(kind, write.subresource?.name),
      now: new Date(server.clock.now()),
    });
    if (outcome.kind === 'conflict') throw outcome.error;
    // Upstream sets defaults only if the apply changes the object. A version that is not stored reads without its defaults.
    const isSame = current !== undefined && !outcome.changed;
    const object = isSame
      ? (copyJson(outcome.object) as unknown as ApiObject)
      : decodeApplied(resource, copyJson(outcome.object), applied);
    if (strictErrors.length > 0) {
      const message = strictErrors.join(', ');
      if (options.fieldValidation === 'Strict')
        throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${message}`);
      if (options.fieldValidation === 'Warn') warnOf(strictErrors, (warning) => context.warn(warning));
    }
    const { uid } = object.metadata;
    if (uid && current === undefined) {
      const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
      throw conflict(kind.names, write.name, why);
    }
    checkName(object, write.name, write.namespace);
    if (outcome.managedFields === undefined) delete object.metadata.managedFields;
    else object.metadata.managedFields = [...outcome.managedFields];
    return object;
  };
  const createIfMissing = write.subresource === undefined;
  return server.registry.update(write, change, { createIfMissing, ownsManagedFields: true });
}

export async function deleteOne(resource: ResourceRequest): Promise<ApiResponse> {
  const { context, kind, server, request } = resource;
  const representation = negotiate(context.headers, context.query, { transforms: true });
  const options = deleteOptionsOf(context.query, await optionsBody(request.body, context));
  const write = writeRequestOf(
    resource,
    { dryRun: (options.dryRun ?? []).length > 0, fieldManager: '' },
    context.info.name,
  );
  warnOfDefault(resource, options);
  const { object, deleted } = await deleteObject(server.registry, write, options);
  const accepted = !deleted && options.orphanDependents === false ? 202 : 200;
  if (!deleted || kind.returnsDeletedObject) {
    return writtenResponse(resource, { object, created: false, stored: undefined }, representation, accepted);
  }
  const { group, plural } = kind.names;
  return statusResponse(
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: {
        name: object.metadata.name,
        ...(group !== '' && { group }),
        kind: plural,
        ...(object.metadata.uid !== undefined && { uid: object.metadata.uid }),
      },
    },
    representation,
  );
}

export async function deleteCollection(resource: ResourceRequest): Promise<ApiResponse> {
  const { context, kind, server, request } = resource;
  const representation = negotiate(context.headers, context.query, { transforms: true });
  const listed = listOptionsOf(context.query, kind, false);
  const options = deleteOptionsOf(context.query, await optionsBody(request.body, context));
  // Upstream reads the list in pages, which makes it exact, and joins them unless the request has a limit.
  const pages = { ...listed, limit: listed.limit === 0 ? Number.POSITIVE_INFINITY : listed.limit };
  const chunk = await chunkOf(resource, new Selection(kind, context.info.namespace, listed), pages);
  const dryRun = (options.dryRun ?? []).length > 0;
  warnOfDefault(resource, options);
  for (const stored of chunk.items) {
    const write = writeRequestOf(resource, { dryRun, fieldManager: '' }, stored.name);
    try {
      await deleteObject(server.registry, { ...write, namespace: stored.namespace }, options, { inCollection: true });
    } catch (error) {
      if ((error as { reason?: string }).reason !== 'NotFound') throw error;
    }
  }
  return representedList(resource, chunk, representation);
}

function warnOfDefault({ context, kind }: ResourceRequest, options: DeleteOptions): void {
  const { deletionWarning } = kind.strategy;
  if (deletionWarning === undefined) return;
  if (options.propagationPolicy === undefined && options.orphanDependents === undefined) context.warn(deletionWarning);
}

const deleteOptions = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';

async function optionsBody(
  body: string | Uint8Array | undefined,
  { headers, audit }: ResourceRequest['context'],
): Promise<Record<string, unknown> | undefined> {
  if (bodyText(body) === '') return undefined;
  const { value } = await parseBody(body, headers['content-type'], { strict: false, kind: 'DeleteOptions' });
  if (!isJsonObject(value)) throw badRequest('decoded object cannot be converted to DeleteOptions');
  try {
    const options = new TypedDecoder({ readsText: true }).struct(value, await schemaOf(deleteOptions));
    // Upstream encodes it with the internal version.
    audit?.requestObject({ ...options, kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/__internal' });
    return options;
  } catch (error) {
    if (error instanceof DecodingError) throw badRequest(error.message);
    throw error;
  }
}

/** The write that a request describes. */
export function writeRequestOf(
  { context, kind, codec }: ResourceRequest,
  options: Pick<WriteOptions, 'dryRun' | 'fieldManager'>,
  name: string,
): WriteRequest {
  const fieldValidation = context.query.get('fieldValidation');
  const rules = kind.subresources.get(context.info.subresource);
  return {
    kind,
    codec,
    user: context.user,
    namespace: kind.names.namespaced ? context.info.namespace : '',
    name,
    ...(rules !== undefined && { subresource: { name: context.info.subresource, rules } }),
    manager: managerNameOf(options.fieldManager, context.headers['user-agent']),
    dryRun: options.dryRun,
    options: {
      ...(options.dryRun && { dryRun: ['All'] }),
      ...(options.fieldManager !== '' && { fieldManager: options.fieldManager }),
      ...(fieldValidation && { fieldValidation }),
    },
    warn: (message) => context.warn(message),
  };
}

export function bodyOf({ request, context, kind }: ResourceRequest, options: WriteOptions): Promise<ParsedBody> {
  const strict = options.fieldValidation !== 'Ignore';
  return parseBody(request.body, context.headers['content-type'], {
    strict,
    kind: kind.names.kind,
    custom: kind.custom,
  });
}

/** Decodes a body as a typed object; an invalid one is rejected with the real server's message. */
function decodeBody(resource: ResourceRequest, body: ParsedBody, options: WriteOptions): ApiObject {
  const { kind, context } = resource;
  const { names } = kind;
  if (body.value === null && kind.custom) throw missingKind(names, body.text, options.fieldValidation === 'Ignore');
  const value = membersOf(body, names.kind);
  checkType(resource, value, body.text, options);
  const decoded = decodeOrRefuse(resource, value);
  // For a custom kind, upstream drops unknown fields by the schema after the decoding, and that list of errors is not limited.
  const all = [...body.strictErrors, ...decoded.strictErrors];
  const strictErrors = kind.custom ? all : strictErrorsOf(body, decoded).slice(0, strictErrorsMax);
  if (strictErrors.length > 0) {
    if (options.fieldValidation === 'Strict') {
      throw badRequest(cannotHandle(names, value, `strict decoding error: ${strictErrors.join(', ')}`));
    }
    if (options.fieldValidation === 'Warn') warnOf(strictErrors, (message) => context.warn(message));
  }
  if (kind.custom) checkVersion(resource, value);
  return decoded.object;
}

/** The errors of a typed body. Of YAML, upstream reports repeated keys first; of JSON, it finds both in one pass. */
function strictErrorsOf(body: ParsedBody, { strictErrors }: TypedDecoding): readonly string[] {
  if (body.strictErrors.length === 0) return strictErrors;
  const isJson = body.strictErrors.every((error) => error.startsWith('duplicate field'));
  return isJson ? strictErrorsInOrder(body.text, new Set(strictErrors)) : [...body.strictErrors, ...strictErrors];
}

function decodeOrRefuse(resource: ResourceRequest, value: JsonObject): TypedDecoding {
  const { codec } = resource;
  try {
    return codec.decode(value, strictErrorsMax);
  } catch (error) {
    if (!(error instanceof DecodingError)) throw error;
    const { names, custom } = resource.kind;
    // Only built-in kinds have a default of the version.
    throw badRequest(cannotHandle(custom ? { ...names, version: '' } : names, value, error.message));
  }
}

/** Decodes the result of an apply. */
function decodeApplied({ codec }: ResourceRequest, result: JsonObject, applied: JsonObject): ApiObject {
  try {
    return codec.decodeApplied(result).object;
  } catch (error) {
    if (!(error instanceof DecodingError)) throw error;
    const why = `unable to convert unstructured object to ${typeOf(applied)}: ${error.message}`;
    throw patchFailed(`failed to convert new object (${describeObject(applied)}) to proper version: ${why}`);
  }
}

/** Rejects a body of another kind or version. If the body omits them, those of the path apply. */
function checkType(
  resource: ResourceRequest,
  value: JsonObject,
  text: string,
  { fieldValidation }: WriteOptions,
): void {
  const { kind, server } = resource;
  const { names, custom } = kind;
  const expected = apiVersionOf(names);
  const apiVersion = value['apiVersion'] ?? '';
  const itsKind = value['kind'] ?? '';
  if (custom) {
    if (itsKind === '') throw missingKind(names, text, fieldValidation === 'Ignore');
    if (value['apiVersion'] !== null) return;
    throw badRequest(cannotHandle({ ...names, version: '' }, value, nullVersion));
  }
  if ((apiVersion === '' || apiVersion === expected) && (itsKind === '' || itsKind === names.kind)) return;
  const given = apiVersion === '' ? expected : String(apiVersion);
  const isItsKind = itsKind === '' || itsKind === names.kind;
  const [group = '', version = ''] = given.includes('/') ? given.split('/', 2) : ['', given];
  const isServed =
    isItsKind && group === names.group && server.catalog.findKind(group, version, names.kind) !== undefined;
  if (isServed) {
    throw badRequest(`the API version in the data (${given}) does not match the expected API version (${expected})`);
  }
  throw badRequest(cannotHandle(names, value, otherTypeOf(names, value, server.catalog) ?? ''));
}

/** Rejects a custom resource of another version, which upstream does after it has reported unknown fields. */
function checkVersion({ kind: { names } }: ResourceRequest, { apiVersion }: JsonObject): void {
  const [given, expected] = [String(apiVersion ?? ''), apiVersionOf(names)];
  if (given === expected) return;
  throw badRequest(`the API version in the data (${given}) does not match the expected API version (${expected})`);
}

export function checkName(object: ApiObject, name: string, namespace: string): void {
  const { name: given = '', namespace: givenNamespace = '' } = object.metadata;
  if (namespace !== '' && givenNamespace !== '' && givenNamespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (given === '') {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (given !== name) {
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  }
}

/** The response to a write: the current object, in the requested form. */
export async function writtenResponse(
  resource: ResourceRequest,
  { object, created, stored }: WriteResult,
  representation: Representation,
  status = created ? 201 : 200,
): Promise<ApiResponse> {
  if (stored !== undefined) {
    await prepareStored(resource.codec, [stored]);
    return encodedResponse(status, await representedObject(resource, stored, representation), representation);
  }
  const { kind, context, server } = resource;
  if (representation.as === 'object') return encodedResponse(status, encodeObject(object, kind), representation);
  if (representation.as === 'PartialObjectMetadata')
    return encodedResponse(status, encodePartial(object), representation);
  if (representation.as !== 'Table') throw notThatForm(kind, representation.as, false);
  const table = tableOf(await kind.printer(), [{ object, json: () => encodeObject(object, kind) }], {
    metadata: object.metadata.resourceVersion === undefined ? {} : { resourceVersion: object.metadata.resourceVersion },
    include: context.query.get('includeObject') === 'None' ? 'None' : 'Metadata',
    now: server.clock.now(),
    headers: true,
    metaVersion: representation.metaVersion,
  });
  return encodedResponse(status, table, representation);
}
