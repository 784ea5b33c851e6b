import type { Catalog, Located } from '../catalog/catalog.ts';
import type { DocumentPlaces } from '../catalog/read-catalog.ts';
import type { CatalogCheck } from './catalog-check.ts';
import type { OlmReport } from './finding.ts';

/** A catalog that is being checked. */
export class CheckedCatalog {
  readonly catalog: Catalog;
  readonly #places: DocumentPlaces;
  readonly #report: OlmReport<CatalogCheck>;

  constructor(catalog: Catalog, places: DocumentPlaces, report: OlmReport<CatalogCheck>) {
    this.catalog = catalog;
    this.#places = places;
    this.#report = report;
  }

  /** Adds a finding about a value of a document. */
  add(check: CatalogCheck, { document }: Located<unknown>, path: readonly (string | number)[], message: string): void {
    this.#report.add(check, message, this.#places.of(document, path));
  }

  isPackage(name: string | undefined): boolean {
    return this.catalog.packages.some(({ value }) => value.name === name);
  }

  /** The values of a package. Of values with the same name, the first one counts. */
  ofPackage<T extends { readonly name?: string; readonly package?: string }>(
    all: readonly Located<T>[],
    packageName: string | undefined,
  ): Map<string, Located<T>> {
    const named = new Map<string, Located<T>>();
    for (const each of all) {
      const { name = '' } = each.value;
      if (each.value.package === packageName && !named.has(name)) named.set(name, each);
    }
    return named;
  }
}

/** The first value for each key, and those that repeat a key. */
export function firstAndRepeated<T>(
  all: readonly T[],
  keyOf: (each: T) => string,
): { readonly firsts: ReadonlyMap<string, T>; readonly repeated: readonly (readonly [repeated: T, first: T])[] } {
  const firsts = new Map<string, T>();
  const repeated: (readonly [T, T])[] = [];
  for (const each of all) {
    const first = firsts.get(keyOf(each));
    if (first === undefined) firsts.set(keyOf(each), each);
    else repeated.push([each, first]);
  }
  return { firsts, repeated };
}
