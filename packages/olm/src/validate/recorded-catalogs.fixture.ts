import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CatalogCheck } from './catalog-check.ts';

/** A change of the valid catalog, and what operator-registry reports about the result. */
export interface RecordedCatalog {
  readonly operations: readonly {
    readonly op: 'add' | 'remove';
    readonly path: readonly (string | number)[];
    readonly value?: unknown;
  }[];
  /** Empty for a valid catalog. */
  readonly verdict: string;
}

const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded/catalogs.json'), 'utf8')) as {
  readonly base: readonly unknown[];
  readonly cases: readonly RecordedCatalog[];
};

export const recordedCatalogs = recorded.cases;

/** The documents of the valid catalog, which the caller may change. */
export function baseDocuments(): unknown[] {
  return structuredClone(recorded.base) as unknown[];
}

/** The valid catalog after some operations. */
export function changedDocuments(operations: RecordedCatalog['operations']): unknown[] {
  const documents = baseDocuments();
  for (const { op, path, value } of operations) {
    let parent: unknown = documents;
    for (const key of path.slice(0, -1)) parent = (parent as Record<string | number, unknown>)[key];
    const last = path.at(-1) ?? 0;
    const container = parent as Record<string | number, unknown>;
    if (op === 'add') container[last] = value;
    else if (Array.isArray(parent)) parent.splice(Number(last), 1);
    else delete container[last];
  }
  return documents;
}

/** The checks that make each verdict, by the meaning of its words. Of several, one is enough. */
const meanings: readonly (readonly [RegExp, readonly CatalogCheck[]])[] = [
  [/contains package with no name/, ['package-name-missing']],
  [/duplicate package "/, ['package-duplicate']],
  [/invalid package name/, ['package-name-invalid']],
  [/unknown package ".*" for|deprecations to an unknown package/, ['package-unknown']],
  [/contains channel with no name/, ['channel-name-missing']],
  [/has duplicate channel/, ['channel-duplicate']],
  [/duplicate entry "/, ['channel-entry-duplicate']],
  [/package name must be set for bundle/, ['bundle-package-missing']],
  [/has duplicate bundle/, ['bundle-duplicate']],
  [/parse properties for bundle|read bundle objects/, ['property-invalid']],
  [/must have exactly 1 "olm.package"|does not match "olm.package" property/, ['bundle-package-property']],
  [/invalid image pull spec/, ['bundle-image-invalid']],
  [/error parsing bundle ".*" version/, ['bundle-version-invalid']],
  [/error parsing bundle ".*" release|cannot use build metadata/, ['bundle-release-invalid']],
  [/not found in any channel entries/, ['bundle-not-in-channel', 'bundle-name-missing']],
  [/no olm.bundle blobs found/, ['channel-entry-without-bundle', 'channel-entry-name-missing']],
  [/package name must be set for deprecation/, ['deprecation-package-missing']],
  [/maximum of one deprecation|duplicate deprecation entry/, ['deprecation-duplicate']],
  [
    /schema must be set for deprecation|object schema unknown|must be empty for deprecated/,
    ['deprecation-schema-invalid'],
  ],
  [/cannot deprecate (?:bundle|channel)/, ['deprecation-unknown']],
  [/default channel must be set/, ['default-channel-missing']],
  [/must contain at least one channel/, ['package-channels-missing']],
  [/must contain at least one bundle/, ['channel-empty', 'default-channel-unknown']],
  [/no channel head found/, ['channel-head-missing']],
  [/multiple channel heads/, ['channel-head-several']],
  [/detected cycle/, ['channel-cycle']],
  [/stranded bundles/, ['channel-entry-stranded']],
  [/duplicate versions/, ['bundle-version-duplicate']],
  [/does not match normalized name/, ['bundle-release-name']],
  [/skip\[\d+\] is empty/, ['channel-skip-empty']],
  [/invalid skipRange/, ['channel-skip-range-invalid']],
  // An entry without a bundle has no name, image and properties either.
  [/name must be set/, ['channel-entry-name-missing']],
  [
    /must be exactly one property|image must be set/,
    ['bundle-image-missing', 'channel-entry-without-bundle', 'channel-entry-name-missing'],
  ],
  [/message must be set/, ['deprecation-message-missing']],
  [/duplicate keys/, ['document-key-duplicate']],
  [/missing root schema/, ['document-invalid']],
  [/cannot unmarshal|to be a string|illegal base64/, ['document-field-type', 'document-invalid']],
];

/** The checks of which each verdict needs one. The model reports its problems as a tree, of which the leaves count. */
export function expectedChecks(verdict: string): (readonly CatalogCheck[])[] {
  const isNode = /^[│ ]*[├└]── invalid (?:package|channel|bundle) "[^"]*":$/;
  const lines = verdict.split('\n');
  const leaves = verdict.startsWith('invalid index:')
    ? lines.slice(1).filter((line) => !isNode.test(line))
    : lines.filter((line, index) => index === 0 && line !== '');
  return leaves.map((line) => {
    const found = meanings.find(([words]) => words.test(line))?.[1];
    if (found === undefined) throw new Error(`no check for ${line}`);
    return found;
  });
}
