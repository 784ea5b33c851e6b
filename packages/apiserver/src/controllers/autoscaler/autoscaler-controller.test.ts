import type { HorizontalPodAutoscaler } from '@evenkeel/kinds';
import { ControlledServer } from '../controlled-server.fixture.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const autoscalers = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';

describe('the autoscaler', () => {
  let server: ControlledServer;
  beforeAll(async () => {
    server = await ControlledServer.start();
  });
  afterAll(() => server.close());

  async function create(name: string, replicas: number, spec: object, metrics: object): Promise<void> {
    const labels = { app: name };
    const container = { name: 'main', image: 'a:1', resources: { requests: { cpu: '200m' } } };
    await server.send('POST', deployments, {
      metadata: { name },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    });
    await server.quiet();
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name };
    await server.send('POST', autoscalers, {
      metadata: { name, annotations: metrics },
      spec: { scaleTargetRef, maxReplicas: 10, ...spec },
    });
    await server.quiet();
  }

  const replicasOf = async (name: string): Promise<number> =>
    (await server.send('GET', `${deployments}/${name}`)).spec.replicas;

  const use = (name: string, metrics: object): Promise<unknown> =>
    server.send('PATCH', `${autoscalers}/${name}`, { metadata: { annotations: metrics } });

  async function after(seconds: number): Promise<void> {
    // It looks at its metrics every 15 seconds.
    for (let passed = 0; passed < seconds; passed += 15) {
      await server.clock.advance(15_000);
      await server.quiet();
    }
  }

  const cpu = (averageUtilization: number): object => ({
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } }],
  });

  it('follows the utilization in its annotation: up at once, down after five minutes', async () => {
    await create('web', 2, cpu(50), { 'metrics.evenkeel.dev/cpu': '150m' });
    // 75 % of the request, 1.5 times the target.
    expect(await replicasOf('web')).toBe(3);
    const { status } = (await server.send('GET', `${autoscalers}/web`)) as HorizontalPodAutoscaler;
    expect(status?.currentMetrics).toEqual([
      { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 75, averageValue: '150m' } } },
    ]);
    expect(status?.conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`)).toEqual([
      'AbleToScale True SucceededRescale',
      'ScalingActive True ValidMetricFound',
      'ScalingLimited False DesiredWithinRange',
    ]);
    await use('web', { 'metrics.evenkeel.dev/cpu': '10m' });
    await after(270);
    expect(await replicasOf('web')).toBe(3);
    await after(60);
    expect(await replicasOf('web')).toBe(1);
  });

  it('limits the rate and the range of a change', async () => {
    await create('burst', 1, cpu(50), { 'metrics.evenkeel.dev/cpu': '2000m' });
    expect(await replicasOf('burst')).toBe(4);
    await after(15);
    expect(await replicasOf('burst')).toBe(8);
    await after(15);
    expect(await replicasOf('burst')).toBe(10);
  });

  it('follows the policies of its behavior', async () => {
    const behavior = { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] } };
    await create('slow', 1, { ...cpu(50), behavior }, { 'metrics.evenkeel.dev/cpu': '2000m' });
    expect(await replicasOf('slow')).toBe(2);
    await after(45);
    expect(await replicasOf('slow')).toBe(2);
    await after(30);
    expect(await replicasOf('slow')).toBe(3);
  });

  it('divides an external metric among the pods', async () => {
    const target = { type: 'AverageValue', averageValue: '30' };
    const metrics = [{ type: 'External', external: { metric: { name: 'messages' }, target } }];
    await create('queue', 1, { metrics }, { 'metrics.evenkeel.dev/messages': '100' });
    expect(await replicasOf('queue')).toBe(4);
  });
});
