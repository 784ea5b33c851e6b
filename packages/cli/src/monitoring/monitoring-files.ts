import type { Alert, DeploymentConfig, Panel } from '../config.ts';
import type { GeneratedFile, ManifestObject } from '../manifests/generated-file.ts';
import { manifestFile } from '../manifests/manifest-file.ts';
import type { OperatorPods } from '../manifests/operator-pods.ts';
import { podLabels } from '../manifests/pod-labels.ts';
import { dashboardJson } from './dashboard-json.ts';
import { monitoredOperator } from './monitored-operator.ts';
import { operatorAlerts } from './operator-alerts.ts';
import { operatorPanels } from './operator-panels.ts';

/** Returns the alerts and the dashboard of an operator; none if it serves no metrics in a cluster. */
export async function monitoringFiles(
  pods: OperatorPods,
  { alerts = false, dashboard = false }: Pick<DeploymentConfig, 'alerts' | 'dashboard'>,
): Promise<GeneratedFile[]> {
  if (!pods.servesMetrics) return [];
  const { name, namespace } = pods;
  const operator = monitoredOperator(pods);
  const labels = podLabels(name);
  const file = (path: string, object: ManifestObject) =>
    manifestFile(path, `${name} and the option deployment`, [object], ['output', 'deployment', 'operator']);
  const rules = (of: readonly Alert[]): ManifestObject & { readonly spec: object } => ({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name, namespace, labels },
    spec: { groups: [{ name, rules: of.map((alert) => ruleOf(alert, name)) }] },
  });
  const shown = (panels: readonly Panel[]): ManifestObject & { readonly data: object } => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `${name}-dashboard`, namespace, labels: { ...labels, grafana_dashboard: '1' } },
    data: { [`${name}.json`]: dashboardJson(name, panels) },
  });
  const own = <T>(option: boolean | readonly T[]): readonly T[] => (typeof option === 'boolean' ? [] : option);
  return [
    ...(alerts === false
      ? []
      : await file('metrics/prometheus_rule.yaml', rules([...own(alerts), ...operatorAlerts(operator)]))),
    ...(dashboard === false
      ? []
      : await file('metrics/dashboard.yaml', shown([...own(dashboard), ...operatorPanels(operator)]))),
  ];
}

function ruleOf({ name, expr, severity, summary, runbook, annotations, ...rest }: Alert, operator: string): object {
  return {
    ...{ alert: name, expr, for: rest.for ?? '0s' },
    labels: { severity, operator },
    annotations: { summary, runbook, ...annotations },
  };
}
