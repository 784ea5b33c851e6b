import type { Deployment } from '@evenkeel/kinds';
import { jsonEqual } from '../../apimachinery/index.ts';
import { defineStrategy, keepMember } from '../define-strategy.ts';
import { defaultPodTemplate } from '../pod/pod-spec-defaults.ts';
import { templateWarnings } from '../pod/pod-spec-warnings.ts';
import { writeNulls } from '../written-nulls.ts';
import { validateDeployment, validateDeploymentStatus, validateDeploymentUpdate } from './deployment-validation.ts';

/** Sources: `pkg/apis/apps/v1/defaults.go`, `pkg/registry/apps/deployment/strategy.go`. */
export const deploymentStrategy = defineStrategy<Deployment>({
  default({ spec, status }) {
    writeNulls(status?.conditions, 'lastUpdateTime', 'lastTransitionTime');
    if (spec === undefined) return;
    spec.replicas ??= 1;
    spec.strategy ??= {};
    spec.strategy.type ||= 'RollingUpdate';
    if (spec.strategy.type === 'RollingUpdate') {
      spec.strategy.rollingUpdate ??= {};
      spec.strategy.rollingUpdate.maxUnavailable ??= '25%';
      spec.strategy.rollingUpdate.maxSurge ??= '25%';
    }
    spec.revisionHistoryLimit ??= 10;
    spec.progressDeadlineSeconds ??= 600;
    spec.template ??= { spec: { containers: [] } };
    defaultPodTemplate(spec.template);
  },
  // Annotations count too, so that the controller copies them to its ReplicaSets.
  generation: (object, old) =>
    !jsonEqual(object.spec, old.spec) || !jsonEqual(object.metadata.annotations ?? {}, old.metadata.annotations ?? {}),
  validate: validateDeployment,
  validateUpdate: validateDeploymentUpdate,
  warnings: templateWarnings(({ spec }) => spec?.template?.spec, 'spec.template.spec'),
  subresources: {
    status: {
      prepareForUpdate(object, old) {
        keepMember(object, old, 'spec');
        keepMember(object.metadata, old.metadata, 'labels');
      },
      validateUpdate: validateDeploymentStatus,
    },
  },
});
