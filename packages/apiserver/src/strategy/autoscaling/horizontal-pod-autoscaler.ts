import type { HorizontalPodAutoscaler } from '@evenkeel/kinds';
import { copyJson } from '../../apimachinery/index.ts';
import { defineStrategy } from '../define-strategy.ts';
import { writeNulls } from '../written-nulls.ts';
import { validateAutoscaler, validateAutoscalerStatus } from './autoscaler-validation.ts';

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
  default({ apiVersion, spec, status }) {
    if (isV1(apiVersion)) {
      if (spec !== undefined) spec.minReplicas ??= 1;
      return;
    }
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
    object.status = isV1(object.apiVersion)
      ? { currentReplicas: 0, desiredReplicas: 0 }
      : { currentMetrics: null as never, desiredReplicas: 0 };
  },
  validate: (object) => validateAutoscaler(object),
  validateUpdate: validateAutoscaler,
  generation: 'never',
  subresources: { status: { validateUpdate: validateAutoscalerStatus } },
});

/** The other version has the rest in annotations, which are converted before the object is stored. */
function isV1(apiVersion: string): boolean {
  return apiVersion === 'autoscaling/v1';
}
