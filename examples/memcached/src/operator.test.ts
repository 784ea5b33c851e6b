import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment } from '@evenkeel/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createManager, Deployment, Event, findCondition, ignoreNotFound, type Manager, Pod, provider } from 'evenkeel';
import { fields } from './fields.ts';
import { image } from './image.ts';
import { Memcached, type MemcachedStatus } from './memcached.ts';
import { operator } from './operator.ts';

describe('the memcached operator', () => {
  let environment: Environment;
  let namespace: string;
  let manager: Manager | undefined;

  const start = async (version: string): Promise<void> => {
    manager = await environment.run(async (connection) => {
      const overrides = [provider({ provide: image, useValue: `memcached:${version}` })];
      const started = await createManager({ ...operator, ...connection, fields, namespaces: [namespace], overrides });
      await started.start();
      return started;
    });
  };
  const key = (name: string): string => `${namespace}/${name}`;
  const create = (name: string, spec: Partial<Memcached['spec']>): Promise<unknown> =>
    environment.client.create(Memcached, { metadata: { name, namespace }, spec: spec as Memcached['spec'] });
  const scale = (name: string, size: number): Promise<unknown> =>
    environment.client.patch(Memcached, key(name), { merge: { spec: { size } } });
  const eventually: Environment['eventually'] = (assertion) => environment.eventually(assertion, { timeout: '60s' });
  const podsOf = async (name: string): Promise<Pod[]> => {
    const labels = `app.kubernetes.io/instance=${name}`;
    return (await environment.client.list(Pod, { namespace, labels })).items;
  };
  /** Resolves when all pods are ready, and the status names them. */
  const available = (name: string, size: number): Promise<MemcachedStatus> =>
    eventually(async () => {
      const { status = {} } = await environment.client.get(Memcached, key(name));
      const available = findCondition(status.conditions, 'Available');
      expect(available).toMatchObject({ status: 'True', message: `${size} of ${size} pods are ready` });
      const pods = await podsOf(name);
      expect(pods).toHaveLength(size);
      expect(status.nodes).toEqual(pods.map(({ metadata }) => metadata.name).sort());
      return status;
    });
  const untilNoted = (note: unknown): Promise<void> =>
    eventually(async () => {
      const { items } = await environment.client.list(Event, { namespace });
      expect(items.map((event) => event.note)).toContainEqual(note);
    });

  /** Calls an action, and returns how few pods were ready meanwhile, and which states the condition Available had. */
  const during = async (name: string, action: () => Promise<unknown>): Promise<{ ready: number; states: string[] }> => {
    const end = new AbortController();
    const options = { namespace, fields: { 'metadata.name': name }, bookmarks: false, signal: end.signal };
    const ready: number[] = [];
    const states = new Set<string>();
    const watchDeployment = async (): Promise<void> => {
      for await (const { object } of environment.client.watch(Deployment, options)) {
        if ('spec' in object) ready.push(object.status?.readyReplicas ?? 0);
      }
    };
    const watchMemcached = async (): Promise<void> => {
      for await (const { object } of environment.client.watch(Memcached, options)) {
        if ('spec' in object) states.add(findCondition(object.status?.conditions, 'Available')?.status ?? '');
      }
    };
    const watches = Promise.allSettled([watchDeployment(), watchMemcached()]);
    await action();
    end.abort();
    await watches;
    return { ready: Math.min(...ready), states: [...states].sort() };
  };

  beforeAll(async () => {
    const definition = await customResourceDefinitionOf(
      Memcached,
      await readSources(`${import.meta.dirname}/memcached.ts`),
    );
    environment = await Environment.create({ definitions: [definition] });
    namespace = await environment.createNamespace();
    await start('1.6.38');
  }, 60_000);
  afterAll(() => environment?.close(), 60_000);

  it('runs the wanted number of pods, and names them in its status', async () => {
    await create('sessions', { size: 2 });
    const status = await available('sessions', 2);
    expect(findCondition(status.conditions, 'Degraded')?.status).toBe('False');
    const { metadata, spec } = await environment.client.get(Deployment, key('sessions'));
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'Memcached', name: 'sessions', controller: true }]);
    expect(spec?.template.spec?.containers[0]).toMatchObject({
      image: 'memcached:1.6.38',
      ports: [{ containerPort: 11211 }],
    });
    await untilNoted('Created Deployment sessions');
  });

  it('scales, and follows a change of the port [capability 1.5]', async () => {
    await create('scaled', {});
    await available('scaled', 1);
    await scale('scaled', 3);
    await available('scaled', 3);
    await untilNoted('Scaled Deployment scaled from 1 to 3');
    const { ready } = await during('scaled', async () => {
      await environment.client.patch(Memcached, key('scaled'), { merge: { spec: { containerPort: 11212 } } });
      await eventually(async () => {
        const { spec } = await environment.client.get(Deployment, key('scaled'));
        expect(spec?.template.spec?.containers[0]?.args).toContain('--port=11212');
      });
      await available('scaled', 3);
    });
    expect(ready).toBe(3);
  });

  it('keeps the pods of two Memcacheds apart', async () => {
    await create('left', { size: 1 });
    await create('right', { size: 2 });
    const [left, right] = [await available('left', 1), await available('right', 2)];
    const shared = left.nodes?.filter((name) => right.nodes?.includes(name));
    expect(shared).toEqual([]);
  });

  it('restores a Deployment that somebody changes or deletes', async () => {
    await create('restored', {});
    await available('restored', 1);
    await environment.client.patch(Deployment, key('restored'), { merge: { spec: { replicas: 4 } } });
    await eventually(async () => {
      expect((await environment.client.get(Deployment, key('restored'))).spec?.replicas).toBe(1);
    });
    const { metadata } = await environment.client.get(Deployment, key('restored'));
    await environment.client.delete(Deployment, key('restored'), { propagationPolicy: 'Background' });
    await eventually(async () => {
      const restored = await environment.client.get(Deployment, key('restored'));
      expect(restored.metadata.uid).not.toBe(metadata.uid);
    });
    await available('restored', 1);
  });

  it('does not change a Deployment of somebody else, also when the Memcached is deleted', async () => {
    const labels = { team: 'payments' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'payments', image: 'payments:1' }] } };
    const spec = { replicas: 0, selector: { matchLabels: labels }, template };
    await environment.client.create(Deployment, { metadata: { name: 'taken', namespace }, spec });
    await create('taken', {});
    await eventually(async () => {
      const { status } = await environment.client.get(Memcached, key('taken'));
      expect(findCondition(status?.conditions, 'ChildrenOwned')).toMatchObject({ reason: 'ForeignChild' });
    });
    await environment.client.delete(Memcached, key('taken'));
    await eventually(async () => {
      expect(await ignoreNotFound(environment.client.get(Memcached, key('taken')))).toBeUndefined();
    });
    const foreign = await environment.client.get(Deployment, key('taken'));
    expect(foreign.spec?.template.spec?.containers[0]?.image).toBe('payments:1');
  });

  it('is gone only when its pods are gone', async () => {
    await create('leaving', { size: 2 });
    await available('leaving', 2);
    await environment.client.delete(Memcached, key('leaving'));
    await eventually(async () => {
      expect(await ignoreNotFound(environment.client.get(Memcached, key('leaving')))).toBeUndefined();
    });
    expect(await podsOf('leaving')).toEqual([]);
    await untilNoted(expect.stringMatching(/^Waiting until leaving-\S+, leaving-\S+ have stopped$/));
  });

  it('rolls the pods to another image of its environment [capability 2.1, 2.2, 2.3, 2.4, 2.5]', async () => {
    await create('upgraded', { size: 2 });
    const before = await available('upgraded', 2);
    const { ready, states } = await during('upgraded', async () => {
      await manager?.stop();
      await start('1.6.39');
      await untilNoted('Rolling Deployment upgraded from memcached:1.6.38 to memcached:1.6.39');
      await eventually(async () => {
        const after = await available('upgraded', 2);
        expect(after.nodes?.filter((name) => before.nodes?.includes(name))).toEqual([]);
      });
    });
    expect(ready).toBe(2);
    // The status reports the upgrade until all pods are new.
    expect(states).toEqual(['False', 'True']);
  });
});
