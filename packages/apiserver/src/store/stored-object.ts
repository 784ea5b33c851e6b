import type { ApiObject } from '../kind/api-object.ts';

/** One immutable state of one object. Each write creates a new one. */
export class StoredObject {
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  /** The revision of the write that created this state; `metadata.resourceVersion` as a number. */
  readonly revision: number;
  readonly object: ApiObject;
  /** The approximate length of the object's JSON. */
  readonly bytes: number;
  #views: Map<unknown, string> | undefined;

  constructor(namespace: string, name: string, revision: number, object: ApiObject, bytes: number) {
    this.namespace = namespace;
    this.name = name;
    this.revision = revision;
    this.object = object;
    this.bytes = bytes;
  }

  /** The result of `encode`. It is created once per view and shared by all responses with that view, until {@link forgetEncoded}. */
  encoded(view: unknown, encode: () => string): string {
    let text = this.#views?.get(view);
    if (text === undefined) {
      text = encode();
      this.#views ??= new Map();
      this.#views.set(view, text);
    }
    return text;
  }

  /** Frees the memory of what was encoded: as much as the object itself. */
  forgetEncoded(): void {
    this.#views = undefined;
  }
}

/** The key of an object among those of its kind. Keys sort as in etcd. */
export function keyOf(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}
