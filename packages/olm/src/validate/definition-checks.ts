import { fieldErrorBody } from '@evenkeel/apimachinery/field-error';
import { isJsonObject, type JsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { checkCustomResourceDefinition } from '@evenkeel/schema/evaluate';
import { currentForm } from '../bundle/beta-definition.ts';
import type { BundleObject } from '../bundle/bundle.ts';
import type { CheckedBundle } from './checked-bundle.ts';
import { groupInName, type KindVersion, keyOf, shown } from './kind-version.ts';

/** The checks of the CRDs, and of the list of owned ones. */
export function checkDefinitions(checked: CheckedBundle): void {
  const definitions = checked.bundle.objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  for (const definition of definitions) checkDefinition(checked, definition);
  compareOwned(checked, definitions);
}

function checkDefinition(checked: CheckedBundle, object: BundleObject): void {
  for (const error of checkCustomResourceDefinition(currentForm(object)).errors) {
    // The API server checks these when the operator is installed. OLM's own validator skips them, because old bundles have them.
    if (/openAPIV3Schema|status/.test(error.field)) continue;
    checked.report.add('definition-invalid', fieldErrorBody(error), { ...object, path: pathIn(error.field) });
  }
}

/** `spec.versions[0].name` as a path. */
function pathIn(field: string): (string | number)[] {
  return field
    .split('.')
    .flatMap((part) => part.replaceAll(']', '').split('['))
    .map((part) => (/^\d{1,9}$/.test(part) ? Number(part) : part));
}

function compareOwned(checked: CheckedBundle, definitions: readonly BundleObject[]): void {
  const present = new Map<string, { readonly of: KindVersion; readonly object: BundleObject }>();
  for (const object of definitions) {
    for (const of of versionsOf(currentForm(object))) {
      const key = keyOf(of);
      const other = present.get(key);
      if (other !== undefined) {
        const message = `${other.object.file} has ${shown(of)} too; remove one of them`;
        checked.report.add('definition-duplicate', message, object);
      }
      present.set(key, { of, object });
    }
  }
  const ownedKinds = new Set<string>();
  for (const [index, { name, version, kind }] of (checked.spec.customresourcedefinitions?.owned ?? []).entries()) {
    const of = { group: groupInName(name ?? '') ?? name ?? '', version: version ?? '', kind: kind ?? '' };
    if (present.delete(keyOf(of))) {
      ownedKinds.add(JSON.stringify([of.group, of.kind]));
      continue;
    }
    const message = `the bundle has no CRD of ${shown(of)}; add it to manifests/, or remove the entry`;
    checked.add('owned-definition-missing', ['spec', 'customresourcedefinitions', 'owned', index], message);
  }
  for (const { of, object } of present.values()) {
    // Other versions of an owned CRD need no entry.
    if (ownedKinds.has(JSON.stringify([of.group, of.kind]))) continue;
    const message = `spec.customresourcedefinitions.owned has no entry for ${shown(of)}; add one, or remove the CRD`;
    checked.report.add('definition-not-owned', message, object);
  }
}

function versionsOf(definition: JsonObject): KindVersion[] {
  const spec = valueAt(definition, 'spec');
  if (!isJsonObject(spec)) return [];
  const names = valueAt(spec, 'names');
  const kind = isJsonObject(names) ? textOf(valueAt(names, 'kind')) : '';
  const versions = valueAt(spec, 'versions');
  return (Array.isArray(versions) ? versions : [])
    .filter(isJsonObject)
    .map((version) => ({ group: textOf(valueAt(spec, 'group')), version: textOf(valueAt(version, 'name')), kind }));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
