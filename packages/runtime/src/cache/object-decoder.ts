import { type ApiResource, apiVersionOf } from '@evenkeel/core';
import { AppliedFieldsKeeper } from './applied-fields.ts';
import type { CachedObject } from './cached-object.ts';
import { ManagedFieldsCut } from './cut-managed-fields.ts';
import { keyIs, malformed, scanArray, scanObject, skipSpace, skipValue } from './json-scan.ts';
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

const itemsKey = Buffer.from('"items"');
const metadataKey = Buffer.from('"metadata"');

/** Turns the bytes of one kind's watches and lists into objects without their managedFields. */
export class ObjectDecoder {
  readonly #apiVersion: string;
  readonly #kind: string;
  readonly #cut = new ManagedFieldsCut();
  readonly #pool = new StringPool();
  readonly #keeper: AppliedFieldsKeeper;

  /** What these managers own by their applies is kept beside the objects. */
  constructor(resource: ApiResource, managers: ReadonlySet<string> = new Set()) {
    this.#apiVersion = apiVersionOf(resource);
    this.#kind = resource.kind;
    this.#keeper = new AppliedFieldsKeeper(managers);
  }

  /** One line of a watch. */
  watchEvent(line: Buffer): DecodedEvent {
    const event = parse(this.#cut.ofWatchEvent(line), line) as { type?: unknown; object?: unknown };
    switch (event.type) {
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED':
        return { type: event.type, object: this.#object(event.object, line) };
      case 'BOOKMARK': {
        const { metadata } = event.object as { metadata?: { resourceVersion?: string; annotations?: object } };
        const annotations = metadata?.annotations as Record<string, string> | undefined;
        return {
          type: event.type,
          resourceVersion: metadata?.resourceVersion ?? '',
          endsInitialEvents: annotations?.['k8s.io/initial-events-end'] === 'true',
        };
      }
      case 'ERROR':
        return { type: event.type, status: event.object };
      default:
        throw new UndecodableError(`a watch event of the unknown type ${JSON.stringify(event.type)}`);
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
    const object = value as CachedObject;
    const metadata: unknown = object?.metadata;
    if (typeof metadata !== 'object' || metadata === null || typeof object.metadata.name !== 'string') {
      throw new UndecodableError(`an object without a name: ${excerpt(bytes)}`);
    }
    object.apiVersion = this.#apiVersion;
    object.kind = this.#kind;
    const left: unknown = object.metadata.managedFields;
    if (this.#keeper.isNeeded) {
      const cut = this.#cut.cut;
      this.#keeper.keep(object, cut === undefined ? left : JSON.parse(cut.toString('utf8')));
    }
    // There still where the cut did not find it as it expected.
    if (left !== undefined) delete object.metadata.managedFields;
    this.#pool.share(object);
    return object;
  }
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
