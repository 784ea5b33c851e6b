import type { DaemonSet } from '@evenkeel/kinds';
import { jsonEqual } from '../../apimachinery/index.ts';
import { defineStrategy, keepMember } from '../define-strategy.ts';
import { defaultPodTemplate } from '../pod/pod-spec-defaults.ts';
import { templateWarnings } from '../pod/pod-spec-warnings.ts';
import { writeNulls } from '../written-nulls.ts';
import { validateDaemonSet, validateDaemonSetStatus, validateDaemonSetUpdate } from './daemon-set-validation.ts';

/** The annotation in which `apps/v1` keeps the template's generation, a spec field of the group's earlier versions. */
const templateGeneration = 'deprecated.daemonset.template.generation';

/** Sources: `pkg/apis/apps/v1/defaults.go` and `conversion.go`, `pkg/registry/apps/daemonset/strategy.go`. */
export const daemonSetStrategy = defineStrategy<DaemonSet>({
  default(object) {
    const { spec, status } = object;
    setTemplateGeneration(object, templateGenerationOf(object));
    writeNulls(status?.conditions, 'lastTransitionTime');
    if (spec === undefined) return;
    spec.updateStrategy ??= {};
    spec.updateStrategy.type ||= 'RollingUpdate';
    if (spec.updateStrategy.type === 'RollingUpdate') {
      spec.updateStrategy.rollingUpdate ??= {};
      spec.updateStrategy.rollingUpdate.maxUnavailable ??= 1;
      spec.updateStrategy.rollingUpdate.maxSurge ??= 0;
    }
    spec.revisionHistoryLimit ??= 10;
    spec.template ??= { spec: { containers: [] } };
    defaultPodTemplate(spec.template);
  },
  prepareForCreate(object) {
    setTemplateGeneration(object, Math.max(1, templateGenerationOf(object)));
  },
  prepareForUpdate(object, old) {
    const before = templateGenerationOf(old);
    setTemplateGeneration(object, jsonEqual(object.spec?.template, old.spec?.template) ? before : before + 1);
  },
  validate: validateDaemonSet,
  validateUpdate: validateDaemonSetUpdate,
  warnings: templateWarnings(({ spec }) => spec?.template?.spec, 'spec.template.spec'),
  subresources: {
    status: {
      prepareForUpdate(object, old) {
        keepMember(object, old, 'spec');
        setTemplateGeneration(object, templateGenerationOf(old));
      },
      validateUpdate: validateDaemonSetStatus,
    },
  },
});

function templateGenerationOf({ metadata }: DaemonSet): number {
  const text = metadata.annotations?.[templateGeneration] ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

function setTemplateGeneration({ metadata }: DaemonSet, generation: number): void {
  if (metadata.annotations?.[templateGeneration] === String(generation)) return;
  metadata.annotations = { ...metadata.annotations, [templateGeneration]: String(generation) };
}
