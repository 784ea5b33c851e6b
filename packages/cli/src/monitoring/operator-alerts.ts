import type { Alert } from '../config.ts';
import type { MonitoredOperator } from './monitored-operator.ts';

/** The alerts that every operator needs, on the metrics of Evenkeel. They depend on what the operator has. */
export function operatorAlerts({ name, series, elects, servesWebhooks }: MonitoredOperator): readonly Alert[] {
  return [
    {
      name: 'OperatorDown',
      expr: `absent(up{${series}} == 1)`,
      for: '5m',
      severity: 'critical',
      summary: `Prometheus reaches no pod of ${name}`,
      runbook: `Objects are not reconciled while no pod runs. Look at the pods with "kubectl describe", and at the logs of their last containers with "kubectl logs --previous". If the pods are ready, check that Prometheus may read the metrics: it needs the ClusterRole ${name}-metrics-reader, and a NetworkPolicy must let it connect.`,
    },
    {
      name: 'OperatorNotReady',
      expr: `max by (pod) (evenkeel_ready{${series}} == bool 0) == 1`,
      for: '10m',
      severity: 'warning',
      summary: `Pod {{ $labels.pod }} of ${name} is not ready`,
      runbook:
        'The response of /readyz on port 8081 names the check that fails. Caches that do not sync are the most frequent cause: look for a missing CRD or permission in the log.',
    },
    ...(elects
      ? [
          {
            name: 'OperatorWithoutLeader',
            expr: `max(leader_election_master_status{${series}}) == 0`,
            for: '5m',
            severity: 'critical',
            summary: `No pod of ${name} is the leader`,
            runbook:
              'Objects are not reconciled without a leader. Look at the Lease of the operator with "kubectl get lease -o yaml": whether another process holds it, and in the log whether the operator may update it.',
          } as const,
        ]
      : []),
    {
      name: 'ControllerDegraded',
      expr: `max by (controller) (evenkeel_controller_degraded{${series}}) == 1`,
      for: '10m',
      severity: 'warning',
      summary: `The controller {{ $labels.controller }} of ${name} is degraded`,
      runbook:
        'A CRD, a field or a permission is missing, and the controller waits for it. The log and the response of /readyz name it. Install the CRDs and roles of the version that runs.',
    },
    {
      name: 'ReconcileErrors',
      expr: `sum by (controller) (rate(controller_runtime_reconcile_errors_total{${series}}[10m])) > 0.1 * sum by (controller) (rate(controller_runtime_reconcile_total{${series}}[10m]))`,
      for: '15m',
      severity: 'warning',
      summary: `More than 10 % of the runs of the controller {{ $labels.controller }} of ${name} fail`,
      runbook:
        'The log has the error and the object of each failed run. Errors of single objects are retried with a growing delay. If all objects fail, look for a service that does not respond, or a permission that is missing.',
    },
    {
      name: 'ReconcilePanic',
      expr: `sum by (controller) (increase(controller_runtime_reconcile_panics_total{${series}}[15m])) > 0`,
      for: '0s',
      severity: 'warning',
      summary: `The code of the controller {{ $labels.controller }} of ${name} has a bug`,
      runbook:
        'A run threw a TypeError, ReferenceError or RangeError. The log has its stack and the object. Report it to the developers of the operator, or roll back to the previous version.',
    },
    {
      name: 'ReconcileStuck',
      expr: `max by (controller) (evenkeel_stuck_reconciles{${series}}) > 0`,
      for: '10m',
      severity: 'warning',
      summary: `A run of the controller {{ $labels.controller }} of ${name} does not end`,
      runbook:
        'The run continues after its timeout, because it ignores context.signal. Its object is not reconciled meanwhile. The log names the object. A restart of the pod ends the run.',
    },
    {
      name: 'ReconcileLoop',
      expr: `max by (controller) (evenkeel_slowed_keys{${series}}) > 0`,
      for: '10m',
      severity: 'warning',
      summary: `The controller {{ $labels.controller }} of ${name} writes the same fields again and again`,
      runbook:
        'Another program changes a field that the operator sets, or the API server normalizes it. The metric evenkeel_reconcile_loops_total and the log name the field. Evenkeel delays the affected objects.',
    },
    {
      name: 'QueueSlow',
      expr: `histogram_quantile(0.9, sum by (controller, le) (rate(workqueue_queue_duration_seconds_bucket{${series}}[10m]))) > 60`,
      for: '15m',
      severity: 'warning',
      summary: `Changes wait more than a minute for the controller {{ $labels.controller }} of ${name}`,
      runbook:
        'All workers are busy. If the CPU of the pod is at its limit, raise the limit. Otherwise the runs wait, for instance for a slow service: raise maxConcurrent in @Reconcile().',
    },
    {
      name: 'WatchStale',
      expr: `max by (resource) (evenkeel_informer_progress_age_seconds{${series}}) > 300`,
      for: '5m',
      severity: 'warning',
      summary: `${name} gets no changes of {{ $labels.resource }}`,
      runbook:
        'The API server sends at least a bookmark each minute. Check that the operator may list and watch the resource, and that the API server responds.',
    },
    {
      name: 'ApiRequestErrors',
      expr: `sum(rate(rest_client_requests_total{${series},code=~"5..|<error>"}[10m])) > 0.1 * sum(rate(rest_client_requests_total{${series}}[10m]))`,
      for: '15m',
      severity: 'warning',
      summary: `More than 10 % of the requests of ${name} to the API server fail`,
      runbook:
        'The label code of rest_client_requests_total tells whether there was a response. Check the API server, its webhooks, and the network between the pod and the API server.',
    },
    ...(servesWebhooks
      ? [
          {
            name: 'WebhookErrors',
            expr: `sum(increase(controller_runtime_webhook_panics_total{${series}}[15m])) + sum(increase(evenkeel_webhook_expired_requests_total{${series}}[15m])) > 0`,
            for: '0s',
            severity: 'warning',
            summary: `Calls of webhooks of ${name} failed or took too long`,
            runbook:
              'The API server rejects the requests of users whose webhook fails, unless failurePolicy is Ignore. The log has the error. If calls took too long, look at the CPU of the pod and at services that the webhook waits for.',
          } as const,
        ]
      : []),
  ];
}
