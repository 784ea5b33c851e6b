import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import type { Alert, DeploymentConfig } from '../config.ts';
import type { OperatorPods } from '../manifests/operator-pods.ts';
import { Project } from '../project.fixture.ts';
import { monitoringFiles } from './monitoring-files.ts';
import { monitoringMistakes } from './monitoring-mistakes.ts';
import { operatorAlerts } from './operator-alerts.ts';
import { operatorPanels } from './operator-panels.ts';

const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;
if (!hasPromtool) console.log('skipped: promtool is not installed, so the alerts are not tested with it');

const metricsPage = fileURLToPath(new URL('../../../../docs/metrics.md', import.meta.url));
const series = 'namespace="web",job="sites-metrics"';
const operator = { name: 'sites', series, elects: true, servesWebhooks: true };
const pods = {
  ...{
    name: 'sites',
    namespace: 'web',
    serviceAccount: 'sites',
    image: 'sites:1',
    replicas: 1,
    resources: {},
    env: {},
  },
  ...{ gracePeriod: undefined, isAlone: false, elects: true, servesMetrics: true, servesWebhooks: true },
  servingSecret: undefined,
} satisfies OperatorPods;
const unavailable: Alert = {
  ...{ name: 'SiteUnavailable', expr: 'site_available == 0', for: '2m', severity: 'critical' },
  ...{
    summary: 'Site {{ $labels.name }}',
    runbook: 'Look at it.',
    annotations: { runbook_url: 'https://example.com' },
  },
};

async function objectsOf(deployment: DeploymentConfig, of: Partial<OperatorPods> = {}) {
  const files = await monitoringFiles({ ...pods, ...of }, deployment);
  return new Map(files.map(({ name, text = '' }) => [name, parse(text)]));
}

