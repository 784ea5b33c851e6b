import { dns1123LabelErrors } from '@evenkeel/apimachinery/names';
import type { CatalogPackage, Located } from '../catalog/catalog.ts';
import { type CheckedCatalog, firstAndRepeated } from './checked-catalog.ts';
import { iconMediaTypes } from './operator-hub-checks.ts';

/** The checks of packages, and of the packages that channels, bundles and deprecations name. */
export function checkPackages(checked: CheckedCatalog): void {
  const { packages, channels, bundles, deprecations } = checked.catalog;
  for (const found of packages) checkPackage(checked, found);
  for (const [found, first] of firstAndRepeated(packages, ({ value }) => value.name ?? '').repeated) {
    if (!found.value.name) continue;
    const message = `${first.document.file} has the package ${found.value.name} too; remove one of them`;
    checked.add('package-duplicate', found, ['name'], message);
  }
  for (const found of [...channels, ...bundles, ...deprecations]) {
    const name = found.value.package;
    const isRequired = !channels.some((channel) => channel === found);
    if ((isRequired && !name) || checked.isPackage(name)) continue;
    const message = `no olm.package has the name ${JSON.stringify(name ?? '')}; add the package, or correct the name`;
    checked.add('package-unknown', found, ['package'], message);
  }
}

function checkPackage(checked: CheckedCatalog, found: Located<CatalogPackage>): void {
  const { name, defaultChannel, icon, description } = found.value;
  if (!name) {
    checked.add('package-name-missing', found, ['name'], 'it is missing; set the name of the package');
    return;
  }
  const [nameError] = dns1123LabelErrors(name);
  if (nameError !== undefined) {
    checked.add('package-name-invalid', found, ['name'], `${JSON.stringify(name)} is invalid: ${nameError}; rename it`);
  }
  const channels = checked.ofPackage(checked.catalog.channels, name);
  if (channels.size === 0) {
    checked.add('package-channels-missing', found, [], `package ${name} has no channel; add an olm.channel`);
  }
  if (!defaultChannel) {
    const message = `package ${name} has no default channel; set it to one of ${listed(channels.keys())}`;
    checked.add('default-channel-missing', found, ['defaultChannel'], message);
  } else if (!channels.has(defaultChannel)) {
    const message = `package ${name} has no channel ${JSON.stringify(defaultChannel)}; use one of ${listed(channels.keys())}`;
    checked.add('default-channel-unknown', found, ['defaultChannel'], message);
  }
  if (icon === undefined) {
    checked.add('package-icon-missing', found, [], `package ${name} has no icon; add an SVG or PNG image`);
  } else if (!icon.base64data || !icon.mediatype) {
    checked.add('package-icon-invalid', found, ['icon'], 'an icon needs base64data and mediatype; add both');
  } else if (!iconMediaTypes.has(icon.mediatype)) {
    const message = `${JSON.stringify(icon.mediatype)} is unsupported; use ${[...iconMediaTypes].join(', ')}`;
    checked.add('package-icon-invalid', found, ['icon', 'mediatype'], message);
  }
  if (!description) {
    const message = `package ${name} has no description; describe what the operator does`;
    checked.add('package-description-missing', found, ['description'], message);
  }
}

function listed(names: Iterable<string>): string {
  return [...names].join(', ') || 'its channels, after you add one';
}
