import type { HorizontalPodAutoscaler } from '@evenkeel/kinds';
import { copyJson } from '../../apimachinery/index.ts';
import { defineStrategy } from '../define-strategy.ts';
import { writeNulls } from '../written-nulls.ts';

const periodSeconds = 15;

const scaleUp = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds },
    { type: 'Percent', value: 100, periodSeconds },
  ],
} as const;

const scaleDown = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds }] } as const;

/** Sources: `pkg/apis/autoscaling/v2/defaults.go`, `pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go`. */
export const horizontalPodAutoscalerStrategy = defineStrategy<HorizontalPodAutoscaler>({
  default({ spec, status }) {
    writeNulls(status, 'currentMetrics');
    writeNulls(status?.conditions, 'lastTransitionTime');
    if (spec === undefined) return;
    spec.minReplicas ??= 1;
    if ((spec.metrics ?? []).length === 0) {
      spec.metrics = [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
      ];
    }
    if (spec.behavior === undefined) return;
    spec.behavior.scaleUp = { ...copyJson(scaleUp), policies: [...scaleUp.policies], ...spec.behavior.scaleUp };
    spec.behavior.scaleDown = {
      ...copyJson(scaleDown),
      policies: [...scaleDown.policies],
      ...spec.behavior.scaleDown,
    };
  },
  prepareForCreate(object) {
    object.status = { currentMetrics: null as never, desiredReplicas: 0 };
  },
  generation: 'never',
});
