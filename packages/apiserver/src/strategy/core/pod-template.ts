import type { KubernetesObject } from '@evenkeel/core';
import type { PodTemplateSpec } from '@evenkeel/kinds';
import { jsonEqual } from '../../apimachinery/index.ts';
import { defineStrategy } from '../define-strategy.ts';
import { defaultPodTemplate } from '../pod/pod-spec-defaults.ts';
import { validatePodTemplate } from '../pod/pod-spec-validation.ts';
import { templateWarnings } from '../pod/pod-spec-warnings.ts';

interface PodTemplate extends KubernetesObject {
  template?: PodTemplateSpec;
}

/** Sources: `pkg/registry/core/podtemplate/strategy.go`. */
export const podTemplateStrategy = defineStrategy<PodTemplate>({
  default(object) {
    object.template ??= {};
    defaultPodTemplate(object.template);
  },
  validate: ({ template }) => validatePodTemplate(template ?? {}, 'template'),
  validateUpdate: ({ template }) => validatePodTemplate(template ?? {}, 'template'),
  warnings: templateWarnings(({ template }) => template?.spec, 'template.spec'),
  generation: (object, old) => !jsonEqual(object.template, old.template),
});
