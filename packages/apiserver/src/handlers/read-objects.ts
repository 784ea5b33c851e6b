import { apiVersionOf } from '@evenkeel/core';
import { withSortedKeys } from '../kind/api-object.ts';
import type { ApiResponse } from '../request/api-request.ts';
import { badRequest, notFound, refusal, tooLargeResourceVersion } from '../status/refusal.ts';
import { keyOf, type StoredObject } from '../store/stored-object.ts';
import { decodeContinue, encodeContinue } from './continue-token.ts';
import {
  encodedParts,
  encodedResponse,
  encodeListItem,
  encodeStored,
  encodeStoredPartial,
  prepareStored,
} from './encoding.ts';
import { negotiate, type Representation } from './negotiation.ts';
import { type ListOptions, listOptionsOf } from './query-options.ts';
import { revisionOf, revisionOfList } from './resource-version.ts';
import { Selection } from './selection.ts';
import type { ResourceRequest } from './server-resources.ts';
import { includedObjectOf, tableOf } from './table.ts';

export async function getObject(resource: ResourceRequest): Promise<ApiResponse> {
  const { server, context, kind, codec } = resource;
  const { name, namespace } = context.info;
  const representation = negotiate(context.headers, context.query, { transforms: true });
  const revision = revisionOf(context.query.get('resourceVersion') ?? '');
  const stored = server.store.get(kind.storageKey, kind.names.namespaced ? namespace : '', name);
  if (revision > server.store.revision) throw tooLargeResourceVersion(revision, server.store.revision, 1);
  if (stored === undefined) throw notFound(kind.names, name);
  // Upstream reads from the storage and converts again, unless any version will do.
  await prepareStored(codec, [stored], { again: context.query.get('resourceVersion') !== '0' });
  return encodedResponse(200, await representedObject(resource, stored, representation), representation);
}

/** A stored object in the requested form: complete, its metadata, or as a Table with one row. */
export async function representedObject(
  { server, context, kind, codec }: ResourceRequest,
  stored: StoredObject,
  { as, metaVersion }: Representation,
): Promise<string> {
  if (as === 'object') return encodeStored(stored, kind, codec);
  if (as === 'PartialObjectMetadata') return encodeStoredPartial(stored, codec);
  if (as !== 'Table') throw notThatForm(kind, as, false);
  const object = codec.fromStorage(stored.object);
  return tableOf(await kind.printer(), [{ object, json: () => encodeStored(stored, kind, codec) }], {
    metadata: { resourceVersion: String(stored.revision) },
    include: includedObjectOf(context.query),
    now: server.clock.now(),
    headers: true,
    metaVersion,
  });
}

export async function listObjects(resource: ResourceRequest): Promise<ApiResponse> {
  const { context, kind } = resource;
  const representation = negotiate(context.headers, context.query, { transforms: true, watches: true });
  const options = listOptionsOf(context.query, kind, false);
  const selection = new Selection(kind, context.info.namespace, options);
  const chunk = await chunkOf(resource, selection, options);
  return representedList(resource, chunk, representation);
}

/** A list in the requested form: complete, of metadata, or as a Table. */
export async function representedList(
  { server, context, kind, codec }: ResourceRequest,
  { items, revision, continue: token, remaining }: Chunk,
  representation: Representation,
): Promise<ApiResponse> {
  const metadata = {
    resourceVersion: String(revision),
    ...(token !== undefined && { continue: token }),
    ...(remaining !== undefined && { remainingItemCount: remaining }),
  };
  if (representation.as === 'Table') {
    const rows = items.map((stored) => ({
      object: codec.fromStorage(stored.object),
      json: () => encodeStored(stored, kind, codec),
    }));
    const table = tableOf(await kind.printer(), rows, {
      metadata,
      include: includedObjectOf(context.query),
      now: server.clock.now(),
      headers: true,
      metaVersion: representation.metaVersion,
    });
    return encodedResponse(200, table, representation);
  }
  const partial = representation.as !== 'object';
  if (partial && representation.as !== 'PartialObjectMetadataList') throw notThatForm(kind, representation.as, true);
  const head = partial
    ? { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata }
    : {
        kind: kind.names.listKind,
        apiVersion: apiVersionOf(kind.names),
        metadata: kind.custom ? { continue: '', ...metadata } : metadata,
      };
  const encode = partial
    ? (stored: StoredObject): string => encodeStoredPartial(stored, codec)
    : (stored: StoredObject): string => encodeListItem(stored, kind, codec);
  // Upstream writes an empty Go slice of metadata as null.
  if (partial && items.length === 0)
    return encodedResponse(200, JSON.stringify({ ...head, items: null }), representation);
  const { apiVersion, ...others } = head;
  // Upstream writes a list of custom resources as a map, which is sorted.
  const isSorted = kind.custom && !partial;
  const empty = isSorted ? { apiVersion, items: [], ...Object(withSortedKeys(others)) } : { ...head, items: [] };
  return encodedParts(listParts(JSON.stringify(empty), items, encode), representation);
}

