import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '@evenkeel/kinds';
import { defineStrategy } from '../define-strategy.ts';
import { validateClaimSpec, validateClaimStatus, validateClaimUpdate } from '../pod/claim-validation.ts';
import { defaultClaimSpec } from '../pod/volume-defaults.ts';
import { defaultResourceList } from '../resource-list-defaults.ts';
import { writeNulls } from '../written-nulls.ts';

const protection = 'kubernetes.io/pvc-protection';

/** Sources: `SetDefaults_PersistentVolumeClaim`, `pkg/registry/core/persistentvolumeclaim/strategy.go`, `pkg/api/persistentvolumeclaim/util.go`, the admission plugin StorageObjectInUseProtection. */
export const persistentVolumeClaimStrategy = defineStrategy<PersistentVolumeClaim>({
  default({ spec, status }) {
    if (status !== undefined) {
      status.phase ||= 'Pending';
      defaultResourceList(status.capacity);
      defaultResourceList(status.allocatedResources);
    }
    writeNulls(status?.conditions, 'lastProbeTime', 'lastTransitionTime');
    if (spec !== undefined) defaultClaimSpec(spec);
  },
  prepareForCreate(object) {
    const finalizers = object.metadata.finalizers ?? [];
    if (!finalizers.includes(protection)) object.metadata.finalizers = [...finalizers, protection];
    object.status = { phase: 'Pending' };
    if (object.spec === undefined) return;
    dropForeignDataSource(object.spec);
    alignDataSources(object.spec);
  },
  prepareForUpdate({ spec }, old) {
    if (spec === undefined) return;
    if (old.spec?.dataSource === undefined && old.spec?.dataSourceRef === undefined) dropForeignDataSource(spec);
    alignDataSources(spec);
  },
  validate: ({ spec }) => validateClaimSpec(spec ?? {}, 'spec'),
  validateUpdate: validateClaimUpdate,
  generation: 'never',
  selectableFields: ({ metadata }) => ({ name: metadata.name }),
  selectableFieldNames: ['name'],
  subresources: { status: { validateUpdate: validateClaimStatus } },
});

/** Drops a `dataSource` that is not a claim or a snapshot. */
function dropForeignDataSource(spec: PersistentVolumeClaimSpec): void {
  const source = spec.dataSource;
  if (source === undefined || spec.dataSourceRef !== undefined) return;
  const isClaim = source.kind === 'PersistentVolumeClaim' && !source.apiGroup;
  const isSnapshot = source.kind === 'VolumeSnapshot' && source.apiGroup === 'snapshot.storage.k8s.io';
  if (!isClaim && !isSnapshot) delete spec.dataSource;
}

/** Sets `dataSourceRef` from `dataSource` or the reverse, because both mean the same. */
function alignDataSources(spec: PersistentVolumeClaimSpec): void {
  writeNulls(spec.dataSource, 'apiGroup');
  writeNulls(spec.dataSourceRef, 'apiGroup');
  if (spec.dataSource !== undefined) spec.dataSourceRef ??= { ...spec.dataSource };
  else if (spec.dataSourceRef !== undefined && !spec.dataSourceRef.namespace) {
    const { namespace: _, ...source } = spec.dataSourceRef;
    spec.dataSource = source;
  }
}
