import { compareElements, type PathElement } from './path-element.ts';

/** One element on a level of a set: whether the path that ends here is in the set, and the paths below it. */
export interface PathSetEntry {
  readonly element: PathElement;
  readonly member: boolean;
  readonly children: PathSet | undefined;
}

/**
 * An immutable set of paths: a tree with sorted levels. Operations return an operand if it equals the result, and share
 * subtrees. A path in the set implies nothing about the paths below or above it.
 */
export class PathSet {
  static readonly empty: PathSet = new PathSet([]);

  /** Sorted, without duplicates. Each entry is a member or has children. Children are never empty. */
  readonly entries: readonly PathSetEntry[];

  private constructor(entries: readonly PathSetEntry[]) {
    this.entries = entries;
  }

  /** Creates a set of these paths. */
  static of(...paths: readonly (readonly PathElement[])[]): PathSet {
    return paths.reduce<PathSet>((set, path) => set.union(singlePath(path)), PathSet.empty);
  }

  /** Creates a set of entries with distinct elements, in any order. Sorts the array in place. */
  static ofEntries(entries: PathSetEntry[]): PathSet {
    if (entries.length === 0) return PathSet.empty;
    for (let i = 1; i < entries.length; i++) {
      if (compareElements((entries[i - 1] as PathSetEntry).element, (entries[i] as PathSetEntry).element) > 0) {
        entries.sort((a, b) => compareElements(a.element, b.element));
        break;
      }
    }
    return new PathSet(entries);
  }

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  entry(element: PathElement): PathSetEntry | undefined {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = this.entries[middle] as PathSetEntry;
      const order = compareElements(entry.element, element);
      if (order === 0) return entry;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  has(path: readonly PathElement[]): boolean {
    let set: PathSet | undefined = this;
    for (let i = 0; i < path.length - 1; i++) set = set?.entry(path[i] as PathElement)?.children;
    const last = path.at(-1);
    return last !== undefined && set?.entry(last)?.member === true;
  }

  equals(other: PathSet): boolean {
    if (this === other) return true;
    if (this.entries.length !== other.entries.length) return false;
    return this.entries.every((entry, i) => {
      const { element, member, children } = other.entries[i] as PathSetEntry;
      if (compareElements(entry.element, element) !== 0 || entry.member !== member) return false;
      return (entry.children ?? PathSet.empty).equals(children ?? PathSet.empty);
    });
  }

  union(other: PathSet): PathSet {
    if (other.isEmpty || this === other) return this;
    if (this.isEmpty) return other;
    return new PathSet(
      zipEntries(this, other, (a, b) => {
        if (a === undefined || b === undefined) return a ?? b;
        const children = a.children && b.children ? a.children.union(b.children) : (a.children ?? b.children);
        return entryWith(a, a.member || b.member, children);
      }),
    );
  }

  intersection(other: PathSet): PathSet {
    if (this.isEmpty || other.isEmpty) return PathSet.empty;
    const entries = zipEntries(this, other, (a, b) => {
      if (a === undefined || b === undefined) return undefined;
      return entryWith(a, a.member && b.member, a.children && b.children && a.children.intersection(b.children));
    });
    return entries.length === 0 ? PathSet.empty : new PathSet(entries);
  }

  /** Returns the set without the paths of `other`. Paths below them stay. */
  difference(other: PathSet): PathSet {
    if (this.isEmpty || other.isEmpty) return this;
    return this.#without(other, (a, b) => {
      const children = a.children && b.children ? a.children.difference(b.children) : a.children;
      return entryWith(a, a.member && !b.member, children);
    });
  }

  /** Returns the set without the paths of `other` and everything below them. */
  recursiveDifference(other: PathSet): PathSet {
    if (this.isEmpty || other.isEmpty) return this;
    return this.#without(other, (a, b) => {
      if (b.member) return undefined;
      const children = a.children && b.children ? a.children.recursiveDifference(b.children) : a.children;
      return entryWith(a, a.member, children);
    });
  }

  /** Returns the set without the members that have members below them. */
  leaves(): PathSet {
    return new PathSet(
      this.entries.map((entry) =>
        entry.children === undefined
          ? entry
          : { element: entry.element, member: false, children: entry.children.leaves() },
      ),
    );
  }

  /** Yields all paths in the server's order: the paths of a level before those below it. */
  *paths(prefix: readonly PathElement[] = []): Generator<readonly PathElement[]> {
    for (const { element, member } of this.entries) if (member) yield [...prefix, element];
    for (const { element, children } of this.entries) if (children) yield* children.paths([...prefix, element]);
  }

  #without(other: PathSet, reduce: (a: PathSetEntry, b: PathSetEntry) => PathSetEntry | undefined): PathSet {
    let changed = false;
    const entries = zipEntries(this, other, (a, b) => {
      if (a === undefined || b === undefined) return a;
      const reduced = reduce(a, b);
      changed ||= reduced !== a;
      return reduced;
    });
    if (!changed) return this;
    return entries.length === 0 ? PathSet.empty : new PathSet(entries);
  }
}

function singlePath(path: readonly PathElement[]): PathSet {
  let set = PathSet.empty;
  for (let i = path.length - 1; i >= 0; i--) {
    const children = set.isEmpty ? undefined : set;
    set = PathSet.ofEntries([{ element: path[i] as PathElement, member: children === undefined, children }]);
  }
  return set;
}

/** Returns `entry` with other content; `entry` itself if nothing differs, undefined if nothing is left. */
function entryWith(entry: PathSetEntry, member: boolean, children: PathSet | undefined): PathSetEntry | undefined {
  const below = children === undefined || children.isEmpty ? undefined : children;
  if (member === entry.member && below === entry.children) return entry;
  return member || below !== undefined ? { element: entry.element, member, children: below } : undefined;
}

function zipEntries(
  a: PathSet,
  b: PathSet,
  visit: (a: PathSetEntry | undefined, b: PathSetEntry | undefined) => PathSetEntry | undefined,
): PathSetEntry[] {
  const entries: PathSetEntry[] = [];
  let i = 0;
  let j = 0;
  while (i < a.entries.length || j < b.entries.length) {
    const left = a.entries[i];
    const right = b.entries[j];
    const order = left === undefined ? 1 : right === undefined ? -1 : compareElements(left.element, right.element);
    if (order <= 0) i++;
    if (order >= 0) j++;
    const entry = visit(order <= 0 ? left : undefined, order >= 0 ? right : undefined);
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}
