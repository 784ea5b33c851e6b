import type { PersistentVolume } from '@evenkeel/kinds';
import type { StrategyContext } from '../../kind/strategy.ts';
import { defineStrategy, keepMember } from '../define-strategy.ts';
import { defaultVolumeSource } from '../pod/volume-defaults.ts';
import { defaultResourceList } from '../resource-list-defaults.ts';

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
  },
  prepareForCreate(object, context) {
    const finalizers = object.metadata.finalizers ?? [];
    if (!finalizers.includes(protection)) object.metadata.finalizers = [...finalizers, protection];
    object.status = { phase: 'Pending', lastPhaseTransitionTime: now(context) };
  },
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

const now = ({ clock }: StrategyContext): string => new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
