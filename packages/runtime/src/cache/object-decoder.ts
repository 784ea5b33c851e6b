import { keyIs, malformed, scanArray, scanObject, skipSpace, skipValue } from '@evenkeel/apimachinery/json-scan';
import { type ApiResource, apiVersionOf } from '@evenkeel/core';
import { AppliedFieldsKeeper } from './applied-fields.ts';
import type { CachedObject } from './cached-object.ts';
import { ManagedFieldsCut } from './cut-managed-fields.ts';
import type { DroppedAnnotations } from './dropped-annotations.ts';
import type { Projection } from './projection.ts';
import { StringPool } from './string-pool.ts';

/** The contents of one line of a watch. */
export type DecodedEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: CachedObject }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly endsInitialEvents: boolean }
  | { readonly type: 'ERROR'; readonly status: unknown };

/** The metadata of a list. */
export interface ListHead {
  readonly resourceVersion: string;
  readonly continue: string | undefined;
}

/** Thrown for data that cannot be decoded. The message has the name of the object if it is known. */
export class UndecodableError extends Error {
  override readonly name = 'UndecodableError';
}

const measuredOneIn = 32;

const itemsKey = Buffer.from('"items"');
const metadataKey = Buffer.from('"metadata"');

export interface ObjectDecoderOptions {
  /** The managers whose applied fields are stored with the objects. Default: none. */
  readonly managers?: ReadonlySet<string> | undefined;
  /** Default: objects are kept completely. */
  readonly projection?: Projection | undefined;
  readonly transform?: ObjectTransform | undefined;
  /** Default: annotations are kept. */
  readonly dropped?: DroppedAnnotations | undefined;
}

/**
 * Changes an object before it is stored, in place or by returning another one. It must not change `metadata.name`, `namespace`,
 * `uid` and `resourceVersion`. If it throws, the object is skipped and the error is reported.
 */
export type ObjectTransform<T extends CachedObject = CachedObject> = (object: T) => T;

/** Decodes the watches and lists of one kind into objects without managedFields. */
export class ObjectDecoder {
  readonly #apiVersion: string;
  readonly #kind: string;
  readonly #cut = new ManagedFieldsCut();
  readonly #pool = new StringPool();
  readonly #keeper: AppliedFieldsKeeper;
  readonly #projection: Projection | undefined;
  readonly #transform: ObjectTransform | undefined;
  readonly #dropped: DroppedAnnotations | undefined;
  readonly #managers: ReadonlySet<string>;
  #objects = 0;
  #measured = 0;
  #bytes = 0;

  constructor(resource: ApiResource, options: ObjectDecoderOptions = {}) {
    this.#apiVersion = apiVersionOf(resource);
    this.#kind = resource.kind;
    this.#managers = options.managers ?? new Set();
    this.#keeper = new AppliedFieldsKeeper(this.#managers);
    this.#projection = options.projection;
    this.#transform = options.transform;
    this.#dropped = options.dropped;
  }

  /** The mean JSON length of the objects so far, which is about their size in memory. */
  get meanBytes(): number {
    return this.#measured === 0 ? 0 : this.#bytes / this.#measured;
  }

