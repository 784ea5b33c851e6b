import type { PersistentVolume } from '@evenkeel/kinds';
import type { StrategyContext } from '../../kind/strategy.ts';
import { defineStrategy, keepMember } from '../define-strategy.ts';
import { nodeSelectorTermWarnings } from '../node-selector-validation.ts';
import { validateVolume, validateVolumeUpdate } from '../pod/persistent-volume-validation.ts';
import { defaultVolumeSource } from '../pod/volume-defaults.ts';
import { defaultResourceList } from '../resource-list-defaults.ts';
import { writeNulls } from '../written-nulls.ts';

const protection = 'kubernetes.io/pv-protection';

/** Sources: `SetDefaults_PersistentVolume`, `pkg/registry/core/persistentvolume/strategy.go`, the admission plugin StorageObjectInUseProtection. */
export const persistentVolumeStrategy = defineStrategy<PersistentVolume>({
  default({ spec, status }) {
    if (status !== undefined) status.phase ||= 'Pending';
    if (spec === undefined) return;
    spec.persistentVolumeReclaimPolicy ||= 'Retain';
    spec.volumeMode ??= 'Filesystem';
    defaultResourceList(spec.capacity);
    defaultVolumeSource(spec);
    writeNulls(spec.azureFile, 'secretNamespace');
  },
  prepareForCreate(object, context) {
    const finalizers = object.metadata.finalizers ?? [];
    if (!finalizers.includes(protection)) object.metadata.finalizers = [...finalizers, protection];
    object.status = { phase: 'Pending', lastPhaseTransitionTime: now(context) };
  },
  validate: validateVolume,
  warnings: volumeWarnings,
  validateUpdate: validateVolumeUpdate,
  generation: 'never',
  selectableFields: ({ metadata }) => ({ name: metadata.name }),
  selectableFieldNames: ['name'],
  subresources: {
    status: {
      prepareForUpdate(object, old, context) {
        keepMember(object, old, 'spec');
        const { status } = object;
        if (status === undefined) return;
        const before = old.status?.lastPhaseTransitionTime;
        if (status.phase === old.status?.phase) {
          if (before !== undefined) status.lastPhaseTransitionTime ??= before;
        } else if (status.lastPhaseTransitionTime === undefined || status.lastPhaseTransitionTime === before) {
          status.lastPhaseTransitionTime = now(context);
        }
      },
    },
  },
});

const deprecatedSources = [
  ['cephfs', 'cephfs: deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO: deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS: deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs: deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd: deprecated in v1.28, non-functional in v1.31+'],
] as const;

const deprecatedAnnotations = [
  ['storage-class', 'deprecated since v1.8; use "storageClassName" attribute instead'],
  ['mount-options', 'deprecated since v1.31; use "mountOptions" attribute instead'],
] as const;

/** Source: `pkg/api/persistentvolume/util.go`. */
function volumeWarnings({ metadata, spec }: PersistentVolume): readonly string[] {
  const annotations = deprecatedAnnotations
    .map(([name, message]) => [`volume.beta.kubernetes.io/${name}`, message] as const)
    .filter(([key]) => metadata.annotations?.[key] !== undefined)
    .map(([key, message]) => `metadata.annotations[${key}]: ${message}`);
  const policy =
    spec?.persistentVolumeReclaimPolicy === 'Recycle'
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
        ]
      : [];
  const labels = (spec?.nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap((term, index) =>
    nodeSelectorTermWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`),
  );
  const sources = deprecatedSources
    .filter(([name]) => spec?.[name] !== undefined)
    .map(([, message]) => `spec.${message}`);
  return [...annotations, ...policy, ...labels, ...sources];
}

const now = ({ clock }: StrategyContext): string => new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
