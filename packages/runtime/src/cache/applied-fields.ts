import type { CachedObject } from './cached-object.ts';

/**
 * The `fieldsV1` of one manager: a tree whose keys name fields (`f:spec`), elements of keyed lists (`k:{"name":"web"}`)
 * and members of sets (`v:"a"`). An empty object is a leaf: the manager owns the value whole. A dot means that the
 * manager owns the value beside what is below it. After structured-merge-diff's `fieldpath`.
 */
export type OwnedFields = { readonly [path: string]: OwnedFields };

/** What one manager owns of an object by its applies. */
export interface AppliedFields {
  readonly manager: string;
  /** Without the owner references, which name a uid and so would make each owner's children another shape. */
  readonly fields: OwnedFields;
  /** The uids of the owner references it owns. */
  readonly references: readonly string[];
}

interface ManagedFieldsEntry {
  readonly manager?: unknown;
  readonly operation?: unknown;
  readonly subresource?: unknown;
  readonly fieldsV1?: unknown;
}

/** What `manager` owns by its applies, from the managedFields of an object; undefined where that is nothing. */
export function appliedFieldsIn(managedFields: unknown, manager: string): AppliedFields | undefined {
  const entries = (Array.isArray(managedFields) ? managedFields : []) as readonly (ManagedFieldsEntry | null)[];
  const entry = entries.find(
    (candidate) =>
      candidate?.manager === manager && candidate.operation === 'Apply' && (candidate.subresource ?? '') === '',
  );
  if (typeof entry?.fieldsV1 !== 'object' || entry.fieldsV1 === null) return undefined;
  const { 'f:metadata': metadata = {}, ...rest } = entry.fieldsV1 as OwnedFields;
  const { 'f:ownerReferences': ownerReferences = {}, ...ownedMetadata } = metadata;
  const fields = Object.keys(ownedMetadata).length === 0 ? rest : { ...rest, 'f:metadata': ownedMetadata };
  const references = Object.keys(ownerReferences).flatMap(
    (path) => /^k:\{"uid":"([^"]{1,128})"\}$/.exec(path)?.[1] ?? [],
  );
  return { manager, fields, references };
}

/** Beside a cached object, whose managedFields are cut, what the asked-for managers own of it. */
const appliedFields = Symbol('applied fields');

/** What `manager` owns by its applies of an object from a cache that keeps that; undefined where that is nothing. */
export function appliedFieldsOf(object: CachedObject, manager: string): AppliedFields | undefined {
  const kept = (object as { readonly [appliedFields]?: readonly AppliedFields[] })[appliedFields];
  return kept?.find((applied) => applied.manager === manager);
}

/** More shapes than this are not remembered: the children of one controller are of one shape, or of a few. */
const maxShapes = 1024;

/** Keeps, beside objects, what a few managers own of them; equal shapes are one. */
export class AppliedFieldsKeeper {
  readonly #managers: ReadonlySet<string>;
  readonly #shapes = new Map<string, OwnedFields>();

  /** The set may grow: an object is kept with what the managers own that are in it when the object comes. */
  constructor(managers: ReadonlySet<string>) {
    this.#managers = managers;
  }

  get isNeeded(): boolean {
    return this.#managers.size > 0;
  }

  keep(object: CachedObject, managedFields: unknown): void {
    const kept: AppliedFields[] = [];
    for (const manager of this.#managers) {
      const applied = appliedFieldsIn(managedFields, manager);
      if (applied !== undefined) kept.push({ ...applied, manager, fields: this.#shared(applied.fields) });
    }
    // Not enumerable: copies, comparisons and JSON of the object are those of the object.
    if (kept.length > 0) Object.defineProperty(object, appliedFields, { value: kept });
  }

  #shared(fields: OwnedFields): OwnedFields {
    const text = JSON.stringify(fields);
    const known = this.#shapes.get(text);
    if (known !== undefined) return known;
    if (this.#shapes.size < maxShapes) this.#shapes.set(text, fields);
    return fields;
  }
}
