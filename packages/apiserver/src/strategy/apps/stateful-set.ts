import type { StatefulSet } from '@evenkeel/kinds';
import { dns1123LabelErrors, nameRule } from '../../apimachinery/index.ts';
import { defineStrategy } from '../define-strategy.ts';
import { defaultPodTemplate } from '../pod/pod-spec-defaults.ts';
import { templateWarnings } from '../pod/pod-spec-warnings.ts';
import { defaultClaimSpec } from '../pod/volume-defaults.ts';
import { writeNulls } from '../written-nulls.ts';
import {
  validateStatefulSet,
  validateStatefulSetStatus,
  validateStatefulSetUpdate,
} from './stateful-set-validation.ts';

/** Sources: `pkg/apis/apps/v1/defaults.go`, `pkg/registry/apps/statefulset/strategy.go`. */
export const statefulSetStrategy = defineStrategy<StatefulSet>({
  validateName: nameRule(dns1123LabelErrors),
  default({ spec, status }) {
    writeNulls(status?.conditions, 'lastTransitionTime');
    if (status !== undefined) status.availableReplicas ??= 0;
    if (spec === undefined) return;
    spec.serviceName ??= '';
    spec.podManagementPolicy ||= 'OrderedReady';
    spec.updateStrategy ??= {};
    if (!spec.updateStrategy.type) {
      spec.updateStrategy.type = 'RollingUpdate';
      spec.updateStrategy.rollingUpdate ??= {};
    }
    if (spec.updateStrategy.type === 'RollingUpdate' && spec.updateStrategy.rollingUpdate !== undefined) {
      spec.updateStrategy.rollingUpdate.partition ??= 0;
    }
    spec.persistentVolumeClaimRetentionPolicy ??= {};
    spec.persistentVolumeClaimRetentionPolicy.whenDeleted ||= 'Retain';
    spec.persistentVolumeClaimRetentionPolicy.whenScaled ||= 'Retain';
    spec.replicas ??= 1;
    spec.revisionHistoryLimit ??= 10;
    spec.template ??= { spec: { containers: [] } };
    defaultPodTemplate(spec.template);
    for (const claim of spec.volumeClaimTemplates ?? []) {
      claim.apiVersion ??= 'v1';
      claim.kind ??= 'PersistentVolumeClaim';
      claim.status ??= {};
      claim.status.phase ||= 'Pending';
      claim.spec ??= {};
      defaultClaimSpec(claim.spec);
    }
  },
  prepareForCreate(object) {
    object.status = { replicas: 0, availableReplicas: 0 };
    delete object.spec?.updateStrategy?.rollingUpdate?.maxUnavailable;
  },
  // The feature is off by default, so the field is dropped unless it is already stored.
  prepareForUpdate: ({ spec }, old) => {
    if (old.spec?.updateStrategy?.rollingUpdate?.maxUnavailable !== undefined) return;
    delete spec?.updateStrategy?.rollingUpdate?.maxUnavailable;
  },
  validate: validateStatefulSet,
  validateUpdate: validateStatefulSetUpdate,
  warnings: templateWarnings(({ spec }) => spec?.template?.spec, 'spec.template.spec'),
  subresources: { status: { validateUpdate: validateStatefulSetStatus } },
});
