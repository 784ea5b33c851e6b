import { GoStruct, goJson, isJsonObject, type JsonObject } from '../apimachinery/index.ts';
import type { ApiObject } from '../kind/api-object.ts';

// Source: `pkg/apis/autoscaling/v1/conversion.go` and `pkg/apis/autoscaling/helpers.go`.

/** The annotations in which v1 keeps what only v2 has fields for. */
const metricsAnnotation = 'autoscaling.alpha.kubernetes.io/metrics';
const behaviorAnnotation = 'autoscaling.alpha.kubernetes.io/behavior';
const currentMetricsAnnotation = 'autoscaling.alpha.kubernetes.io/current-metrics';
const conditionsAnnotation = 'autoscaling.alpha.kubernetes.io/conditions';

const defaultCpuUtilization = 80;

/** Converts a HorizontalPodAutoscaler of v1 to v2, the stored form. It does not change its argument. */
export function autoscalerInV2(object: ApiObject): ApiObject {
  const { targetCPUUtilizationPercentage, ...others } = membersOf(object['spec']);
  const { currentCPUUtilizationPercentage, ...otherStatus } = membersOf(object['status']);
  const { annotations } = object.metadata;
  const ownMetrics = typeof targetCPUUtilizationPercentage === 'number' ? [cpu(targetCPUUtilizationPercentage)] : [];
  const metrics = [...(listIn(annotations, metricsAnnotation) ?? []).map(metricInV2), ...ownMetrics];
  const behavior = behaviorInV2(parsed(annotations?.[behaviorAnnotation]));
  const currentMetrics =
    listIn(annotations, currentMetricsAnnotation)?.map(currentMetricInV2) ??
    (typeof currentCPUUtilizationPercentage === 'number'
      ? [
          {
            type: 'Resource',
            resource: { name: 'cpu', current: { averageUtilization: currentCPUUtilizationPercentage } },
          },
        ]
      : null);
  const conditions = listIn(annotations, conditionsAnnotation);
  const { currentReplicas, desiredReplicas = 0, ...times } = otherStatus;
  return {
    ...object,
    apiVersion: 'autoscaling/v2',
    metadata: withAnnotations(object.metadata, {}),
    ...(object['spec'] !== undefined && {
      spec: { ...others, metrics: metrics.length === 0 ? [cpu(defaultCpuUtilization)] : metrics, ...behavior },
    }),
    ...(object['status'] !== undefined && {
      status: {
        ...times,
        ...(currentReplicas !== 0 && currentReplicas !== undefined && { currentReplicas }),
        desiredReplicas,
        currentMetrics,
        ...(conditions !== undefined && { conditions }),
      },
    }),
  };
}

/** Converts a HorizontalPodAutoscaler of v2 to v1. It does not change its argument. */
export function autoscalerInV1(object: ApiObject): ApiObject {
  const { metrics, behavior, ...spec } = membersOf(object['spec']);
  const { currentMetrics, conditions, ...status } = membersOf(object['status']);
  const all = objectsIn(metrics);
  const current = objectsIn(currentMetrics);
  const otherMetrics = all.filter((metric) => cpuUtilizationOf(metric, 'target') === undefined);
  const [target] = all.flatMap((metric) => cpuUtilizationOf(metric, 'target') ?? []);
  const [utilization] = current.flatMap((metric) => cpuUtilizationOf(metric, 'current') ?? []);
  const annotations = {
    ...(otherMetrics.length > 0 && {
      [metricsAnnotation]: written(otherMetrics.map((metric) => metricInV1(metric, 'target'))),
    }),
    ...(current.length > 0 && {
      [currentMetricsAnnotation]: written(current.map((metric) => metricInV1(metric, 'current'))),
    }),
    ...(isJsonObject(behavior) && { [behaviorAnnotation]: written(behaviorInGo(behavior)) }),
    ...(objectsIn(conditions).length > 0 && {
      [conditionsAnnotation]: written(objectsIn(conditions).map(conditionInV1)),
    }),
  };
  return {
    ...object,
    apiVersion: 'autoscaling/v1',
    metadata: withAnnotations(object.metadata, annotations),
    ...(object['spec'] !== undefined && {
      spec: { ...spec, ...(target !== undefined && { targetCPUUtilizationPercentage: target }) },
    }),
    ...(object['status'] !== undefined && {
      status: {
        currentReplicas: 0,
        desiredReplicas: 0,
        ...status,
        ...(utilization !== undefined && { currentCPUUtilizationPercentage: utilization }),
      },
    }),
  };
}

