import type { ReplicaSet } from '@evenkeel/kinds';
import { defineStrategy } from '../define-strategy.ts';
import { defaultPodTemplate } from '../pod/pod-spec-defaults.ts';
import { templateWarnings } from '../pod/pod-spec-warnings.ts';
import { writeNulls } from '../written-nulls.ts';
import { validateReplicaSet, validateReplicaSetStatus, validateReplicaSetUpdate } from './replica-set-validation.ts';

/** Sources: `pkg/apis/apps/v1/defaults.go`, `pkg/registry/apps/replicaset/strategy.go`. */
export const replicaSetStrategy = defineStrategy<ReplicaSet>({
  default({ spec, status }) {
    writeNulls(status?.conditions, 'lastTransitionTime');
    if (spec === undefined) return;
    spec.replicas ??= 1;
    spec.template ??= {};
    defaultPodTemplate(spec.template);
  },
  validate: validateReplicaSet,
  validateUpdate: validateReplicaSetUpdate,
  warnings: templateWarnings(({ spec }) => spec?.template?.spec, 'spec.template.spec'),
  subresources: { status: { validateUpdate: validateReplicaSetStatus } },
});
