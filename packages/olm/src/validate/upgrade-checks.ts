import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { DefinitionChange, DefinitionCheck } from '@evenkeel/schema';
import { currentForm } from '../bundle/beta-definition.ts';
import { type Bundle, type BundleObject, packageNameOf } from '../bundle/bundle.ts';
import { readBundle } from '../bundle/read-bundle.ts';
import { compareVersions, parseTolerantVersion } from '../format/semantic-version.ts';
import type { BundleCheck } from './bundle-check.ts';
import type { CheckedBundle } from './checked-bundle.ts';
import { findingText, OlmReport } from './finding.ts';

/** Changes that crdify, and so OLM v1, does not check, although clients fail after them. */
const uncheckedByOlm: ReadonlySet<DefinitionCheck> = new Set(['servedVersionRemoval', 'conversion']);

/**
 * The checks of an upgrade from the previous bundle: the CRD upgrade safety of OLM v1, which refuses an upgrade that could lose or
 * invalidate stored objects.
 *
 * Source: `rukpak/preflights/crdupgradesafety` of github.com/operator-framework/operator-controller, and sigs.k8s.io/crdify.
 */
export async function checkUpgrade(checked: CheckedBundle, folder: string): Promise<void> {
  const report = new OlmReport<BundleCheck>();
  const previous = await readBundle(folder, report);
  if (previous === undefined) {
    const [first] = report.findings;
    const reason = first === undefined ? 'pass the folder of that bundle' : findingText(first);
    checked.report.add('previous-unreadable', `the previous bundle ${folder} cannot be read: ${reason}`);
    return;
  }
  checkOrder(checked, previous);
  const { compareDefinitions } = await import('@evenkeel/schema');
  const after = new Map(definitionsOf(checked.bundle).map((object) => [object.name, object]));
  for (const before of definitionsOf(previous)) {
    const object = after.get(before.name);
    if (object === undefined) {
      const message = `the bundle no longer has the CRD ${before.name} of ${previous.name}; keep the CRD, because OLM v1 would delete it with all its objects`;
      checked.add('upgrade-definition-removed', ['spec', 'customresourcedefinitions', 'owned'], message);
      continue;
    }
    const current = currentForm(object) as unknown as CustomResourceDefinition;
    for (const change of compareDefinitions(installed(before), current))
      reportChange(checked, object, current, change, previous.name);
  }
}

function definitionsOf({ objects }: Bundle): BundleObject[] {
  return objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
}

/** A CRD after its installation. The version in which it stores objects is one in which objects are stored. */
function installed(object: BundleObject): CustomResourceDefinition {
  const definition = currentForm(object) as unknown as CustomResourceDefinition;
  const stored = definition.spec.versions.filter(({ storage }) => storage).map(({ name }) => name);
  return { ...definition, status: { ...definition.status, storedVersions: stored } } as CustomResourceDefinition;
}

function reportChange(
  checked: CheckedBundle,
  object: BundleObject,
  { spec }: CustomResourceDefinition,
  { check, version, path, message }: DefinitionChange,
  previous: string,
): void {
  const index = spec.versions.findIndex(({ name }) => name === version);
  const place = index === -1 ? ['spec'] : ['spec', 'versions', index, 'schema', 'openAPIV3Schema', ...schemaPath(path)];
  const subject = [version, path].filter((part) => part !== undefined && part !== '').join(': ');
  const change = `since ${previous}, ${subject === '' ? '' : `${subject}: `}${message} (${check})`;
  const isAllowed = uncheckedByOlm.has(check);
  checked.report.add(
    isAllowed ? 'upgrade-breaks-clients' : 'upgrade-unsafe',
    `${change}; ${isAllowed ? 'keep it for one more release' : 'undo the change, or make it in a new version of the API'}`,
    { ...object, path: place },
  );
}

/** `spec.ports[*].name` as a path in a schema. */
function schemaPath(path: string): string[] {
  const parts = path === '' ? [] : path.replaceAll('[*]', '.[*]').split('.');
  return parts.flatMap((part) =>
    part === '[*]' ? ['items'] : part === '*' ? ['additionalProperties'] : ['properties', part],
  );
}

function checkOrder(checked: CheckedBundle, previous: Bundle): void {
  const names = [previous, checked.bundle].map(packageNameOf);
  if (names[0] !== names[1]) {
    const message = `the previous bundle is of the package ${JSON.stringify(names[0])}; pass a bundle of ${JSON.stringify(names[1])}`;
    checked.add('upgrade-order', [], message);
  }
  const [before, after] = [previous.csv.spec?.version, checked.spec.version].map((text) =>
    parseTolerantVersion(text ?? ''),
  );
  if (before === undefined || after === undefined || compareVersions(before, after) < 0) return;
  const message = `it must be higher than ${previous.csv.spec?.version} of the previous bundle; raise it, or pass an older bundle`;
  checked.add('upgrade-order', ['spec', 'version'], message);
}
