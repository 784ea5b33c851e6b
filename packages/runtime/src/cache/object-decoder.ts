import { keyIs, malformed, scanArray, scanObject, skipSpace, skipValue } from '@evenkeel/apimachinery/json-scan';
import { type ApiResource, apiVersionOf } from '@evenkeel/core';
import { AppliedFieldsKeeper } from './applied-fields.ts';
import type { CachedObject } from './cached-object.ts';
import { ManagedFieldsCut } from './cut-managed-fields.ts';
import type { Projection } from './projection.ts';
import { StringPool } from './string-pool.ts';

/** What one line of a watch says. */
export type DecodedEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: CachedObject }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly endsInitialEvents: boolean }
  | { readonly type: 'ERROR'; readonly status: unknown };

/** What a list says of itself beside its items. */
export interface ListHead {
  readonly resourceVersion: string;
  readonly continue: string | undefined;
}

/** Thrown for what cannot be read; the message names the object where its name can be. */
export class UndecodableError extends Error {
  override readonly name = 'UndecodableError';
}

const measuredOneIn = 32;

const itemsKey = Buffer.from('"items"');
const metadataKey = Buffer.from('"metadata"');

export interface ObjectDecoderOptions {
  /** What these managers own by their applies is kept beside the objects. Default: of none. */
  readonly managers?: ReadonlySet<string> | undefined;
  /** Default: objects are kept whole. */
  readonly projection?: Projection | undefined;
  readonly transform?: ObjectTransform | undefined;
}

/**
 * Changes an object before it is stored, in place or by giving another. It must leave `metadata.name`, `namespace`, `uid`
 * and `resourceVersion` as they are. An object for which it throws is left out and reported.
 */
export type ObjectTransform<T extends CachedObject = CachedObject> = (object: T) => T;

/** Turns the bytes of one kind's watches and lists into objects without their managedFields. */
export class ObjectDecoder {
  readonly #apiVersion: string;
  readonly #kind: string;
  readonly #cut = new ManagedFieldsCut();
  readonly #pool = new StringPool();
  readonly #keeper: AppliedFieldsKeeper;
  readonly #projection: Projection | undefined;
  readonly #transform: ObjectTransform | undefined;
  #objects = 0;
  #measured = 0;
  #bytes = 0;

  constructor(resource: ApiResource, options: ObjectDecoderOptions = {}) {
    this.#apiVersion = apiVersionOf(resource);
    this.#kind = resource.kind;
    this.#keeper = new AppliedFieldsKeeper(options.managers ?? new Set());
    this.#projection = options.projection;
    this.#transform = options.transform;
  }

  /** The mean length of the objects so far, as JSON. In memory an object is about as large. */
  get meanBytes(): number {
    return this.#measured === 0 ? 0 : this.#bytes / this.#measured;
  }

