import { isBase64 } from '../format/base64-text.ts';
import { parseTolerantVersion, parseVersion } from '../format/semantic-version.ts';
import type { CheckedBundle } from './checked-bundle.ts';

const displayName = { least: 3, most: 50 };
const descriptionLeast = 20;
const providerLeast = 3;

/** What OperatorHub's pipeline checks besides the validators of operator-framework/api. */
export function checkForPipeline(checked: CheckedBundle): void {
  const { spec } = checked;
  const shown = spec.displayName ?? '';
  if (shown !== '' && (shown.length < displayName.least || shown.length > displayName.most)) {
    const message = `it must have ${displayName.least} to ${displayName.most} characters, and has ${shown.length}; change it`;
    checked.add('display-name-length', ['spec', 'displayName'], message);
  }
  if ((spec.description ?? '').length < descriptionLeast) {
    const message = `it must have at least ${descriptionLeast} characters; describe what the operator does`;
    checked.add('description-short', ['spec', 'description'], message);
  }
  const provider = spec.provider?.name?.trim() ?? '';
  if (provider !== '' && provider.length < providerLeast) {
    checked.add(
      'provider-short',
      ['spec', 'provider', 'name'],
      `it must have at least ${providerLeast} characters; write it out`,
    );
  }
  if ((spec.maintainers ?? []).length === 0) {
    checked.add(
      'maintainers-missing',
      ['spec', 'maintainers'],
      'maintainers are missing; add one with a name and an email',
    );
  }
  if ((spec.links ?? []).length === 0) {
    checked.add('links-missing', ['spec', 'links'], 'links are missing; add one to the documentation or the sources');
  }
  const version = spec.version ?? '';
  if (version !== '' && parseTolerantVersion(version) !== undefined && parseVersion(version) === undefined) {
    checked.add('version-form', ['spec', 'version'], `${JSON.stringify(version)} must be written as 1.2.3; correct it`);
  }
  for (const [index, { base64data }] of (spec.icon ?? []).entries()) {
    if (!base64data || isBase64(base64data)) continue;
    checked.add('icon-not-base64', ['spec', 'icon', index, 'base64data'], 'it is not base64; encode the image');
  }
}
