import { describeWithRealServer } from '../../../../test/real-server.fixture.ts';
import { type ComparedServer, embeddedServer, normalise, realServer } from '../comparison.fixture.ts';

const applyType = 'application/apply-patch+yaml';
const mergeType = 'application/merge-patch+json';

describeWithRealServer('HorizontalPodAutoscaler in two versions', () => {
  let servers: readonly ComparedServer[];
  beforeAll(async () => {
    servers = await Promise.all([realServer(), embeddedServer()]);
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
  });

  async function same(...request: Parameters<ComparedServer['send']>): Promise<void> {
    const [real, ours] = await Promise.all(servers.map((server) => server.send(...request)));
    expect({ request, answer: inOrder(normalise(ours)) }).toEqual({ request, answer: inOrder(normalise(real)) });
  }

  const path = (version: string, name = '', query = ''): string =>
    `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers${name === '' ? '' : `/${name}`}${query}`;
  const autoscaler = (version: string, name: string, spec: object, metadata: object = {}): object => ({
    apiVersion: `autoscaling/${version}`,
    kind: 'HorizontalPodAutoscaler',
    metadata: { name, ...metadata },
    spec,
  });
  const scaleTargetRef = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' };

  async function sameInBoth(name: string): Promise<void> {
    for (const version of ['v1', 'v2']) await same('GET', path(version, name));
  }

  const utilization = (name: string, averageUtilization: number): object => ({
    type: 'Resource',
    resource: { name, target: { type: 'Utilization', averageUtilization } },
  });
  const metrics = [
    utilization('memory', 60),
    utilization('cpu', 50),
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '100m' } } },
    {
      type: 'Pods',
      pods: {
        metric: { name: 'q<&>', selector: { matchLabels: { b: 'c', a: 'b' } } },
        target: { type: 'AverageValue', averageValue: '5' },
      },
    },
    {
      type: 'Object',
      object: {
        describedObject: { kind: 'Ingress', name: 'i', apiVersion: 'networking.k8s.io/v1' },
        metric: { name: 'r' },
        target: { type: 'Value', value: '2k' },
      },
    },
    {
      type: 'Object',
      object: {
        describedObject: { kind: 'Service', name: 's', apiVersion: 'v1' },
        metric: { name: 'r' },
        target: { type: 'AverageValue', averageValue: '2' },
      },
    },
    { type: 'External', external: { metric: { name: 'e' }, target: { type: 'AverageValue', averageValue: '30' } } },
    { type: 'External', external: { metric: { name: 'f' }, target: { type: 'Value', value: '31' } } },
    {
      type: 'ContainerResource',
      containerResource: { name: 'cpu', container: 'app', target: { type: 'Utilization', averageUtilization: 70 } },
    },
  ];
  const behavior = {
    scaleDown: { stabilizationWindowSeconds: 60, policies: [{ type: 'Pods', value: 1, periodSeconds: 5 }] },
  };

  it('keeps metrics, behavior and status of v2 in annotations of v1', async () => {
    const name = 'rich';
    const body = autoscaler(
      'v2',
      name,
      { scaleTargetRef, maxReplicas: 5, metrics, behavior },
      { annotations: { a: 'b' } },
    );
    await same('POST', path('v2', '', '?fieldManager=creator'), { body });
    await sameInBoth(name);
    const status = {
      currentReplicas: 1,
      desiredReplicas: 2,
      currentMetrics: [
        { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 33, averageValue: '100m' } } },
        { type: 'Pods', pods: { metric: { name: 'q' }, current: { averageValue: '4' } } },
        { type: 'External', external: { metric: { name: 'e' }, current: { averageValue: '3' } } },
        { type: 'External', external: { metric: { name: 'f' }, current: { value: '3' } } },
        {
          type: 'Object',
          object: {
            describedObject: { kind: 'Service', name: 's' },
            metric: { name: 'r' },
            current: { averageValue: '2' },
          },
        },
        { type: 'Resource', resource: { name: 'memory', current: { averageUtilization: 33 } } },
        {
          type: 'ContainerResource',
          containerResource: { name: 'cpu', container: 'app', current: { averageValue: '1' } },
        },
      ],
      conditions: [
        { type: 'AbleToScale', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z', reason: 'R', message: 'm' },
      ],
    };
    await same('PATCH', `${path('v2', name)}/status?fieldManager=s`, { body: { status }, contentType: mergeType });
    await sameInBoth(name);
    await same('PATCH', path('v1', name, '?fieldManager=m1'), {
      body: { spec: { maxReplicas: 7 } },
      contentType: mergeType,
    });
    await sameInBoth(name);
    const target = { spec: { targetCPUUtilizationPercentage: 20 } };
    await same('PATCH', path('v1', name, '?fieldManager=m1'), { body: target, contentType: mergeType });
    await sameInBoth(name);
  });

  it('creates through v1 with its default and without', async () => {
    await same('POST', path('v1', '', '?fieldManager=c1'), {
      body: autoscaler('v1', 'plain', { scaleTargetRef, maxReplicas: 5 }),
    });
    await sameInBoth('plain');
    const spec = { scaleTargetRef, maxReplicas: 5, minReplicas: 2, targetCPUUtilizationPercentage: 45 };
    await same('POST', path('v1', '', '?fieldManager=c1'), { body: autoscaler('v1', 'target', spec) });
    await sameInBoth('target');
    const annotations = {
      'autoscaling.alpha.kubernetes.io/metrics': JSON.stringify([
        { type: 'Resource', resource: { name: 'memory', targetAverageUtilization: 60 } },
      ]),
      'autoscaling.alpha.kubernetes.io/behavior': JSON.stringify({
        scaleUp: { StabilizationWindowSeconds: 3, policies: [{ Type: 'Pods', value: 1, PeriodSeconds: 5 }] },
      }),
      'autoscaling.alpha.kubernetes.io/conditions': 'no JSON',
    };
    await same('POST', path('v1', '', '?dryRun=All&fieldManager=c1'), {
      body: autoscaler('v1', 'notes', spec, { annotations }),
    });
  });

  it('keeps the owners of fields in their versions, and finds their conflicts', async () => {
    const name = 'owned';
    const apply = (version: string, manager: string, spec: object, force = false): Promise<void> =>
      same('PATCH', path(version, name, `?fieldManager=${manager}${force ? '&force=true' : ''}`), {
        body: autoscaler(version, name, spec),
        contentType: applyType,
      });
    await apply('v1', 'm1', { scaleTargetRef, maxReplicas: 5, targetCPUUtilizationPercentage: 45 });
    await apply('v2', 'm2', { maxReplicas: 6 });
    await apply('v2', 'm2', { scaleTargetRef, maxReplicas: 6 });
    await apply('v2', 'm2', { scaleTargetRef, maxReplicas: 6 }, true);
    await apply('v2', 'm3', { scaleTargetRef, metrics: [utilization('cpu', 50)] });
    await same('PATCH', path('v2', name, '?fieldManager=m4'), {
      body: { spec: { minReplicas: 3 } },
      contentType: mergeType,
    });
    await apply('v1', 'm1', { scaleTargetRef, maxReplicas: 6, minReplicas: 2 });
    await apply('v1', 'm1', { scaleTargetRef, maxReplicas: 6 });
    await sameInBoth(name);
    await same('DELETE', path('v1', name));
  });
});

/** Entries of the same second are in the order of their names. */
function inOrder(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, member: unknown) => {
    if (key !== 'managedFields' || !Array.isArray(member)) return member;
    const nameOf = ({ manager, operation, apiVersion, subresource }: Record<string, unknown>) =>
      JSON.stringify([manager, operation, apiVersion, subresource]);
    return member.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  });
}
