import { isJsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { parseApiVersion } from '@evenkeel/core';
import type { CheckedBundle } from './checked-bundle.ts';
import { groupInName, type KindVersion, keyOf, shown } from './kind-version.ts';

/** The checks of the examples in the annotations. */
export function checkExamples(checked: CheckedBundle): void {
  const annotations = checked.csvAnnotations;
  if (Object.keys(annotations).length === 0) {
    checked.add(
      'csv-annotations-missing',
      ['metadata', 'annotations'],
      'annotations are missing; add alm-examples, capabilities and categories',
    );
    return;
  }
  const keys = ['alm-examples', 'olm.examples'].filter((key) => Object.hasOwn(annotations, key));
  const [key] = keys;
  if (key === undefined) {
    const message = 'there are no examples; add the annotation alm-examples with a list of custom resources';
    checked.add('examples-missing', ['metadata', 'annotations'], message);
    return;
  }
  const path = ['metadata', 'annotations', key];
  if (keys.length > 1) {
    checked.add(
      'examples-twice',
      ['metadata', 'annotations', 'olm.examples'],
      'OLM ignores it, because alm-examples exists; remove olm.examples',
    );
  }
  const examples = examplesIn(annotations[key] ?? '');
  if ('problem' in examples) {
    checked.add(examples.isJson ? 'examples-not-objects' : 'examples-not-json', path, examples.problem);
    return;
  }
  compareKinds(checked, path, examples.kinds);
}

function examplesIn(
  text: string,
): { readonly kinds: readonly KindVersion[] } | { readonly problem: string; readonly isJson: boolean } {
  if (text === '') return { kinds: [] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return { problem: `it is not JSON (${(cause as Error).message}); correct it`, isJson: false };
  }
  if (value === null) return { kinds: [] };
  if (!Array.isArray(value)) return { problem: 'it is not a list; put the custom resources into [ ]', isJson: true };
  const kinds: KindVersion[] = [];
  for (const [index, example] of value.entries()) {
    const kind = isJsonObject(example) ? valueAt(example, 'kind') : undefined;
    if (!isJsonObject(example) || typeof kind !== 'string' || kind === '') {
      return { problem: `item ${index} is not an object with a kind; add its kind and apiVersion`, isJson: true };
    }
    kinds.push({ kind, ...groupVersionOf(valueAt(example, 'apiVersion')) });
  }
  return { kinds };
}

function groupVersionOf(apiVersion: unknown): Pick<KindVersion, 'group' | 'version'> {
  const { group, version } = parseApiVersion(typeof apiVersion === 'string' ? apiVersion : '');
  return version.includes('/') ? { group: '', version: '' } : { group, version };
}

function compareKinds(checked: CheckedBundle, path: readonly string[], examples: readonly KindVersion[]): void {
  const owned = ownedKinds(checked);
  const ownedKeys = new Set(owned.map(keyOf));
  const exampleKeys = new Map(examples.map((each) => [keyOf(each), each]));
  for (const [key, example] of exampleKeys) {
    if (ownedKeys.has(key)) continue;
    const message = `the operator does not own ${shown(example)}; add it to spec.customresourcedefinitions.owned, or remove the example`;
    checked.add('example-kind-not-owned', path, message);
  }
  for (const each of new Map(owned.map((kind) => [keyOf(kind), kind])).values()) {
    if (exampleKeys.has(keyOf(each))) continue;
    checked.add('example-of-kind-missing', path, `there is no example of ${shown(each)}; add one`);
  }
}

function ownedKinds(checked: CheckedBundle): KindVersion[] {
  const kinds: KindVersion[] = [];
  for (const [index, owned] of (checked.spec.customresourcedefinitions?.owned ?? []).entries()) {
    const { name, version, kind } = owned ?? {};
    const group = groupInName(name ?? '');
    if (group === undefined) {
      const path = ['spec', 'customresourcedefinitions', 'owned', index, 'name'];
      checked.add(
        'owned-name-invalid',
        path,
        `${JSON.stringify(name ?? '')} is not the name of a CRD; write it as PLURAL.GROUP`,
      );
      continue;
    }
    kinds.push({ group, version: version ?? '', kind: kind ?? '' });
  }
  for (const { group, version, kind } of checked.spec.apiservicedefinitions?.owned ?? []) {
    kinds.push({ group: group ?? '', version: version ?? '', kind: kind ?? '' });
  }
  return kinds;
}
