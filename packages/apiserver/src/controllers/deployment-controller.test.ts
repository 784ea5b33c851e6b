import type { Deployment, ReplicaSet } from '@evenkeel/kinds';
import { ControlledServer } from './controlled-server.fixture.ts';
import { RecordedLog } from './recorded-log.fixture.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const replicaSets = '/apis/apps/v1/namespaces/default/replicasets';

describe('the Deployment controller', () => {
  const log = new RecordedLog();
  let server: ControlledServer;
  beforeEach(async () => {
    log.lines.splice(0);
    server = await ControlledServer.start({ logger: log });
  });
  afterEach(() => server.close());

  const create = (selector: object, labels: object): Promise<unknown> => {
    const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a:1' }] } };
    return server.send('POST', deployments, {
      metadata: { name: 'web' },
      spec: { replicas: 2, selector, template },
    });
  };
  const deployment = (): Promise<Deployment> => server.send('GET', `${deployments}/web`);
  const sets = async (): Promise<ReplicaSet[]> => (await server.send('GET', replicaSets)).items;
  const isComplete = async (): Promise<boolean> => {
    const { metadata, status } = await deployment();
    return status?.observedGeneration === metadata.generation && status?.availableReplicas === 2;
  };

  const matchLabels = { app: 'web' };
  it.each([
    ['whose template has a hash label', { matchLabels }, { app: 'web', 'pod-template-hash': 'abc' }],
    [
      'whose selector has a hash label too',
      { matchLabels: { ...matchLabels, 'pod-template-hash': 'abc' } },
      { app: 'web', 'pod-template-hash': 'abc' },
    ],
    ['whose template has no labels', { matchExpressions: [{ key: 'other', operator: 'DoesNotExist' }] }, {}],
  ])('creates one ReplicaSet for a Deployment %s', async (_, selector, labels) => {
    await create(selector, labels);
    await server.until(isComplete);
    await server.quiet();
    expect(await sets()).toHaveLength(1);
    expect((await sets())[0]?.metadata.labels?.['pod-template-hash']).toMatch(/^[a-z0-9]+$/);
    expect(log.lines).toEqual([]);
  });

  it('starts no rollout if the template gets the hash label of its ReplicaSet, as a rollback sends it', async () => {
    await create({ matchLabels }, matchLabels);
    await server.until(isComplete);
    const [before] = await sets();
    const template = { metadata: { labels: before?.spec?.template?.metadata?.labels } };
    await server.send('PATCH', `${deployments}/web`, { spec: { template } });
    await server.until(isComplete);
    await server.quiet();
    expect((await sets()).map(({ metadata }) => metadata.uid)).toEqual([before?.metadata.uid]);
    expect((await deployment()).metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('1');
    expect(log.lines).toEqual([]);
  });
});
