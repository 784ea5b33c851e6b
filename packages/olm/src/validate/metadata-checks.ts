import { isJsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { annotationPrefix, defaultChannelOf, listedChannelsOf, packageNameOf } from '../bundle/bundle.ts';
import { parseYaml, type YamlDocument } from '../bundle/yaml-document.ts';
import type { BundleCheck } from './bundle-check.ts';
import type { CheckedBundle } from './checked-bundle.ts';

/** What OLM v1 does not resolve. */
const unresolvedInV1: ReadonlySet<unknown> = new Set(['olm.gvk.required', 'olm.package.required', 'olm.constraint']);
const dependencyTypes: ReadonlySet<unknown> = new Set(['olm.package', 'olm.gvk', 'olm.label', 'olm.constraint']);
/** The properties of which registries read the value. Source: operator-registry `alpha/property`. */
const requiredMembers = new Map<unknown, readonly string[]>([
  ['olm.package', ['packageName', 'version']],
  ['olm.gvk', ['group', 'version', 'kind']],
  ['olm.label', ['label']],
  ['olm.gvk.required', ['group', 'version', 'kind']],
  ['olm.package.required', ['packageName', 'versionRange']],
]);

/**
 * The checks of the files in metadata/.
 *
 * Source: `pkg/lib/bundle/validate.go` and `alpha/property` of github.com/operator-framework/operator-registry.
 */
export function checkMetadata(checked: CheckedBundle): void {
  checkAnnotations(checked);
  const dependencies = checkList(checked, 'dependencies', 'dependencies-invalid', (type) => dependencyTypes.has(type));
  const properties = checkList(
    checked,
    'properties',
    'properties-invalid',
    (type) => typeof type === 'string' && type !== '',
  );
  if (dependencies !== undefined && dependencies.types.length > 0) {
    const message = 'OLM v1 does not install dependencies; let the operator check at its start that they are installed';
    checked.report.add('dependency-unsupported-in-v1', message, dependencies.place);
  } else if (properties?.types.some((type) => unresolvedInV1.has(type)) === true) {
    const message =
      'OLM v1 does not resolve requirements and constraints; let the operator check at its start that they are met';
    checked.report.add('dependency-unsupported-in-v1', message, properties.place);
  }
}

function checkAnnotations(checked: CheckedBundle): void {
  const { files, annotations } = checked.bundle;
  const file = files.find(({ path }) => /(?:^|\/)annotations[^/]*$/.test(path))?.path;
  if (file === undefined) {
    const message = 'the bundle has no metadata/annotations.yaml; add it with the package and the channels';
    checked.report.add('annotations-file-missing', message);
    return;
  }
  const expected: readonly (readonly [string, (value: string) => boolean, string])[] = [
    ['mediatype.v1', (value) => value === 'registry+v1', 'registry+v1'],
    ['manifests.v1', (value) => value === 'manifests/', 'manifests/'],
    ['metadata.v1', (value) => value === 'metadata/', 'metadata/'],
    ['package.v1', (value) => value !== '', 'the name of the package'],
    [
      'channels.v1',
      (value) => value.split(',').every((channel) => channel.trim() !== ''),
      'channels with commas between them',
    ],
  ];
  for (const [name, isValid, wanted] of expected) {
    const key = `${annotationPrefix}${name}`;
    const value = annotations[key];
    if (value !== undefined && isValid(value)) continue;
    const problem = value === undefined ? 'it is missing' : `${JSON.stringify(value)} is invalid`;
    checked.report.add('bundle-annotation-invalid', `${problem}; set it to ${wanted}`, {
      file,
      path: ['annotations', key],
    });
  }
  const key = `${annotationPrefix}channel.default.v1`;
  const place = { file, path: ['annotations', key] };
  const channel = defaultChannelOf(checked.bundle);
  const listed = listedChannelsOf(checked.bundle);
  if (annotations[key] === '') {
    checked.report.add(
      'bundle-annotation-invalid',
      'it is empty; set it to one of the channels, or remove the annotation',
      place,
    );
  } else if (channel !== '' && !listed.includes(channel)) {
    const message = `${JSON.stringify(channel)} is not in the list of channels (${listed.join(', ')}); add it to the list, or use a listed channel`;
    checked.report.add('default-channel-unlisted', message, place);
  }
  checkName(checked);
}

function checkName(checked: CheckedBundle): void {
  const packageName = packageNameOf(checked.bundle);
  const { version, release } = checked.spec;
  if (packageName === '' || !version || release) return;
  const expected = `${packageName}.v${version}`;
  if (checked.bundle.name === expected) return;
  const message = `catalogs expect the name ${expected}; use the package and spec.version in the name`;
  checked.add('csv-name-mismatch', ['metadata', 'name'], message);
}

interface ListFile {
  readonly place: { readonly file: string; readonly document: YamlDocument };
  readonly types: readonly unknown[];
}

function checkList(
  checked: CheckedBundle,
  name: 'dependencies' | 'properties',
  check: BundleCheck,
  isType: (type: unknown) => boolean,
): ListFile | undefined {
  const file = checked.bundle.files.find(({ path }) => path === `metadata/${name}.yaml`);
  if (file === undefined) return undefined;
  const document = parseYaml(file.content.toString('utf8'));
  if ('reason' in document) {
    checked.report.add(check, `${document.reason}; write it as YAML`, { file: file.path, line: document.line });
    return undefined;
  }
  const place = { file: file.path, document };
  const list = isJsonObject(document.value) ? valueAt(document.value, name) : undefined;
  if (!Array.isArray(list)) {
    checked.report.add(check, `it has no list ${name}; add it, or remove the file`, place);
    return undefined;
  }
  const types: unknown[] = [];
  for (const [index, item] of list.entries()) {
    const path = [name, index];
    const type = isJsonObject(item) ? valueAt(item, 'type') : undefined;
    types.push(type);
    if (!isJsonObject(item) || !isType(type)) {
      const known = name === 'dependencies' ? `: ${[...dependencyTypes].join(', ')}` : '';
      checked.report.add(check, `it needs a type${known}; correct it`, { ...place, path });
      continue;
    }
    const value = valueAt(item, 'value');
    const members = requiredMembers.get(type) ?? [];
    const missing = members.filter((member) => !isJsonObject(value) || !valueAt(value, member));
    if (value === undefined || missing.length > 0) {
      const wanted = missing.length === 0 ? 'a value' : `a value with ${missing.join(', ')}`;
      checked.report.add(check, `${String(type)} needs ${wanted}; add it`, { ...place, path: [...path, 'value'] });
    }
  }
  return { place, types };
}
