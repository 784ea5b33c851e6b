import type { ApiStatus } from '@evenkeel/core';
import { apiVersionOf } from '@evenkeel/core';
import type { Tags } from 'yaml';
import { parseJson, stringifyJson } from '../apimachinery/index.ts';
import { type ApiObject, withSortedKeys } from '../kind/api-object.ts';
import { inGoOrder, metadataInGoOrder } from '../kind/go-order.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import type { ObjectCodec } from '../kind/object-codec.ts';
import { type ApiResponse, textResponse } from '../request/api-request.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { Representation } from './negotiation.ts';

/** Waits until stored objects can be read, if a webhook converts them. Then the functions below do not wait. */
export async function prepareStored(
  codec: ObjectCodec,
  stored: readonly StoredObject[],
  options: { readonly again?: boolean } = {},
): Promise<void> {
  if (codec.prepare === undefined) return;
  await codec.prepare(
    stored.map(({ object }) => object),
    options.again,
  );
}

/** The JSON of a stored object in a kind's version, starting with `kind` and `apiVersion`; encoded once. */
export function encodeStored(stored: StoredObject, kind: KindDescription, codec: ObjectCodec): string {
  // A webhook may have converted the object again, and differently.
  const view = codec.prepare === undefined ? kind : codec.fromStorage(stored.object);
  return stored.encoded(view, () => encodeObject(codec.fromStorage(stored.object), kind));
}

/** The metadata of a stored object, of which a webhook may change labels and annotations. */
export function encodeStoredPartial({ object }: StoredObject, codec: ObjectCodec): string {
  return encodePartial(codec.prepare === undefined ? object : codec.fromStorage(object));
}

/** The JSON of an object, with its members in the order in which Go writes them: sorted if the kind has no Go struct. */
export function encodeObject(object: ApiObject, { names, custom, loadedCodec }: KindDescription): string {
  const { kind: _, apiVersion: __, ...members } = object;
  if (custom) return stringifyJson(withSortedKeys({ apiVersion: apiVersionOf(names), kind: names.kind, ...members }));
  return `${headOf(names)}${stringifyJson(inGoOrder(members, loadedCodec?.schema ?? {})).slice(1)}`;
}

/** The JSON of a stored object as an item of a list: items of built-in kinds have no `kind` and `apiVersion`. */
export function encodeListItem(stored: StoredObject, kind: KindDescription, codec: ObjectCodec): string {
  const text = encodeStored(stored, kind, codec);
  return kind.custom ? text : `{${text.slice(headOf(kind.names).length)}`;
}

function headOf(names: KindDescription['names']): string {
  return `{"kind":"${names.kind}","apiVersion":"${apiVersionOf(names)}",`;
}

export function encodePartial(object: ApiObject): string {
  const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: metadataInGoOrder(object) };
  return stringifyJson(partial);
}

/** A response with a JSON body, in the negotiated form. */
export async function encodedResponse(
  status: number,
  json: string,
  representation: Pick<Representation, 'format' | 'pretty'>,
): Promise<ApiResponse> {
  if (representation.format === 'yaml') {
    const { stringify } = await import('yaml');
    const text = stringify(parseJson(json), {
      // A parser of YAML 1.1 reads an unquoted `yes` as a boolean, and an unquoted time as a timestamp.
      version: '1.1',
      customTags: withoutDots,
      sortMapEntries: true,
      indentSeq: false,
      aliasDuplicateObjects: false,
      lineWidth: 0,
    });
    return textResponse(status, 'application/yaml', text);
  }
  const text = representation.pretty ? stringifyJson(parseJson(json), 2) : `${json}\n`;
  return textResponse(status, 'application/json', text);
}

/** The approximate length of the text that is encoded and passed to the transport at a time. */
const sliceLength = 512 * 1024;

/**
 * A response whose JSON is the joined parts. Long JSON is encoded while it is sent, so that a list of 100,000 objects needs little more
 * memory than one of a thousand.
 */
export async function encodedParts(
  parts: Iterable<string>,
  representation: Pick<Representation, 'format' | 'pretty'>,
): Promise<ApiResponse> {
  if (representation.format === 'yaml' || representation.pretty) {
    return await encodedResponse(200, [...parts].join(''), representation);
  }
  const slices = slicesOf(parts);
  const first = slices.next();
  const text = first.done === true ? '' : first.value;
  if (text.length < sliceLength) return await encodedResponse(200, text, representation);
  return { status: 200, headers: { 'content-type': 'application/json' }, body: bytesOf(text, slices) };
}

async function* bytesOf(first: string, others: Iterable<string>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(first);
  for (const slice of others) yield Buffer.from(slice);
  yield Buffer.from('\n');
}

function* slicesOf(parts: Iterable<string>): Generator<string, undefined> {
  let slice: string[] = [];
  let length = 0;
  for (const part of parts) {
    slice.push(part);
    length += part.length;
    if (length < sliceLength) continue;
    yield slice.join('');
    slice = [];
    length = 0;
  }
  if (length > 0) yield slice.join('');
  return undefined;
}

/** The library treats a dot as a float of YAML 1.1, so it quotes a key that is a dot. Go does not quote it. */
function withoutDots(tags: Tags): Tags {
  return tags.map((tag) => {
    if (typeof tag === 'string' || tag.collection !== undefined || tag.test?.test('.') !== true) return tag;
    return { ...tag, test: new RegExp(`(?!\\.$)(?:${tag.test.source})`) };
  });
}

export function statusResponse(
  status: ApiStatus,
  representation: Pick<Representation, 'format' | 'pretty'>,
): Promise<ApiResponse> {
  return encodedResponse(status.code ?? 200, JSON.stringify(status), representation);
}
