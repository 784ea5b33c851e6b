import type { ConfigMap } from '@evenkeel/kinds';
import { defineStrategy } from './define-strategy.ts';

/** Sources: `pkg/registry/core/configmap/strategy.go`. */
export const configMapStrategy = defineStrategy<ConfigMap>({ generation: 'never' });
