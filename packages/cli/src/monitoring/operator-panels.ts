import type { Panel } from '../config.ts';
import type { MonitoredOperator } from './monitored-operator.ts';

/** The panels of every operator, on the metrics of Evenkeel, in the order in which one looks for a cause. */
export function operatorPanels({ series, elects, servesWebhooks }: MonitoredOperator): readonly Panel[] {
  const rate = (by: string, metric: string, more = ''): string =>
    `sum by (${by}) (rate(${metric}{${series}${more}}[$__rate_interval]))`;
  const quantile = (by: string, metric: string): string =>
    `histogram_quantile(0.99, ${rate(`${by}, le`, `${metric}_bucket`)})`;
  const controller = '{{controller}}';
  return [
    { title: 'Ready pods', expr: `sum(evenkeel_ready{${series}})` },
    ...(elects ? [{ title: 'Leader', expr: `leader_election_master_status{${series}}`, legend: '{{pod}}' }] : []),
    {
      title: 'Degraded controllers',
      expr: `max by (controller) (evenkeel_controller_degraded{${series}})`,
      legend: controller,
    },
    {
      title: 'Runs by result',
      expr: rate('controller, result', 'controller_runtime_reconcile_total'),
      legend: '{{controller}}: {{result}}',
      unit: 'ops',
    },
    {
      title: 'Failed runs',
      expr: rate('controller', 'controller_runtime_reconcile_errors_total'),
      legend: controller,
      unit: 'ops',
    },
    {
      title: 'Duration of runs, 99th percentile',
      expr: quantile('controller', 'controller_runtime_reconcile_time_seconds'),
      legend: controller,
      unit: 's',
    },
    {
      title: 'Busy workers',
      expr: `sum by (controller) (controller_runtime_active_workers{${series}}) / sum by (controller) (controller_runtime_max_concurrent_reconciles{${series}})`,
      legend: controller,
      unit: 'percentunit',
    },
    {
      title: 'Waiting keys',
      expr: `sum by (controller) (workqueue_depth{${series}})`,
      legend: controller,
    },
    {
      title: 'Time in the queue, 99th percentile',
      expr: quantile('controller', 'workqueue_queue_duration_seconds'),
      legend: controller,
      unit: 's',
    },
    {
      title: 'Requests to the API server',
      expr: rate('method, code', 'rest_client_requests_total'),
      legend: '{{method}} {{code}}',
      unit: 'reqps',
    },
    {
      title: 'Cached objects',
      expr: `max by (resource) (evenkeel_informer_objects{${series}})`,
      legend: '{{resource}}',
    },
    {
      title: 'Time since the last event or bookmark',
      expr: `max by (resource) (evenkeel_informer_progress_age_seconds{${series}})`,
      legend: '{{resource}}',
      unit: 's',
    },
    ...(servesWebhooks
      ? [
          {
            title: 'Duration of webhooks, 99th percentile',
            expr: quantile('webhook', 'controller_runtime_webhook_latency_seconds'),
            legend: '{{webhook}}',
            unit: 's',
          },
        ]
      : []),
    { title: 'CPU', expr: rate('pod', 'process_cpu_seconds_total'), legend: '{{pod}}', unit: 'short' },
    { title: 'Memory', expr: `process_resident_memory_bytes{${series}}`, legend: '{{pod}}', unit: 'bytes' },
    {
      title: 'Delay of the event loop, 99th percentile',
      expr: quantile('pod', 'evenkeel_event_loop_delay_seconds'),
      legend: '{{pod}}',
      unit: 's',
    },
  ];
}
