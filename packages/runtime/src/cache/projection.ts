import { EvenkeelError } from '@evenkeel/core';

interface Kept {
  /** Undefined: the whole value. */
  below: Map<string, Kept> | undefined;
}

const path = /^[^.[\]*\s]+(?:\.[^.[\]*\s]+)*$/;
/** The fields that identify an object, which are always kept. */
const identity = ['apiVersion', 'kind', 'metadata'];

/** Keeps the listed fields of objects and drops all others, before objects are stored. */
export class Projection {
  readonly #root = new Map<string, Kept>(identity.map((name) => [name, { below: undefined }]));

  /** @param paths such as `spec.replicas`. A path through a list applies to each element. Throws `invalid-option`. */
  constructor(paths: readonly string[]) {
    for (const text of paths) {
      if (!path.test(text)) {
        throw new EvenkeelError(
          'invalid-option',
          `keep: invalid path ${JSON.stringify(text)}; use names separated by dots, such as "spec.replicas" (a path through a list applies to each element)`,
        );
      }
      this.#add(text.split('.'));
    }
  }

  apply<T extends object>(object: T): T {
    return project(object, this.#root) as T;
  }

  #add(names: readonly string[]): void {
    let level = this.#root;
    for (const [at, name] of names.entries()) {
      const isLast = at === names.length - 1;
      const known = level.get(name);
      if (known !== undefined && known.below === undefined) return;
      if (isLast) level.set(name, { below: undefined });
      else {
        const below = known?.below ?? new Map<string, Kept>();
        level.set(name, { below });
        level = below;
      }
    }
  }
}

function project(value: unknown, kept: ReadonlyMap<string, Kept>): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => project(element, kept));
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  const projected: Record<string, unknown> = {};
  for (const [name, { below }] of kept) {
    if (!Object.hasOwn(members, name)) continue;
    const member = below === undefined ? members[name] : project(members[name], below);
    // An assignment to this name would set the prototype.
    if (name === '__proto__') Object.defineProperty(projected, name, { value: member, enumerable: true });
    else projected[name] = member;
  }
  return projected;
}
