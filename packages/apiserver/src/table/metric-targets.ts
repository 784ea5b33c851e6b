import type { HorizontalPodAutoscaler, Quantity } from '@evenkeel/kinds';
import { firstOf } from './cell.ts';

type Spec = NonNullable<HorizontalPodAutoscaler['spec']>;
type Metric = NonNullable<Spec['metrics']>[number];
type MetricStatus = NonNullable<NonNullable<HorizontalPodAutoscaler['status']>['currentMetrics']>[number];

interface Values {
  readonly value?: Quantity;
  readonly averageValue?: Quantity;
  readonly averageUtilization?: number;
}

const shown = 2;

/**
 * Formats the measured and the target values of an autoscaler: `cpu: 12%/80%`, `<unknown>/5 (avg)`. Source:
 * `formatHPAMetrics`.
 */
export function formatMetrics(
  metrics: readonly Metric[] | undefined,
  statuses: readonly MetricStatus[] | null | undefined,
): string {
  if (metrics === undefined || metrics.length === 0) return '<none>';
  const list = metrics.map((metric, index) => formatMetric(metric, statuses?.[index]));
  return firstOf(list, shown, list.length, ', ');
}

function formatMetric(metric: Metric, status: MetricStatus | undefined): string {
  switch (metric.type) {
    case 'External':
      return formatValues(metric.external?.target, status?.external?.current);
    case 'Object':
      return formatValues(metric.object?.target, status?.object?.current);
    case 'Pods':
      return `${text(status?.pods?.current?.averageValue, '<unknown>')}/${text(metric.pods?.target?.averageValue)}`;
    case 'Resource':
      return formatResource(metric.resource, status?.resource?.current);
    case 'ContainerResource':
      return formatResource(metric.containerResource, status?.containerResource?.current);
    default:
      return '<unknown type>';
  }
}

function formatValues(target: Values | undefined, current: Values | undefined): string {
  if (target?.averageValue !== undefined) {
    return `${text(current?.averageValue, '<unknown>')}/${target.averageValue} (avg)`;
  }
  return `${current === undefined ? '<unknown>' : text(current.value)}/${text(target?.value)}`;
}

function formatResource(
  resource: { readonly name: string; readonly target: Values } | undefined,
  current: Values | undefined,
): string {
  const target = resource?.target;
  if (target?.averageValue !== undefined) {
    const value = current === undefined ? '<unknown>' : text(current.averageValue);
    return `${resource?.name}: ${value}/${target.averageValue}`;
  }
  const percent = (value: number | undefined, otherwise: string): string =>
    value === undefined ? otherwise : `${value}%`;
  const used = percent(current?.averageUtilization, '<unknown>');
  return `${resource?.name ?? ''}: ${used}/${percent(target?.averageUtilization, '<auto>')}`;
}

/** Go prints a missing quantity as `<nil>`. */
const text = (value: Quantity | undefined, otherwise = '<nil>'): string =>
  value === undefined ? otherwise : String(value);
