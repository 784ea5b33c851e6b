import type { CatalogDeprecations, Located } from '../catalog/catalog.ts';
import { type CheckedCatalog, firstAndRepeated } from './checked-catalog.ts';

/** The checks of deprecations. */
export function checkDeprecations(checked: CheckedCatalog): void {
  const { deprecations } = checked.catalog;
  for (const found of deprecations) {
    if (!found.value.package) {
      checked.add('deprecation-package-missing', found, ['package'], 'it is missing; set the package');
    }
    checkEntries(checked, found);
  }
  for (const [found, first] of firstAndRepeated(deprecations, ({ value }) => value.package ?? '').repeated) {
    if (!found.value.package) continue;
    const message = `${first.document.file} has deprecations of ${found.value.package} too; merge them`;
    checked.add('deprecation-duplicate', found, ['package'], message);
  }
}

function checkEntries(checked: CheckedCatalog, found: Located<CatalogDeprecations>): void {
  const { package: packageName, entries = [] } = found.value;
  const names: Readonly<Record<string, ReadonlySet<string>>> = {
    'olm.channel': new Set(checked.ofPackage(checked.catalog.channels, packageName).keys()),
    'olm.bundle': new Set(checked.ofPackage(checked.catalog.bundles, packageName).keys()),
  };
  const seen = new Set<string>();
  for (const [index, { reference, message }] of entries.entries()) {
    const { schema = '', name = '' } = reference ?? {};
    const path = ['entries', index, 'reference'];
    const key = JSON.stringify([schema, name]);
    const known = Object.hasOwn(names, schema) ? names[schema] : undefined;
    if (seen.has(key)) {
      checked.add('deprecation-duplicate', found, path, `it deprecates the same ${schema} again; remove one of them`);
    } else if (schema === 'olm.package') {
      if (name !== '') {
        const fix = `a deprecation of the package has no name, but this has ${JSON.stringify(name)}; remove the name`;
        checked.add('deprecation-schema-invalid', found, [...path, 'name'], fix);
      }
    } else if (known === undefined) {
      const fix = `${JSON.stringify(schema)} cannot be deprecated; use olm.package, olm.channel or olm.bundle`;
      checked.add('deprecation-schema-invalid', found, [...path, 'schema'], fix);
    } else if (!known.has(name)) {
      const fix = `package ${packageName} has no ${schema} ${JSON.stringify(name)}; correct the name, or remove the deprecation`;
      checked.add('deprecation-unknown', found, [...path, 'name'], fix);
    }
    seen.add(key);
    if (!message) {
      const fix = 'it is missing; say what users should do';
      checked.add('deprecation-message-missing', found, ['entries', index, 'message'], fix);
    }
  }
}