describe('the alerts and the dashboard of an operator', () => {
  it('are written only if the configuration asks for them and there are metrics', async () => {
    expect(await objectsOf({})).toEqual(new Map());
    expect(await objectsOf({ alerts: false, dashboard: false })).toEqual(new Map());
    expect(await objectsOf({ alerts: true, dashboard: true }, { servesMetrics: false })).toEqual(new Map());
    const both = await objectsOf({ alerts: true, dashboard: true });
    expect([...both.keys()]).toEqual(['metrics/prometheus_rule.yaml', 'metrics/dashboard.yaml']);
  });

  it('contain the own ones before those of every operator', async () => {
    const panel = { title: 'Sites', expr: 'sum(site_available)', unit: 's', legend: '{{name}}' };
    const made = await objectsOf({ alerts: [unavailable], dashboard: [panel] });
    const rule = made.get('metrics/prometheus_rule.yaml');
    expect(rule.metadata).toMatchObject({ name: 'sites', namespace: 'web' });
    const [own, ...others] = rule.spec.groups[0].rules;
    expect(own).toEqual({
      ...{ alert: 'SiteUnavailable', expr: 'site_available == 0', for: '2m' },
      labels: { severity: 'critical', operator: 'sites' },
      annotations: { summary: 'Site {{ $labels.name }}', runbook: 'Look at it.', runbook_url: 'https://example.com' },
    });
    expect(others).toHaveLength(operatorAlerts(operator).length);
    const config = made.get('metrics/dashboard.yaml');
    expect(config.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
    const { panels } = JSON.parse(config.data['sites.json']);
    expect(panels[0]).toMatchObject({
      ...{ title: 'Sites', gridPos: { x: 0, y: 0 }, fieldConfig: { defaults: { unit: 's' } } },
      targets: [{ expr: 'sum(site_available)', legendFormat: '{{name}}' }],
    });
    expect(panels[4]).toMatchObject({ gridPos: { x: 8, y: 7 } });
  });

  it('depend on what the operator has', async () => {
    const names = async (of: Partial<OperatorPods>) => {
      const rule = (await objectsOf({ alerts: true }, of)).get('metrics/prometheus_rule.yaml');
      return rule.spec.groups[0].rules.map(({ alert }: { alert: string }) => alert);
    };
    const all = await names({});
    const fewer = await names({ elects: false, servesWebhooks: false });
    expect(all.filter((name: string) => !fewer.includes(name))).toEqual(['OperatorWithoutLeader', 'WebhookErrors']);
  });

  it('use only metrics and labels that the documentation of the metrics lists', () => {
    const page = readFileSync(metricsPage, 'utf8');
    const documented = new Map(
      [...page.matchAll(/^\| `(\w+)` \| \w+ \| (.*?) \|/gm)].map(([, name = '', labels = '']) => [name, labels]),
    );
    // Of the target, and of histograms.
    const always = ['pod', 'le'];
    for (const { expr } of [...operatorAlerts(operator), ...operatorPanels(operator)]) {
      const names = [...expr.matchAll(/(\w+)\{/g)].map(([, name = '']) => name.replace(/_bucket$/, ''));
      expect(names.length).toBeGreaterThan(0);
      for (const name of names.filter((each) => each !== 'up')) {
        expect([name, documented.has(name)]).toEqual([name, true]);
        for (const [, labels = ''] of expr.matchAll(/by \((.*?)\)/g)) {
          for (const label of labels.split(', ').filter((each) => !always.includes(each))) {
            expect([name, documented.get(name)]).toEqual([name, expect.stringContaining(`\`${label}\``)]);
          }
        }
      }
    }
  });

  it('are listed in the documentation', () => {
    const page = readFileSync(metricsPage, 'utf8');
    const listed = [...page.matchAll(/^\| `(\w+)` \| (critical|warning|info) \| (\w+) \|/gm)].map((row) =>
      row.slice(1),
    );
    expect(listed).toEqual(operatorAlerts(operator).map(({ name, severity, for: time }) => [name, severity, time]));
  });

  it('have valid expressions, and report others', async () => {
    const { alerts, dashboard } = { alerts: operatorAlerts(operator), dashboard: operatorPanels(operator) };
    const renamed = alerts.map((alert) => ({ ...alert, name: `${alert.name}2` }));
    expect(await monitoringMistakes({ alerts: renamed, dashboard })).toEqual([]);
    const invalid = ['sum(rate(a[5m])', 'a b', '', 'rate(a[$unknown])'];
    expect(
      await monitoringMistakes({
        alerts: [...invalid.map((expr) => ({ ...unavailable, expr })), { ...unavailable, name: 'OperatorDown' }],
        dashboard: [{ title: 'A', expr: 'a >' }],
      }),
    ).toEqual([
      'deployment.alerts[0].expr is no PromQL: the expression is not complete; correct it',
      'deployment.alerts[1].expr is no PromQL: unexpected "b" at character 3; correct it',
      'deployment.alerts[2].expr is no PromQL: the expression is not complete; correct it',
      'deployment.alerts[3].expr is no PromQL: unexpected "$unknown])" at character 8; correct it',
      'deployment.alerts[4].name is OperatorDown, an alert that every operator has; rename yours',
      'deployment.dashboard[0].expr is no PromQL: the expression is not complete; correct it',
    ]);
  });
});

describe('evenkeel generate', () => {
  it('writes the alerts of a project as the documentation shows, and rejects a wrong expression', async () => {
    const files = [...readFileSync(metricsPage, 'utf8').matchAll(/^```ts (\S+)\n(.*?)^```$/gms)];
    const project = await Project.create({
      ...Object.fromEntries(files.map(([, name = '', text = '']) => [name, text])),
      'src/site.ts': `import { Controller, CustomResource, defineOperator, KubernetesObject, Reconcile } from 'evenkeel';
@CustomResource({ group: 'example.com', version: 'v1' })
export class Site extends KubernetesObject {}
@Controller(Site)
export class SiteController { @Reconcile() reconcile(): void {} }
`,
      'src/operator.ts': `import { defineOperator } from 'evenkeel';
import { SiteController } from './site.ts';
export const operator = defineOperator({ name: 'sites', controllers: [SiteController], metricsAuthentication: true });
`,
    });
    try {
      expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
      const rule = parse(await project.read('config/metrics/prometheus_rule.yaml'));
      expect(rule.spec.groups[0].rules[0]).toMatchObject({ alert: 'SiteUnavailable', for: '5m' });
      const dashboard = parse(await project.read('config/metrics/dashboard.yaml'));
      expect(JSON.parse(dashboard.data['sites.json']).panels[0]).toMatchObject({ title: 'Sites' });
      expect(await project.read('config/kustomization.yaml')).toContain('  - metrics/prometheus_rule.yaml\n');

      const alerts = await project.read('src/site.alerts.ts');
      await project.write({ 'src/site.alerts.ts': alerts.replace('== 0', '=== 0') });
      expect(await project.run('generate')).toMatchObject({
        exitCode: 1,
        err: 'error: evenkeel.config.ts: deployment.alerts[0].expr is no PromQL: unexpected "= 0" at character 18; correct it [invalid-config]',
      });
    } finally {
      await project.remove();
    }
  });
});

/** Series of 40 minutes that make each alert fire: their metric with labels, and Prometheus' notation of their values. */
const bad: Readonly<Record<string, readonly (readonly [series: string, values: string])[]>> = {
  OperatorDown: [['up', '0x40']],
  OperatorNotReady: [['evenkeel_ready', '0x40']],
  OperatorWithoutLeader: [['leader_election_master_status', '0x40']],
  ControllerDegraded: [['evenkeel_controller_degraded', '1x40']],
  ReconcileErrors: [
    ['controller_runtime_reconcile_errors_total', '0+2x40'],
    ['controller_runtime_reconcile_total', '0+10x40'],
  ],
  ReconcilePanic: [['controller_runtime_reconcile_panics_total', '0+1x40']],
  ReconcileStuck: [['evenkeel_stuck_reconciles', '1x40']],
  ReconcileLoop: [['evenkeel_slowed_keys', '3x40']],
  QueueSlow: [
    ['workqueue_queue_duration_seconds_bucket;le="10"', '0+0x40'],
    ['workqueue_queue_duration_seconds_bucket;le="100"', '0+5x40'],
    ['workqueue_queue_duration_seconds_bucket;le="+Inf"', '0+5x40'],
  ],
  WatchStale: [['evenkeel_informer_progress_age_seconds', '0+60x40']],
  ApiRequestErrors: [
    ['rest_client_requests_total;code="503"', '0+5x40'],
    ['rest_client_requests_total;code="200"', '0+20x40'],
  ],
  WebhookErrors: [
    ['controller_runtime_webhook_panics_total', '0+1x40'],
    ['evenkeel_webhook_expired_requests_total', '0x40'],
  ],
};
/** The same series of an operator without faults. */
const good: readonly (readonly [series: string, values: string])[] = [
  ['up', '1x40'],
  ['evenkeel_ready', '1x40'],
  ['leader_election_master_status', '1x40'],
  ['evenkeel_controller_degraded', '0x40'],
  ['evenkeel_stuck_reconciles', '0x40'],
  ['evenkeel_slowed_keys', '0x40'],
  ['controller_runtime_reconcile_errors_total', '0+0.5x40'],
  ['controller_runtime_reconcile_total', '0+10x40'],
  ['controller_runtime_reconcile_panics_total', '0x40'],
  ['controller_runtime_webhook_panics_total', '0x40'],
  ['evenkeel_webhook_expired_requests_total', '0x40'],
  ['evenkeel_informer_progress_age_seconds', '60x40'],
  ['workqueue_queue_duration_seconds_bucket;le="10"', '0+5x40'],
  ['workqueue_queue_duration_seconds_bucket;le="+Inf"', '0+5x40'],
  ['rest_client_requests_total;code="503"', '0+1x40'],
  ['rest_client_requests_total;code="200"', '0+20x40'],
];

(hasPromtool ? describe : describe.skip)('the alerts of every operator', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'evenkeel-alerts-'));
    const { spec } = (await objectsOf({ alerts: [unavailable] })).get('metrics/prometheus_rule.yaml');
    writeFileSync(join(folder, 'rules.yaml'), stringify(spec));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const inputs = (of: readonly (readonly [string, string])[]) =>
    of.map(([name, values]) => {
      const [metric, more] = name.split(';');
      const labels = [series, 'controller="site",resource="sites",pod="a"', ...(more === undefined ? [] : [more])];
      return { series: `${metric}{${labels.join(',')}}`, values };
    });

  const test = (alert: string, given: readonly (readonly [string, string])[], isFiring: boolean) => ({
    name: `${alert} ${isFiring ? 'fires' : 'does not fire'}`,
    interval: '1m',
    input_series: inputs(given),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing",operator="sites"}) or vector(0)`,
        eval_time: '35m',
        exp_samples: [{ labels: '{}', value: isFiring ? 1 : 0 }],
      },
    ],
  });

  it('are valid for promtool', () => {
    execFileSync('promtool', ['check', 'rules', join(folder, 'rules.yaml')], { stdio: 'pipe' });
  });

  it('fire because of their faults, and not without', () => {
    const names = operatorAlerts(operator).map(({ name }) => name);
    const tests = names.flatMap((name) => [test(name, bad[name] ?? [], true), test(name, good, false)]);
    const file = join(folder, 'test.yaml');
    writeFileSync(file, stringify({ rule_files: ['rules.yaml'], evaluation_interval: '1m', tests }));
    // It throws with the output of promtool, which names the alert.
    execFileSync('promtool', ['test', 'rules', file], { encoding: 'utf8', stdio: 'pipe' });
  });
});
