import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import { fieldsOfEveryObject } from '../kind/fields-of-every-object.ts';

/** A step of a path: a property, or every element of the list that is its value. */
export interface PathStep {
  readonly name: string;
  readonly each: boolean;
}

const longestPath = 512;

/** Returns the steps of a path such as `spec.ports[*].name`; a string with the reason if the path is invalid. */
export function parseFieldPath(path: unknown): readonly PathStep[] | string {
  if (typeof path !== 'string' || path === '' || path.length > longestPath)
    return "it is not a path such as 'spec.size'";
  const steps: PathStep[] = [];
  for (const part of path.split('.')) {
    const each = part.endsWith('[*]');
    const name = each ? part.slice(0, -'[*]'.length) : part;
    if (name === '' || /[[\]*'"\s]/.test(name)) return "it is not a path such as 'spec.size' or 'spec.ports[*].name'";
    if (name === '__proto__') return '__proto__ is not a name of a field';
    steps.push({ name, each });
  }
  const [first] = steps;
  if (fieldsOfEveryObject.has(first?.name ?? '')) {
    return `fields of ${first?.name} are the same in all versions; toHub and fromHub can change labels and annotations`;
  }
  if (steps.at(-1)?.each === true) return 'it leads to elements of a list; write the path of the list';
  return steps;
}

export function fieldPathText(steps: readonly PathStep[]): string {
  return steps.map(({ name, each }) => (each ? `${name}[*]` : name)).join('.');
}

/** Returns the value at a path without `[*]`; undefined if there is none. */
export function valueAtPath(object: unknown, names: readonly string[]): unknown {
  let value = object;
  for (const name of names) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/**
 * A copy of an object that shares the parts that are not changed. It copies the objects on the way to each change once, so that
 * the original stays as it is.
 */
export class SharingCopy {
  readonly root: JsonObject;
  readonly #own = new WeakSet<object>();

  constructor(original: JsonObject) {
    this.root = { ...original };
    this.#own.add(this.root);
  }

  /** Sets a value. Parents that are missing, or that are not objects, become objects. */
  set(names: readonly string[], value: unknown): void {
    let parent = this.root;
    for (const name of names.slice(0, -1)) parent = this.#ownObject(parent, name);
    parent[names.at(-1) ?? ''] = value;
  }

  /**
   * Removes a value and returns it; undefined if there is none. Parents that it leaves empty are removed too, except properties
   * of the object itself, such as `spec`.
   */
  take(names: readonly string[]): unknown {
    const value = valueAtPath(this.root, names);
    if (value === undefined) return undefined;
    this.remove(names);
    for (let depth = names.length - 1; depth > 1; depth--) {
      const parent = valueAtPath(this.root, names.slice(0, depth));
      if (isJsonObject(parent) && Object.keys(parent).length > 0) break;
      this.remove(names.slice(0, depth));
    }
    return value;
  }

  /** Removes a value, if there is one. */
  remove(names: readonly string[]): void {
    if (valueAtPath(this.root, names) === undefined) return;
    let parent = this.root;
    for (const name of names.slice(0, -1)) parent = this.#ownObject(parent, name);
    delete parent[names.at(-1) ?? ''];
  }

  /** Replaces the elements of a list that are objects. Does nothing if the value is not a list. */
  mapList(names: readonly string[], change: (element: JsonObject) => JsonObject): void {
    const list = valueAtPath(this.root, names);
    if (Array.isArray(list)) {
      this.set(
        names,
        list.map((element: unknown) => (isJsonObject(element) ? change(element) : element)),
      );
    }
  }

  #ownObject(parent: JsonObject, name: string): JsonObject {
    const value = Object.hasOwn(parent, name) ? parent[name] : undefined;
    if (isJsonObject(value) && this.#own.has(value)) return value;
    const own = isJsonObject(value) ? { ...value } : {};
    this.#own.add(own);
    parent[name] = own;
    return own;
  }
}

/** Returns an object without the fields at some paths. It shares everything else with the given one. */
export function withoutPaths(object: JsonObject, paths: readonly (readonly PathStep[])[]): JsonObject {
  if (paths.length === 0) return object;
  const copy = new SharingCopy(object);
  for (const steps of paths) removeBelow(copy, steps);
  return copy.root;
}

function removeBelow(copy: SharingCopy, steps: readonly PathStep[]): void {
  const each = steps.findIndex((step) => step.each);
  const names = (each < 0 ? steps : steps.slice(0, each + 1)).map(({ name }) => name);
  if (each < 0) {
    copy.take(names);
    return;
  }
  copy.mapList(names, (element) => {
    const inner = new SharingCopy(element);
    removeBelow(inner, steps.slice(each + 1));
    return inner.root;
  });
}
