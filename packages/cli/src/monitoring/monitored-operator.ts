import { metricsServiceName } from '../manifests/metrics-files.ts';
import type { OperatorPods } from '../manifests/operator-pods.ts';

/** What alerts and dashboards must know of an operator. */
export interface MonitoredOperator {
  readonly name: string;
  /** The labels that select its series, as Prometheus gives them to targets of its ServiceMonitor: `namespace="a",job="b"`. */
  readonly series: string;
  readonly elects: boolean;
  readonly servesWebhooks: boolean;
}

export function monitoredOperator({ name, namespace, elects, servesWebhooks }: OperatorPods): MonitoredOperator {
  const series = `namespace="${namespace}",job="${metricsServiceName(name)}"`;
  return { name, series, elects, servesWebhooks };
}