  /** One line of a watch. */
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
        throw new UndecodableError(`a line that is no watch event: ${excerpt(line)}`);
    }
  }

  /** The items of one page, each decoded when it is asked for; what cannot be read goes to `report`. */
  *listItems(page: Buffer, report: (error: unknown) => void): Generator<CachedObject, void, undefined> {
    let itemsAt = malformed;
    scanObject(page, skipSpace(page, 0), (member) => {
      if (keyIs(page, member, itemsKey)) itemsAt = member.valueStart;
      return itemsAt === malformed;
    });
    // A list that is empty may say null, or nothing at all.
    if (itemsAt === malformed || page[itemsAt] === 0x6e) return;
    const items = scanArray(page, itemsAt);
    for (let item = items.next(); ; item = items.next()) {
      if (item.done === true) {
        if (!item.value) throw new UndecodableError('a list whose items break off');
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

  /** Throws where the page is not a list at all. */
  listHead(page: Buffer): ListHead {
    let metadata: { resourceVersion?: unknown; continue?: unknown } | undefined;
    const end = scanObject(page, skipSpace(page, 0), (member) => {
      if (!keyIs(page, member, metadataKey)) return true;
      const text = page.toString('utf8', member.valueStart, skipValue(page, member.valueStart));
      metadata = JSON.parse(text) as typeof metadata;
      return false;
    });
    if (end === malformed || typeof metadata?.resourceVersion !== 'string') {
      throw new UndecodableError(`an answer that is no list: ${excerpt(page)}`);
    }
    const more = metadata.continue;
    return {
      resourceVersion: metadata.resourceVersion,
      continue: typeof more === 'string' && more !== '' ? more : undefined,
    };
  }

  /** Lists leave out what metadata-only answers replace: which kind the object is of. */
  #object(value: unknown, bytes: Buffer): CachedObject {
    const wrong = this.#wrongShape(value as Shape | null);
    if (wrong !== undefined) throw new UndecodableError(`${wrong}: ${excerpt(bytes)}`);
    const object = value as CachedObject;
    object.apiVersion = this.#apiVersion;
    object.kind = this.#kind;
    const left: unknown = object.metadata.managedFields;
    // There still where the cut did not find it as it expected.
    if (left !== undefined) delete object.metadata.managedFields;
    const cut = this.#cut.cut;
    const kept = this.#projected(object);
    this.#measure(kept, bytes.length - (cut?.length ?? 0));
    if (this.#keeper.isNeeded) this.#keeper.keep(kept, cut === undefined ? left : JSON.parse(cut.toString('utf8')));
    this.#pool.share(kept);
    return kept;
  }

  /** What is wrong with what readers of a cache rely on: all else of an object is theirs to look at. */
  #wrongShape(value: Shape | null): string | undefined {
    const metadata = value?.metadata;
    if (typeof metadata !== 'object' || metadata === null) return 'an object without a name';
    const { kind, apiVersion } = value as Shape;
    const isOther =
      (kind !== undefined && kind !== this.#kind && kind !== 'PartialObjectMetadata') ||
      (apiVersion !== undefined && apiVersion !== this.#apiVersion && apiVersion !== 'meta.k8s.io/v1');
    if (isOther) return `an object that is no ${this.#kind} of ${this.#apiVersion}`;
    const { name, namespace, uid, resourceVersion, labels, annotations, ownerReferences, finalizers } = metadata;
    if (typeof name !== 'string' || name === '') return 'an object without a name';
    if (!isTextOrAbsent(namespace)) return 'an object whose metadata.namespace is no text';
    if (!isTextOrAbsent(uid)) return 'an object whose metadata.uid is no text';
    if (!isTextOrAbsent(resourceVersion)) return 'an object whose metadata.resourceVersion is no text';
    if (!isMapOrAbsent(labels)) return 'an object whose metadata.labels are no map';
    if (!isMapOrAbsent(annotations)) return 'an object whose metadata.annotations are no map';
    if (!isListOrAbsent(ownerReferences)) return 'an object whose metadata.ownerReferences are no list';
    if (!isListOrAbsent(finalizers)) return 'an object whose metadata.finalizers are no list';
    return undefined;
  }

  /** What a projection leaves has to be written out to be measured, so only some are. */
  #measure(kept: CachedObject, receivedBytes: number): void {
    const isWhole = this.#projection === undefined && this.#transform === undefined;
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
    throw new UndecodableError(`the transform gave another object than ${place}, or none`);
  }
}

/** JSON that should be an object. */
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

/** Whether a transform has left alone what tells which object it is. */
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

/** Enough to find the object by, and too little to hold the contents of a Secret. */
function excerpt(bytes: Buffer): string {
  const text = bytes.toString('utf8', 0, 4096);
  const name = /"name":\s*"([^"\\]{1,253})"/.exec(text)?.[1];
  const namespace = /"namespace":\s*"([^"\\]{1,63})"/.exec(text)?.[1];
  const size = `${bytes.length} bytes`;
  return name === undefined ? size : `${size} that name ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
