import type { ConfigMap } from '@evenkeel/kinds';
import { defineStrategy } from '../define-strategy.ts';
import { validateConfigMap, validateConfigMapUpdate } from './data-validation.ts';

/** Source: `pkg/registry/core/configmap/strategy.go`. */
export const configMapStrategy = defineStrategy<ConfigMap>({
  validate: validateConfigMap,
  validateUpdate: validateConfigMapUpdate,
  generation: 'never',
});
