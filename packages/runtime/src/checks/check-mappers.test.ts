import type { ConcreteClass } from '@evenkeel/core';
import {
  Controller,
  CustomResource,
  EvenkeelError,
  Index,
  KubernetesObject,
  ListerOf,
  Metadata,
  ObjectKey,
  Reconcile,
  type SeenObject,
  Spec,
  type Transport,
  Watches,
  type WatchesOptions,
} from '@evenkeel/core';
import { ConfigMap, Namespace, Secret, Service } from '@evenkeel/kinds';
import { injectable, preDestroy } from 'inversify';
import { controllerFor } from '../builder/controller-for.ts';
import type { Lister } from '../cache/index.ts';
import { createManager, type Manager } from '../manager/manager.ts';
import type { ManagerOptions } from '../options/manager-options.ts';

@CustomResource({ group: 'web.example.com', version: 'v1' })
class Website extends KubernetesObject {
  @Spec() spec!: { page: string };
}

const unreachable: Transport = {
  request: () => Promise.reject(new Error('nothing may be sent')),
  close: async () => {},
};

function manager(controllers: readonly ConcreteClass[], options: Partial<ManagerOptions> = {}): Promise<Manager> {
  return createManager({ controllers, transport: unreachable, ...options });
}

async function mistakeOf(controllers: readonly ConcreteClass[], options?: Partial<ManagerOptions>): Promise<string> {
  const error: unknown = await manager(controllers, options).catch((caught: unknown) => caught);
  if (!(error instanceof EvenkeelError)) throw new Error(`no mistake was found: ${String(error)}`);
  return `${error.code}: ${error.message.replaceAll(/\(\/\S+\/(check-mappers\.test\.ts):\d+\)/g, '($1)')}`;
}

/** A controller of Websites whose mapper of Services returns `answer`. The compiler records no type for it. */
function answering(answer: (service: Service) => unknown, options?: WatchesOptions<Service>): ConcreteClass {
  @Controller(Website)
  class WebsiteController {
    @Reconcile() reconcile(): void {}
    @Watches(Service, options) onService(service: Service): ObjectKey[] {
      return answer(service) as ObjectKey[];
    }
  }
  return WebsiteController;
}

const list = 'return ObjectKey[] synchronously ([] enqueues nothing)';
const key = 'write new ObjectKey(name, namespace), or ObjectKey.of(object)';

