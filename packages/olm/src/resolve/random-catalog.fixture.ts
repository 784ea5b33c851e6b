import type { Catalog, CatalogBundle, CatalogChannel, CatalogDeprecations, Located } from '../catalog/catalog.ts';

const document = { file: 'catalog.yaml', format: 'yaml', start: 0, end: 0, text: '', line: 1 } as const;

function located<T>(values: readonly T[]): Located<T>[] {
  return values.map((value) => ({ document, value }));
}

/** A catalog of the package `p`, without files. */
export function catalogOf(
  channels: readonly CatalogChannel[],
  versions: readonly string[],
  deprecated: readonly string[] = [],
): Catalog {
  const bundles: CatalogBundle[] = versions.map((version) => ({
    name: `p.v${version}`,
    package: 'p',
    properties: [{ type: 'olm.package', value: { packageName: 'p', version } }],
  }));
  const deprecations: CatalogDeprecations = {
    package: 'p',
    entries: deprecated.map((name) => ({ reference: { schema: 'olm.bundle', name }, message: 'old' })),
  };
  return {
    packages: located([{ name: 'p', defaultChannel: 'stable' }]),
    channels: located(channels),
    bundles: located(bundles),
    deprecations: located([deprecations]),
    others: [],
  };
}

/** A valid channel: a chain of `replaces`, with skipped entries and ranges, of some of the versions. */
export function randomChannel(name: string, versions: readonly string[], random: () => number): CatalogChannel {
  const chosen = versions.filter(() => random() < 0.7);
  const members = chosen.length === 0 ? versions.slice(0, 1) : chosen;
  const last = members.length - 1;
  const isSkipped = members.map((_, index) => index < last && random() < 0.25);
  let previous: string | undefined;
  let pending: string[] = [];
  const entries = members.map((version, index) => {
    const bundle = `p.v${version}`;
    const replaces = previous;
    if (isSkipped[index] === true) {
      pending.push(bundle);
      return { name: bundle, ...(replaces === undefined ? {} : { replaces }) };
    }
    const skips = pending;
    pending = [];
    previous = bundle;
    return {
      name: bundle,
      ...(replaces === undefined ? {} : { replaces }),
      ...(skips.length === 0 ? {} : { skips }),
      ...(random() < 0.3 ? { skipRange: `>=${members[Math.floor(random() * (index + 1))]} <${version}` } : {}),
    };
  });
  return { name, package: 'p', entries };
}
