/**
 * Names one object of a kind: its namespace, absent for cluster-scoped kinds, and its name. Two keys are the same when
 * their text is; compare `String(key)`.
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

  /** Reads `namespace/name` or `name`, the text that {@link toString} writes. Names hold no slash. */
  static parse(text: string): ObjectKey {
    const slash = text.indexOf('/');
    return slash < 0 ? new ObjectKey(text) : new ObjectKey(text.slice(slash + 1), text.slice(0, slash));
  }

  toString(): string {
    return this.namespace === undefined ? this.name : `${this.namespace}/${this.name}`;
  }
}