function cpu(averageUtilization: number): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

function cpuUtilizationOf({ type, resource }: JsonObject, field: 'target' | 'current'): number | undefined {
  const { name, [field]: value } = membersOf(resource);
  const { averageUtilization } = membersOf(value);
  return type === 'Resource' && name === 'cpu' ? (averageUtilization as number | undefined) : undefined;
}

function withAnnotations(
  metadata: ApiObject['metadata'],
  added: Readonly<Record<string, string>>,
): ApiObject['metadata'] {
  const { annotations: before, ...others } = metadata;
  const kept = Object.entries(before ?? {}).filter(([key]) => !roundTripAnnotations.includes(key));
  const annotations = { ...Object.fromEntries(kept), ...added };
  return Object.keys(annotations).length === 0 ? others : { ...others, annotations };
}

const roundTripAnnotations = [metricsAnnotation, behaviorAnnotation, currentMetricsAnnotation, conditionsAnnotation];

/** The source of a metric and the member that contains it. */
function sourceOf(metric: JsonObject): readonly [member: string, source: JsonObject] {
  const member = ['object', 'pods', 'resource', 'containerResource', 'external'].find((each) =>
    isJsonObject(metric[each]),
  );
  return [member ?? '', membersOf(metric[member ?? ''])];
}

/** `field` has the values of the metric: `target` in the spec, `current` in the status. */
function metricInV1(metric: JsonObject, field: 'target' | 'current'): JsonObject {
  const [member, source] = sourceOf(metric);
  const { name, selector } = membersOf(source['metric']);
  const { value, averageValue, averageUtilization } = membersOf(source[field]);
  const of = (converted: JsonObject): JsonObject => present({ type: metric['type'], [member]: present(converted) });
  const orZero = (quantity: unknown): unknown => quantity ?? (field === 'current' ? '0' : undefined);
  switch (member) {
    case 'resource':
    case 'containerResource':
      return of({
        name: source['name'],
        [`${field}AverageUtilization`]: averageUtilization,
        [`${field}AverageValue`]: orZero(averageValue),
        container: source['container'],
      });
    case 'pods':
      return of({ metricName: name, [`${field}AverageValue`]: averageValue ?? '0', selector });
    case 'object':
      return of({
        target: referenceOf(source['describedObject']),
        metricName: name,
        [`${field}Value`]: value ?? '0',
        selector,
        averageValue,
      });
    default:
      return of({
        metricName: name,
        metricSelector: selector,
        [`${field}Value`]: orZero(value),
        [`${field}AverageValue`]: averageValue,
      });
  }
}

function metricInV2(metric: JsonObject): JsonObject {
  const [member, source] = sourceOf(metric);
  const { name, container, metricName, selector, metricSelector, targetValue } = source;
  const { targetAverageUtilization, targetAverageValue, averageValue } = source;
  const of = (converted: JsonObject): JsonObject => present({ type: metric['type'], [member]: present(converted) });
  const target = (type: string, values: JsonObject): JsonObject => present({ type, ...values });
  switch (member) {
    case 'resource':
    case 'containerResource': {
      const type = targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization';
      const values = { averageValue: targetAverageValue, averageUtilization: targetAverageUtilization };
      return of({ name, target: target(type, values), container });
    }
    case 'pods':
      return of({
        metric: present({ name: metricName, selector }),
        target: target('AverageValue', { averageValue: targetAverageValue ?? '0' }),
      });
    case 'object':
      return of({
        describedObject: referenceOf(source['target']),
        target: target(averageValue === undefined ? 'Value' : 'AverageValue', {
          value: unlessZero(targetValue),
          averageValue,
        }),
        metric: present({ name: metricName, selector }),
      });
    default:
      return of({
        metric: present({ name: metricName, selector: metricSelector }),
        target: target(targetValue === undefined ? 'AverageValue' : 'Value', {
          value: targetValue,
          averageValue: targetAverageValue,
        }),
      });
  }
}

