import type { ConfigMap } from '@evenkeel/kinds';
import { validateConfigMap, validateConfigMapUpdate } from './data-validation.ts';
import { defineStrategy } from './define-strategy.ts';

/** Source: `pkg/registry/core/configmap/strategy.go`. */
export const configMapStrategy = defineStrategy<ConfigMap>({
  validate: validateConfigMap,
  validateUpdate: validateConfigMapUpdate,
  generation: 'never',
});
