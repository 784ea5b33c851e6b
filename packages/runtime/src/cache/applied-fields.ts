import type { CachedObject } from './cached-object.ts';

/**
 * The `fieldsV1` of one manager: a tree whose keys are fields (`f:spec`), elements of keyed lists (`k:{"name":"web"}`) and
 * members of sets (`v:"a"`). An empty object is a leaf: the manager owns the whole value. A dot means that the manager owns the
 * value itself, in addition to the fields below it. The format is that of structured-merge-diff's `fieldpath`.
 */
export type OwnedFields = { readonly [path: string]: OwnedFields };

/** The fields of an object that one manager owns through its applies. */
export interface AppliedFields {
  readonly manager: string;
  /** The fields without owner references. Their uids would give the children of each owner a different shape. */
  readonly fields: OwnedFields;
  /** The uids of the owner references that the manager owns. */
  readonly references: readonly string[];
}

interface ManagedFieldsEntry {
  readonly manager?: unknown;
  readonly operation?: unknown;
  readonly subresource?: unknown;
  readonly fieldsV1?: unknown;
}

/** Returns what `manager` owns through its applies, from the managedFields of an object; undefined if it owns nothing. */
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

/** The key under which a cached object has what the registered managers own of it. Its managedFields are removed. */
const appliedFields = Symbol('applied fields');

/** Returns what `manager` owns through its applies of an object from a cache that keeps it; undefined if it owns nothing. */
export function appliedFieldsOf(object: CachedObject, manager: string): AppliedFields | undefined {
  const kept = (object as { readonly [appliedFields]?: readonly AppliedFields[] })[appliedFields];
  return kept?.find((applied) => applied.manager === manager);
}

/** The maximum number of remembered shapes. The children of one controller have one shape, or a few. */
const maxShapes = 1024;

/** Stores with objects what some managers own of them. Equal shapes are stored once. */
export class AppliedFieldsKeeper {
  readonly #managers: ReadonlySet<string>;
  readonly #shapes = new Map<string, OwnedFields>();

  /** @param managers may grow. An object gets the fields of the managers that are in the set when it arrives. */
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
    // Not enumerable, so that copies, comparisons and JSON of the object do not include it.
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