function currentMetricInV2(metric: JsonObject): JsonObject {
  const [member, source] = sourceOf(metric);
  const { name, container, metricName, selector, metricSelector, currentValue } = source;
  const { currentAverageUtilization, currentAverageValue, averageValue } = source;
  const of = (converted: JsonObject): JsonObject => present({ type: metric['type'], [member]: present(converted) });
  switch (member) {
    case 'resource':
    case 'containerResource': {
      const current = {
        averageValue: unlessZero(currentAverageValue),
        averageUtilization: currentAverageUtilization,
      };
      return of({ name, current: present(current), container });
    }
    case 'pods':
      return of({
        metric: present({ name: metricName, selector }),
        current: { averageValue: currentAverageValue ?? '0' },
      });
    case 'object':
      return of({
        metric: present({ name: metricName, selector }),
        current: present({ value: unlessZero(currentValue), averageValue }),
        describedObject: referenceOf(source['target']),
      });
    default:
      return of({
        metric: present({ name: metricName, selector: metricSelector }),
        current: present({ value: unlessZero(currentValue), averageValue: currentAverageValue }),
      });
  }
}

/** v1 has zero for no value. */
function unlessZero(quantity: unknown): unknown {
  return quantity === '0' ? undefined : quantity;
}

function referenceOf(value: unknown): JsonObject {
  const { kind = '', name = '', apiVersion } = membersOf(value);
  return present({ kind, name, apiVersion });
}

function conditionInV1({ type, status, lastTransitionTime = null, reason, message }: JsonObject): JsonObject {
  return present({ type, status, lastTransitionTime, reason, message });
}

/** Upstream stores Go's internal type, whose names are capitalized. */
function behaviorInGo({ scaleUp, scaleDown }: JsonObject): JsonObject {
  return { ScaleUp: rulesInGo(scaleUp), ScaleDown: rulesInGo(scaleDown) };
}

function rulesInGo(rules: unknown): JsonObject | null {
  if (!isJsonObject(rules)) return null;
  const { stabilizationWindowSeconds = null, selectPolicy = null, policies, tolerance = null } = rules;
  return {
    StabilizationWindowSeconds: stabilizationWindowSeconds,
    SelectPolicy: selectPolicy,
    Policies: Array.isArray(policies)
      ? objectsIn(policies).map(({ type, value, periodSeconds }) => ({
          Type: type,
          Value: value,
          PeriodSeconds: periodSeconds,
        }))
      : null,
    Tolerance: tolerance,
  };
}

function behaviorInV2(value: unknown): { behavior?: JsonObject } {
  if (!isJsonObject(value)) return {};
  const { scaleup, scaledown } = withLowerCaseKeys(value);
  if (!isJsonObject(scaleup) && !isJsonObject(scaledown)) return {};
  return { behavior: present({ scaleUp: rulesInV2(scaleup), scaleDown: rulesInV2(scaledown) }) };
}

function rulesInV2(value: unknown): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const { stabilizationwindowseconds, selectpolicy, policies, tolerance } = withLowerCaseKeys(value);
  return present({
    stabilizationWindowSeconds: stabilizationwindowseconds,
    selectPolicy: selectpolicy,
    policies: Array.isArray(policies)
      ? objectsIn(policies)
          .map(withLowerCaseKeys)
          .map(({ type = '', value: amount = 0, periodseconds = 0 }) => ({
            type,
            value: amount,
            periodSeconds: periodseconds,
          }))
      : undefined,
    tolerance,
  });
}

/** Go decodes names without regard to case. */
function withLowerCaseKeys(object: JsonObject): JsonObject {
  const lower: JsonObject = Object.create(null) as JsonObject;
  for (const [key, value] of Object.entries(object)) lower[key.toLowerCase()] = value;
  return lower;
}

function listIn(annotations: Readonly<Record<string, string>> | undefined, key: string): JsonObject[] | undefined {
  const value = parsed(annotations?.[key]);
  return Array.isArray(value) ? objectsIn(value) : undefined;
}

/** The JSON of Go's structs, whose fields are in their order. Only labels are a map. */
function written(value: unknown): string {
  return goJson(inFieldOrder(value));
}

function inFieldOrder(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => inFieldOrder(item));
  if (!isJsonObject(value) || key === 'matchLabels') return value;
  return new GoStruct(
    Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inFieldOrder(each, name)])),
  );
}

/** Upstream ignores annotations that it cannot parse. */
function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function membersOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Without members that are undefined or null, in the same order. `lastTransitionTime` is the only null that Go writes. */
function present(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(
      ([key, value]) => value !== undefined && (value !== null || key === 'lastTransitionTime'),
    ),
  );
}
