/** One version of a kind. */
export interface KindVersion {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A text that is equal for equal versions of a kind. */
export function keyOf({ group, version, kind }: KindVersion): string {
  return JSON.stringify([group, version, kind]);
}

/** `Widget in example.com/v1` */
export function shown({ group, version, kind }: KindVersion): string {
  return `${kind} in ${group === '' ? version : `${group}/${version}`}`;
}

/** The group in the name of a CRD, `PLURAL.GROUP`; undefined if the name has another form. */
export function groupInName(name: string): string | undefined {
  const dot = name.indexOf('.');
  return dot === -1 ? undefined : name.slice(dot + 1);
}
