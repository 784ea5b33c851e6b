import { customServedResource } from './custom-discovery.ts';
import { DefinitionServer, definitionOf } from './definition-server.fixture.ts';

const cronTabs = 'crontabs.stable.example.com';

describe('the lifecycle of a definition', () => {
  it('serves the kinds once the write is settled, and sends each step to observers', async () => {
    const server = new DefinitionServer();
    const steps: unknown[] = [];
    server.store.subscribe((_, { current }) => {
      const { conditions } = current.object['status'] as { conditions: { type: string; status: string }[] | null };
      steps.push((conditions ?? []).map(({ type, status }) => `${type}=${status}`));
    });
    await server.create(definitionOf('crontabs', 'CronTab', { names: { shortNames: ['ct'] } }));
    expect(steps).toEqual([
      [],
      ['NamesAccepted=True', 'Established=False'],
      ['NamesAccepted=True', 'Established=True'],
    ]);
    expect(server.served.get(cronTabs)?.map(({ names }) => `${names.plural}/${names.version}`)).toEqual([
      'crontabs/v1',
    ]);
  });

  it('does not serve a kind until its names are free', async () => {
    const server = new DefinitionServer();
    await server.create(definitionOf('crontabs', 'CronTab'));
    await server.create(definitionOf('others', 'CronTab', { names: { listKind: 'OtherList' } }));
    expect(server.served.get('others.stable.example.com')).toEqual([]);
    await server.delete(cronTabs);
    expect(server.has(cronTabs)).toBe(false);
    expect(server.served.get('others.stable.example.com')).toHaveLength(1);
  });

  it('keeps the served kinds if only other parts of the status change', async () => {
    const server = new DefinitionServer();
    await server.create(definitionOf('crontabs', 'CronTab'));
    const before = server.served.get(cronTabs);
    const count = server.serveCount;
    await server.updateStatus(cronTabs, (current) => ({
      ...current,
      metadata: { ...current.metadata, labels: { a: 'b' } },
    }));
    await server.lifecycle.settled;
    expect(server.served.get(cronTabs)).toBe(before);
    expect(server.serveCount).toBe(count);
  });

  it('delays the deletion until the last object is deleted', async () => {
    const server = new DefinitionServer();
    const storageKey = 'stable.example.com/crontabs';
    await server.create(definitionOf('crontabs', 'CronTab'));
    const object = { apiVersion: 'stable.example.com/v1', kind: 'CronTab' };
    server.store.put(storageKey, 'default', 'free', { ...object, metadata: { name: 'free' } });
    server.store.put(storageKey, 'default', 'held', { ...object, metadata: { name: 'held', finalizers: ['a.b/c'] } });
    await server.delete(cronTabs);
    expect(server.countObjects(storageKey)).toBe(1);
    expect(server.status(cronTabs)).toMatchObject({
      conditions: [{}, {}, { type: 'Terminating', status: 'True', reason: 'InstanceDeletionInProgress' }],
    });
    expect(server.served.get(cronTabs)?.map(customServedResource)[0]?.verbs).toEqual([
      'delete',
      'deletecollection',
      'get',
      'list',
      'watch',
    ]);
    server.store.remove(storageKey, 'default', 'held');
    await server.lifecycle.settled;
    expect(server.has(cronTabs)).toBe(false);
    expect(server.served.get(cronTabs)).toEqual([]);
  });

  it('sets the approval condition of definitions in groups of Kubernetes', async () => {
    const server = new DefinitionServer();
    const approve = (plural: string, kind: string, annotation: string) => {
      const definition = definitionOf(plural, kind, { group: 'x.k8s.io' });
      definition.metadata.annotations = { 'api-approved.kubernetes.io': annotation };
      return server.create(definition);
    };
    await approve('goods', 'Good', 'https://example.com/1');
    await approve('bads', 'Bad', 'unapproved, an experiment');
    const type = 'KubernetesAPIApprovalPolicyConformant';
    expect(server.status('goods.x.k8s.io')).toMatchObject({
      conditions: [
        {},
        {},
        { type, status: 'True', reason: 'ApprovedAnnotation', message: 'approved in https://example.com/1' },
      ],
    });
    expect(server.status('bads.x.k8s.io')).toMatchObject({
      conditions: [
        {},
        {},
        { type, status: 'False', reason: 'UnapprovedAnnotation', message: 'not approved: "unapproved, an experiment"' },
      ],
    });
  });
});
