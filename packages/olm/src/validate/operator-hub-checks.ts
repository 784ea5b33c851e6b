import { isRequestUri } from '@evenkeel/schema/evaluate';
import { isMailAddress } from '../format/mail-address.ts';
import { parseTolerantVersion } from '../format/semantic-version.ts';
import type { CheckedBundle } from './checked-bundle.ts';

export const iconMediaTypes: ReadonlySet<string> = new Set(['image/gif', 'image/jpeg', 'image/png', 'image/svg+xml']);
/** From `basic install` to `auto pilot`: the levels of https://sdk.operatorframework.io/docs/overview/operator-capabilities. */
const capabilityLevels = [
  'Basic Install',
  'Seamless Upgrades',
  'Full Lifecycle',
  'Deep Insights',
  'Auto Pilot',
] as const;
/** The categories of OperatorHub. Source: `standardcategories.go` of operator-framework/api. */
const operatorHubCategories = [
  'AI/Machine Learning',
  'Application Runtime',
  'Big Data',
  'Cloud Provider',
  'Developer Tools',
  'Database',
  'Integration & Delivery',
  'Logging & Tracing',
  'Monitoring',
  'Modernization & Migration',
  'Networking',
  'OpenShift Optional',
  'Security',
  'Storage',
  'Streaming & Messaging',
  'Observability',
] as const;

/** The checks of what a catalogue shows of an operator. */
export function checkForOperatorHub(checked: CheckedBundle): void {
  const { provider, version } = checked.spec;
  if (!provider?.name?.trim()) {
    checked.add('provider-missing', ['spec', 'provider', 'name'], 'it is missing; set who provides the operator');
  }
  checkMaintainers(checked);
  checkLinks(checked);
  const parsed = parseTolerantVersion(version ?? '0.0.0');
  if (parsed?.major === 0n && parsed.minor === 0n && parsed.patch === 0n && parsed.prerelease.length === 0) {
    checked.add('version-missing', ['spec', 'version'], 'it is missing or 0.0.0; set the version of the operator');
  }
  checkIcon(checked);
  checkCapabilities(checked);
  checkCategories(checked);
}

function checkMaintainers(checked: CheckedBundle): void {
  for (const [index, { name, email }] of (checked.spec.maintainers ?? []).entries()) {
    const path = ['spec', 'maintainers', index];
    if (!name || !email) checked.add('maintainer-incomplete', path, 'a maintainer needs a name and an email; add both');
    if (email && !isMailAddress(email)) {
      const message = `${JSON.stringify(email)} is not a mail address; write it as name@example.com`;
      checked.add('maintainer-email-invalid', [...path, 'email'], message);
    }
  }
}

function checkLinks(checked: CheckedBundle): void {
  for (const [index, { name, url }] of (checked.spec.links ?? []).entries()) {
    const path = ['spec', 'links', index];
    if (!name || !url) checked.add('link-incomplete', path, 'a link needs a name and a url; add both');
    if (url && !isRequestUri(url)) {
      const message = `${JSON.stringify(url)} is not an absolute URL; write it as https://example.com/page`;
      checked.add('link-url-invalid', [...path, 'url'], message);
    }
  }
}

function checkIcon(checked: CheckedBundle): void {
  const { icon } = checked.spec;
  const path = ['spec', 'icon'];
  if (icon === undefined || icon === null) {
    checked.add('icon-missing', path, 'it is missing; add an SVG or PNG image as base64data with its mediatype');
    return;
  }
  if (icon.length !== 1) checked.add('icon-count', path, `there are ${icon.length} icons; list exactly one`);
  const [first] = icon;
  if (first === undefined) return;
  const { base64data, mediatype } = first;
  if (!base64data || !mediatype) {
    checked.add('icon-incomplete', [...path, 0], 'an icon needs base64data and mediatype; add both');
  }
  if (mediatype && !iconMediaTypes.has(mediatype)) {
    const message = `${JSON.stringify(mediatype)} is unsupported; use ${[...iconMediaTypes].join(', ')}`;
    checked.add('icon-media-type', [...path, 0, 'mediatype'], message);
  }
}

function checkCapabilities(checked: CheckedBundle): void {
  const { csvAnnotations } = checked;
  if (!Object.hasOwn(csvAnnotations, 'capabilities')) return;
  const level = csvAnnotations['capabilities'] ?? '';
  if (capabilityLevels.some((known) => known === level)) return;
  const message = `${JSON.stringify(level)} is not a capability level; use one of ${capabilityLevels.join(', ')}`;
  checked.add('capability-invalid', ['metadata', 'annotations', 'capabilities'], message);
}

function checkCategories(checked: CheckedBundle): void {
  const { csvAnnotations } = checked;
  if (!Object.hasOwn(csvAnnotations, 'categories')) return;
  const known: readonly string[] = checked.options.categories ?? operatorHubCategories;
  for (const category of (csvAnnotations['categories'] ?? '').split(',')) {
    if (known.includes(category.trim())) continue;
    const message = `${JSON.stringify(category)} is not a category; use one of ${known.join(', ')}`;
    checked.add('category-invalid', ['metadata', 'annotations', 'categories'], message);
  }
}
