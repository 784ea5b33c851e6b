import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { compareVersions } from '../diff/compare-versions.ts';
import { comparedVersion } from './compared-version.ts';
import { lossyPaths } from './difference-details.ts';
import type { MergedKind } from './merge-versions.ts';
import type { PreviousDefinition } from './previous-definitions.ts';
import type { StrayVersion } from './stray-versions.ts';

/**
 * Reports an error for each version of the previous CRD that the new one does not have, if objects were stored in it or it was
 * served. Reports a notice for another storage version.
 *
 * @param areReleased whether the previous CRD was released.
 * @param strays classes that probably are the removed versions. If one has an error, its version is not reported.
 */
export function checkReplacedVersions(
  { metadata: { name: crd }, spec }: CustomResourceDefinition,
  kind: MergedKind,
  { definition: previous, file }: PreviousDefinition,
  { areReleased, strays }: { readonly areReleased: boolean; readonly strays: readonly StrayVersion[] },
): void {
  const { declaration, report } = kind.storage;
  const kept = new Set(spec.versions.map(({ name }) => name));
  const removed = previous.spec.versions.filter(({ name }) => !kept.has(name));
  const otherwise = `if no cluster has the CRD in ${file}, delete that file`;
  for (const { name, storage, served } of removed) {
    const stray = strays.find(({ of, version }) => of === kind && version.declaration.version === name);
    if (stray?.differs === 'kind') continue;
    const meant =
      stray === undefined
        ? ''
        : `${stray.version.root.name} declares ${name} of ${kind.names.kind} in the group ${stray.version.declaration.group}; if it is this version, set group: '${kind.names.group}' there. Otherwise: `;
    if (storage) {
      report.error(
        'version-still-used',
        `${meant}no class declares ${name} of ${crd}, but clusters store objects in it, so the API server would reject the new CRD; keep the class of ${name}, make another version the storage version, run "evenkeel migrate ${crd}" on each cluster, and then remove the class; ${otherwise}`,
      );
    } else if (served) {
      report.error(
        'version-still-used',
        `${meant}no class declares ${name} of ${crd}, but clusters serve it, so requests for it would fail; check with "evenkeel versions ${crd}" that no client writes it, restore the class with served: false, ${areReleased ? 'release that' : 'generate'}, and then remove the class; ${otherwise}`,
      );
    }
  }
  const before = previous.spec.versions.find((version) => version.storage)?.name;
  if (before === undefined || !kept.has(before) || before === declaration.version) return;
  const lost = kind.hub === undefined ? lostInStorage(spec, before, kind) : [];
  const drops =
    lost.length === 0
      ? ''
      : `; ${declaration.version} does not have ${lost.join(', ')}, so each write of an existing object drops these fields, and the command refuses to migrate objects that have them: copy the values first, or pass --allow-data-loss`;
  report.notice(
    'storage-version-moved',
    `the storage version of ${crd} changes from ${before} to ${declaration.version}; existing objects stay in ${before} until they are written, so run "evenkeel migrate ${crd}" on each cluster after the new CRD is installed${drops}`,
  );
}

/** The fields of a version that the storage version does not keep. */
function lostInStorage(
  { versions }: CustomResourceDefinition['spec'],
  before: string,
  { names }: Pick<MergedKind, 'names'>,
): string[] {
  const from = versions.find(({ name }) => name === before);
  const to = versions.find(({ storage }) => storage);
  if (from === undefined || to === undefined) return [];
  const lost = compareVersions(comparedVersion(from), comparedVersion(to)).filter(
    ({ direction, effect }) => direction === 'forward' && effect === 'lost',
  );
  return lossyPaths(lost, names.kind);
}
