import type { ReplicationController } from '@evenkeel/kinds';
import { dns1123SubdomainErrors } from '../../apimachinery/index.ts';
import { validateReplicationController, validateReplicationControllerStatus } from '../apps/replica-set-validation.ts';
import { defineStrategy } from '../define-strategy.ts';
import { defaultPodTemplate } from '../pod/pod-spec-defaults.ts';
import { templateWarnings } from '../pod/pod-spec-warnings.ts';
import { writeNulls } from '../written-nulls.ts';

/** Sources: `SetDefaults_ReplicationController`, `pkg/registry/core/replicationcontroller/strategy.go`. */
export const replicationControllerStrategy = defineStrategy<ReplicationController>({
  default({ metadata, spec, status }) {
    writeNulls(status?.conditions, 'lastTransitionTime');
    if (spec === undefined) return;
    const labels = spec.template?.metadata?.labels;
    if (labels !== undefined) {
      if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels };
      if (Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels };
    }
    spec.replicas ??= 1;
    if (spec.template !== undefined) defaultPodTemplate(spec.template);
  },
  // Upstream only validates the name that was generated.
  validateName: (name, prefix) => (prefix ? [] : dns1123SubdomainErrors(name)),
  validate: validateReplicationController,
  validateUpdate: validateReplicationController,
  warnings: templateWarnings(({ spec }) => spec?.template?.spec, 'spec.template.spec'),
  garbageCollection: 'OrphanDependents',
  selectableFields: ({ status }) => ({ 'status.replicas': String(status?.replicas ?? 0) }),
  selectableFieldNames: ['status.replicas'],
  subresources: { status: { validateUpdate: validateReplicationControllerStatus } },
});