  /** Decodes one line of a watch. */
  watchEvent(line: Buffer): DecodedEvent {
    const event = parse(this.#cut.ofWatchEvent(line), line) as { type?: unknown; object?: unknown } | null;
    switch (event?.type) {
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED':
        return { type: event.type, object: this.#object(event.object, line) };
      case 'BOOKMARK': {
        const { metadata } = (event.object ?? {}) as { metadata?: Partial<CachedObject['metadata']> };
        const { resourceVersion, annotations } = metadata ?? {};
        return {
          type: event.type,
          resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : '',
          endsInitialEvents: annotations?.['k8s.io/initial-events-end'] === 'true',
        };
      }
      case 'ERROR':
        return { type: event.type, status: event.object };
      default:
        throw new UndecodableError(`a line that is not a watch event: ${excerpt(line)}`);
    }
  }

  /** Yields the items of one page. Each is decoded when it is requested. Errors of single items are passed to `report`. */
  *listItems(page: Buffer, report: (error: unknown) => void): Generator<CachedObject, void, undefined> {
    let itemsAt = malformed;
    scanObject(page, skipSpace(page, 0), (member) => {
      if (keyIs(page, member, itemsKey)) itemsAt = member.valueStart;
      return itemsAt === malformed;
    });
    // An empty list may have null, or no items.
    if (itemsAt === malformed || page[itemsAt] === 0x6e) return;
    const items = scanArray(page, itemsAt);
    for (let item = items.next(); ; item = items.next()) {
      if (item.done === true) {
        if (!item.value) throw new UndecodableError('a list with incomplete items');
        return;
      }
      let object: CachedObject | undefined;
      try {
        object = this.#object(parse(this.#cut.ofObject(item.value), item.value), item.value);
      } catch (error) {
        report(error);
      }
      if (object !== undefined) yield object;
    }
  }

  /** Reads the metadata of a list. Throws if the page is not a list. */
  listHead(page: Buffer): ListHead {
    let metadata: { resourceVersion?: unknown; continue?: unknown } | undefined;
    const end = scanObject(page, skipSpace(page, 0), (member) => {
      if (!keyIs(page, member, metadataKey)) return true;
      const text = page.toString('utf8', member.valueStart, skipValue(page, member.valueStart));
      metadata = JSON.parse(text) as typeof metadata;
      return false;
    });
    if (end === malformed || typeof metadata?.resourceVersion !== 'string') {
      throw new UndecodableError(`a response that is not a list: ${excerpt(page)}`);
    }
    const more = metadata.continue;
    return {
      resourceVersion: metadata.resourceVersion,
      continue: typeof more === 'string' && more !== '' ? more : undefined,
    };
  }

  /** Adds apiVersion and kind, which the items of a list omit, and which metadata-only responses replace. */
  #object(value: unknown, bytes: Buffer): CachedObject {
    const wrong = this.#wrongShape(value as Shape | null);
    if (wrong !== undefined) throw new UndecodableError(`${wrong}: ${excerpt(bytes)}`);
    const object = value as CachedObject;
    object.apiVersion = this.#apiVersion;
    object.kind = this.#kind;
    const left: unknown = object.metadata.managedFields;
    // Still present if the JSON was not in the expected form.
    if (left !== undefined) delete object.metadata.managedFields;
    const cut = this.#cut.cut;
    const kept = this.#projected(object);
    if (this.#keeper.isNeeded) this.#keeper.keep(kept, cut === undefined ? left : JSON.parse(cut.toString('utf8')));
    this.#dropped?.removeFrom(kept, this.#managers);
    this.#measure(kept, bytes.length - (cut?.length ?? 0));
    this.#pool.share(kept);
    return kept;
  }

  /** Returns the problem of the fields on which readers of a cache rely. Readers check all other fields. */
  #wrongShape(value: Shape | null): string | undefined {
    const metadata = value?.metadata;
    if (typeof metadata !== 'object' || metadata === null) return 'an object without a name';
    const { kind, apiVersion } = value as Shape;
    const isOther =
      (kind !== undefined && kind !== this.#kind && kind !== 'PartialObjectMetadata') ||
      (apiVersion !== undefined && apiVersion !== this.#apiVersion && apiVersion !== 'meta.k8s.io/v1');
    if (isOther) return `an object that is not a ${this.#kind} of ${this.#apiVersion}`;
    const { name, namespace, uid, resourceVersion, labels, annotations, ownerReferences, finalizers } = metadata;
    if (typeof name !== 'string' || name === '') return 'an object without a name';
    if (!isTextOrAbsent(namespace)) return 'an object whose metadata.namespace is not a string';
    if (!isTextOrAbsent(uid)) return 'an object whose metadata.uid is not a string';
    if (!isTextOrAbsent(resourceVersion)) return 'an object whose metadata.resourceVersion is not a string';
    if (!isMapOrAbsent(labels)) return 'an object whose metadata.labels is not a map';
    if (!isMapOrAbsent(annotations)) return 'an object whose metadata.annotations is not a map';
    if (!isListOrAbsent(ownerReferences)) return 'an object whose metadata.ownerReferences is not a list';
    if (!isListOrAbsent(finalizers)) return 'an object whose metadata.finalizers is not a list';
    return undefined;
  }

  /** Measures only some of the objects that are not kept as they arrived, because they must be serialized for that. */
  #measure(kept: CachedObject, receivedBytes: number): void {
    const isWhole = this.#projection === undefined && this.#transform === undefined && this.#dropped === undefined;
    if (!isWhole && this.#objects++ % measuredOneIn !== 0) return;
    this.#measured++;
    this.#bytes += isWhole ? receivedBytes : JSON.stringify(kept).length;
  }

  #projected(object: CachedObject): CachedObject {
    const kept = this.#projection?.apply(object) ?? object;
    if (this.#transform === undefined) return kept;
    const identity = { ...kept.metadata };
    const place = identity.namespace === undefined ? identity.name : `${identity.namespace}/${identity.name}`;
    let transformed: CachedObject;
    try {
      transformed = this.#transform(kept);
    } catch (error) {
      throw new UndecodableError(`the transform threw at ${place}`, { cause: error });
    }
    if (isSameObject(identity, transformed)) return transformed;
    throw new UndecodableError(`the transform returned another object than ${place}, or nothing`);
  }
}

/** Parsed JSON of an expected object. */
interface Shape {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isMapOrAbsent(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value));
}

function isListOrAbsent(value: unknown): boolean {
  return value === undefined || Array.isArray(value);
}

/** Reports whether a transform has kept the identity of the object. */
function isSameObject(before: CachedObject['metadata'], after: CachedObject | undefined): boolean {
  const { name, namespace, uid, resourceVersion } = after?.metadata ?? {};
  return (
    name === before.name &&
    namespace === before.namespace &&
    uid === before.uid &&
    resourceVersion === before.resourceVersion
  );
}

function parse(bytes: Buffer, original: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch (error) {
    throw new UndecodableError(`not JSON: ${excerpt(original)}`, { cause: error });
  }
}

/** Returns the size and the name of an object: enough to find it, without contents that may be a Secret. */
function excerpt(bytes: Buffer): string {
  const text = bytes.toString('utf8', 0, 4096);
  const name = /"name":\s*"([^"\\]{1,253})"/.exec(text)?.[1];
  const namespace = /"namespace":\s*"([^"\\]{1,63})"/.exec(text)?.[1];
  const size = `${bytes.length} bytes`;
  return name === undefined ? size : `${size} that name ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