describe('checkMappers()', () => {
  it.each<[string, () => unknown, string]>([
    ['nothing', () => undefined, `returned undefined; ${list}`],
    ['null', () => null, `returned null; ${list}`],
    ['a string', () => 'default/web', `returned string; ${list}`],
    ['a key without a list', () => new ObjectKey('web', 'default'), `returned object; ${list}`],
    ['a set', () => new Set([new ObjectKey('web', 'default')]), `returned object; ${list}`],
    ['a promise', () => Promise.resolve([]), `returned a promise; ${list}`],
    ['a rejected promise', () => Promise.reject(new Error('odd')), `returned a promise; ${list}`],
    ['a promise that never settles', () => new Promise(() => {}), `returned a promise; ${list}`],
    ['strings', () => ['default/web'], `returned a value of type string instead of an ObjectKey; ${key}`],
    [
      'rejected promises',
      () => [Promise.reject(new Error('odd'))],
      `returned a promise instead of an ObjectKey; ${key}`,
    ],
    ['plain objects', () => [{ name: 'web' }], `returned a value of type object instead of an ObjectKey; ${key}`],
    [
      'keys with a namespace in the name',
      () => [new ObjectKey('default/web')],
      'returned an ObjectKey whose name is "default/web"',
    ],
    [
      'keys with a number as name',
      () => [new ObjectKey(5 as never, 'default')],
      'returned an ObjectKey whose name is 5',
    ],
    [
      'keys without a namespace',
      () => [new ObjectKey('web')],
      'returned the ObjectKey "web" without a namespace, but websites.web.example.com are namespaced; write new ObjectKey(name, namespace)',
    ],
  ])('rejects a mapper that returns %s', async (_, answer, what) => {
    expect(await mistakeOf([answering(answer)])).toBe(
      `invalid-mapper-result: WebsiteController.onService: @Watches(Service): called with a sample object at startup, the mapper ${what}`,
    );
  });

  it('reports all invalid mappers in one error, with the file of function controllers', async () => {
    const plain = controllerFor(Namespace)
      .watches(Metadata(Secret), function ofSecret({ metadata }) {
        return [ObjectKey.of({ metadata })];
      })
      .watches(ConfigMap, (() => 7) as never, { wholeCluster: true })
      .reconcile(() => {});
    expect((await mistakeOf([answering(() => 'web'), plain])).split('\n')).toEqual([
      `invalid-mapper-result: WebsiteController.onService: @Watches(Service): called with a sample object at startup, the mapper returned string; ${list}`,
      'controllerFor(Namespace).ofSecret (check-mappers.test.ts): .watches(Metadata(Secret)): called with a sample object at startup, the mapper returned the ObjectKey "default/sample" with a namespace, but namespaces are cluster-scoped; write new ObjectKey(name)',
      `controllerFor(Namespace).watches(ConfigMap) (check-mappers.test.ts): .watches(ConfigMap): called with a sample object at startup, the mapper returned number; ${list}`,
    ]);
  });

  it.each<[string, ConcreteClass]>([
    ['returns no keys', answering(() => [])],
    ['returns a key', answering((service) => [ObjectKey.of(service)])],
    [
      'throws because of a field that the sample does not have',
      answering(({ spec }) => [
        new ObjectKey((spec as { selector: Record<string, string> }).selector['web'] ?? '', 'a'),
      ]),
    ],
    [
      'uses a name that the sample does not have',
      answering(({ metadata }) => [new ObjectKey(metadata.labels?.['web'] as string, metadata.namespace)]),
    ],
    [
      'uses a namespace from a label that the watch selects',
      answering(({ metadata }) => [new ObjectKey(metadata.name, metadata.annotations?.['of'])], {
        labels: { copied: 'yes' },
      }),
    ],
    [
      'uses a namespace from a field that predicates require',
      answering(({ metadata }) => [new ObjectKey(metadata.name, metadata.annotations?.['of'])], {
        predicates: [({ object }) => object.metadata.annotations?.['of'] !== undefined],
      }),
    ],
  ])('accepts a mapper that %s', async (_, controller) => {
    await expect(manager([controller])).resolves.toBeDefined();
  });

  it('calls a mapper once with a minimal object, as the cache would return it, and ignores the keys', async () => {
    const samples: SeenObject[] = [];
    const keep = (object: SeenObject): ObjectKey[] => {
      samples.push(object);
      return [new ObjectKey('web', 'shop')];
    };
    const controller = controllerFor(Website)
      .watches(Service, keep, { labels: { part: 'web' }, fields: { 'metadata.name': 'front' } })
      .watches(Metadata(Namespace), keep)
      .reconcile(() => {});
    const { health } = await manager([controller], { namespaces: ['shop', 'bank'] });
    const metadata = {
      uid: expect.any(String),
      resourceVersion: '1',
      creationTimestamp: expect.any(String),
      annotations: {},
    };
    expect(samples).toEqual([
      expect.objectContaining({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { ...metadata, name: 'front', namespace: 'shop', labels: { part: 'web' } },
      }),
      { apiVersion: 'v1', kind: 'Namespace', metadata: { ...metadata, name: 'sample', labels: {} } },
    ]);
    expect(samples[0]).toBeInstanceOf(Service);
    for (const sample of samples) {
      expect(Object.isFrozen(sample)).toBe(true);
      expect(Object.isFrozen(sample.metadata.labels)).toBe(true);
    }
    expect(health.controllers.map(({ running, lastRunAt }) => [running, lastRunAt])).toEqual([[[], undefined]]);
  });

  it('passes services, empty listers and indexes to a mapper, and destroys the instances if it is invalid', async () => {
    const events: string[] = [];
    @injectable()
    class Names {
      readonly separator = '/';
      @preDestroy() end(): void {
        events.push('ended');
      }
    }
    @Controller(Website)
    class WebsiteController {
      constructor(
        @ListerOf(Website) private readonly websites: Lister<Website>,
        private readonly names: Names,
      ) {}
      @Reconcile() reconcile(): void {}
      @Index('page') pageOf({ spec }: Website): string {
        return spec.page;
      }
      @Watches(Metadata(ConfigMap)) onMap({ metadata }: Metadata): ObjectKey[] {
        events.push(`found ${this.websites.byIndex('page', metadata.name).length}`);
        return [metadata.namespace + this.names.separator + metadata.name] as never;
      }
    }
    expect(await mistakeOf([WebsiteController], { services: [Names] })).toBe(
      `invalid-mapper-result: WebsiteController.onMap: @Watches(Metadata(ConfigMap)): called with a sample object at startup, the mapper returned a value of type string instead of an ObjectKey; ${key}`,
    );
    expect(events).toEqual(['found 0', 'ended']);
  });
});
