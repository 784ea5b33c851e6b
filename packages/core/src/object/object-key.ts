/**
 * The namespace and name of an object; the namespace is undefined for cluster-scoped kinds. To compare two keys, compare their
 * strings: `String(key)`.
 */
export class ObjectKey {
  readonly namespace: string | undefined;
  readonly name: string;

  constructor(name: string, namespace?: string) {
    this.name = name;
    this.namespace = namespace === '' ? undefined : namespace;
  }

  static of(object: { metadata: { name: string; namespace?: string | undefined } }): ObjectKey {
    return new ObjectKey(object.metadata.name, object.metadata.namespace);
  }

  /** Parses `namespace/name` or `name`, the format of {@link toString}. Names cannot contain a slash. */
  static parse(text: string): ObjectKey {
    const slash = text.indexOf('/');
    return slash < 0 ? new ObjectKey(text) : new ObjectKey(text.slice(slash + 1), text.slice(0, slash));
  }

  toString(): string {
    return this.namespace === undefined ? this.name : `${this.namespace}/${this.name}`;
  }
}