/** The text of a list with these items in place of none. */
function* listParts(empty: string, items: readonly StoredObject[], encode: (stored: StoredObject) => string) {
  const start = '"items":[';
  const at = empty.indexOf(`${start}]`) + start.length;
  yield empty.slice(0, at);
  for (const [index, stored] of items.entries()) yield index === 0 ? encode(stored) : `,${encode(stored)}`;
  yield empty.slice(at);
}

/** The error for an object requested as a list, or a list requested as an object; it names the Go type. */
export function notThatForm({ names, custom }: ResourceRequest['kind'], as: string, isList: boolean): Error {
  if (custom && as === 'PartialObjectMetadataList') return refusal(500, '', 'content is not a list');
  const goPackage = names.group === '' ? 'core' : (names.group.split('.')[0] ?? '');
  const goType = custom ? 'unstructured.Unstructured' : `${goPackage}.${names.kind}`;
  const what = isList ? `is a list (*${goType}List)` : `is not a list (*${goType})`;
  const error = refusal(406, 'NotAcceptable', `you requested ${as}, but the requested object ${what}`);
  return error;
}

/** The part of a list that a response has. */
interface Chunk {
  readonly items: readonly StoredObject[];
  readonly revision: number;
  readonly continue?: string;
  readonly remaining?: number;
}

const inconsistentContinue =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';
const listTooOld = 'The resourceVersion for the provided list is too old.';

/** The requested objects of a list, with apiserver's meaning of resourceVersion, resourceVersionMatch, limit and continue. */
export async function chunkOf(
  { server, kind, codec }: ResourceRequest,
  selection: Selection,
  options: ListOptions,
): Promise<Chunk> {
  const { store } = server;
  const history = store.resource(kind.storageKey);
  let revision = store.revision;
  let after = '';
  let limit = options.limit;
  if (options.continue !== '') {
    const token = decodeContinue(options.continue);
    if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    after = token.after;
    if (token.revision > 0) revision = token.revision;
    if (revision > store.revision || revision < history.floor) {
      const error = refusal(410, 'Expired', inconsistentContinue);
      error.status.metadata = { continue: encodeContinue({ revision: -1, after }) };
      throw error;
    }
  } else {
    const asked = revisionOfList(options.resourceVersion);
    const exact = options.resourceVersionMatch === 'Exact' || (options.resourceVersionMatch === '' && limit > 0);
    if (asked > store.revision)
      throw tooLargeResourceVersion(asked, store.revision, exact && selection.isOne ? undefined : 1);
    if (asked > 0 && exact) {
      if (asked < history.floor) throw refusal(410, 'Expired', listTooOld);
      revision = asked;
    }
    if (options.resourceVersion === '0') limit = 0;
  }
  const all =
    revision === store.revision ? history.list(selection.namespace) : history.listAt(selection.namespace, revision);
  await prepareStored(codec, all);
  const rest = after === '' ? all : all.filter((stored) => keyOf(stored.namespace, stored.name) > after);
  const items: StoredObject[] = [];
  for (const [index, stored] of rest.entries()) {
    if (limit > 0 && items.length === limit) {
      const last = items[items.length - 1];
      const key = last === undefined ? '' : keyOf(last.namespace, last.name);
      const remaining = selection.isEmpty ? { remaining: rest.length - index } : {};
      // Upstream does not look whether the selection has more.
      if (selection.isOne) break;
      return { items, revision, continue: encodeContinue({ revision, after: key }), ...remaining };
    }
    if (selection.isEmpty || selection.matches(codec.fromStorage(stored.object))) items.push(stored);
  }
  return { items, revision };
}
