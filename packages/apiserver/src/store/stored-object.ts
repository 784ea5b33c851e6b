import type { ApiObject } from '../kind/api-object.ts';

/** One state of one object. It never changes; a write makes the next one. */
export class StoredObject {
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  /** The revision that made this state; `metadata.resourceVersion` as a number. */
  readonly revision: number;
  readonly object: ApiObject;
  readonly #views = new Map<unknown, string>();

  constructor(namespace: string, name: string, revision: number, object: ApiObject) {
    this.namespace = namespace;
    this.name = name;
    this.revision = revision;
    this.object = object;
  }

  /** What `encode` makes of it, made once for each view and shared by everyone who sends it. */
  encoded(view: unknown, encode: () => string): string {
    let text = this.#views.get(view);
    if (text === undefined) {
      text = encode();
      this.#views.set(view, text);
    }
    return text;
  }
}

/** The place of an object among those of its kind. Keys sort as etcd's do. */
export function keyOf(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}
