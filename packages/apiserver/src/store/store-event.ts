import type { StoredObject } from './stored-object.ts';

/** One change, as the history keeps it and watchers see it. */
export class StoreEvent {
  readonly revision: number;
  /** The new state; for a deletion the last state, with the revision of the deletion. */
  readonly current: StoredObject;
  /** The previous state; undefined for a creation. */
  readonly previous: StoredObject | undefined;
  readonly deleted: boolean;
  /** The user who made the change, compared by identity. Undefined for the server itself. */
  readonly writer: unknown;
  #frames: Map<unknown, Uint8Array> | undefined;

  constructor(current: StoredObject, previous: StoredObject | undefined, deleted: boolean, writer?: unknown) {
    this.revision = current.revision;
    this.current = current;
    this.previous = previous;
    this.deleted = deleted;
    this.writer = writer;
  }

  /** The bytes of the event in a watch. They are created once per view and shared by all watchers of that view. */
  frame(view: unknown, encode: () => string): Uint8Array {
    let bytes = this.#frames?.get(view);
    if (bytes === undefined) {
      bytes = Buffer.from(encode());
      this.#frames ??= new Map();
      this.#frames.set(view, bytes);
    }
    return bytes;
  }
}
