import { Client } from '@evenkeel/client';
import type { ConcreteClass } from '@evenkeel/core';
import {
  type AnyClass,
  Channel,
  Controller,
  CustomResource,
  callSiteOf,
  declarationsOf,
  EvenkeelError,
  Every,
  Finalizer,
  Index,
  KubernetesObject,
  ListerOf,
  Metadata,
  ObjectKey,
  Owns,
  Rbac,
  Reconcile,
  Spec,
  type Transport,
  Watches,
} from '@evenkeel/core';
import { ConfigMap, Deployment, Secret } from '@evenkeel/kinds';
import { Lister } from '../cache/index.ts';
import { createManager } from '../manager/manager.ts';
import type { ManagerOptions } from '../options/manager-options.ts';
import { generationChanged } from '../predicate/change-predicates.ts';
import { awaitChange, type ReconcileResult } from '../reconcile/reconcile-result.ts';
import { controllerFor } from './controller-for.ts';
import { listerOf } from './injected.ts';

@CustomResource({ group: 'web.example.com', version: 'v1' })
class Site extends KubernetesObject {
  @Spec() spec!: { host: string };
}

class Prices {
  of(host: string): number {
    return host.length;
  }
}

const unreachable: Transport = {
  request: () => Promise.reject(new Error('nothing may be sent')),
  close: async () => {},
};

function manager(controllers: readonly AnyClass[], options: Partial<ManagerOptions> = {}) {
  return createManager({ controllers: controllers as ConcreteClass[], transport: unreachable, ...options });
}

async function mistakeOf(controllers: readonly AnyClass[], options: Partial<ManagerOptions> = {}): Promise<string> {
  const error: unknown = await manager(controllers, options).catch((caught: unknown) => caught);
  if (!(error instanceof EvenkeelError)) throw new Error(`no mistake was found: ${String(error)}`);
  return `${error.code}: ${error.message.replaceAll(/\(\/\S+\/(controller-for\.test\.ts):\d+\)/g, '($1)')}`;
}

describe('controllerFor', () => {
  const labels = { part: 'site' };

  @Controller(Site, { name: 'sites', predicates: [generationChanged], acrossNamespaces: true })
  @Owns(Deployment)
  @Owns(() => ConfigMap, { predicates: [generationChanged] })
  @Rbac(Secret, ['get'], { reason: 'the key of a site' })
  @Rbac('/metrics', ['get'])
  class SiteController {
    constructor(
      readonly client: Client,
      readonly prices: Prices,
      @ListerOf(Deployment) readonly deployments: Lister<Deployment>,
      @ListerOf(() => Metadata(Secret)) readonly secrets: Lister<Metadata<Secret>>,
    ) {}

    @Watches(Metadata(Secret))
    onSecret(secret: Metadata<Secret>): ObjectKey[] {
      return [ObjectKey.of(secret)];
    }

    @Watches(ConfigMap, { labels })
    onMap(map: ConfigMap): ObjectKey[] {
      return [ObjectKey.of(map)];
    }

    @Finalizer('example.com/late', { order: 1 })
    late(): void {}

    @Finalizer('example.com/first')
    async first(): Promise<void> {}

    @Index('host')
    hostOf(site: Site): string {
      return site.spec.host;
    }

    @Index('part', ConfigMap)
    partOf(map: ConfigMap): string | undefined {
      return map.metadata.labels?.['part'];
    }

    @Channel()
    async *payments(): AsyncGenerator<ObjectKey> {
      yield new ObjectKey('a', 'default');
    }

    @Every('5m')
    @Reconcile({ maxConcurrent: 4, timeout: '1m' })
    async reconcile(): Promise<void> {}
  }

  it('records the same declarations as decorators', () => {
    const made = controllerFor(Site, { name: 'sites', predicates: [generationChanged], acrossNamespaces: true })
      .inject({ client: Client, prices: Prices })
      .inject({ deployments: listerOf(Deployment), secrets: listerOf(() => Metadata(Secret)) })
      .owns(Deployment)
      .owns(() => ConfigMap, { predicates: [generationChanged] })
      .rbac(Secret, ['get'], { reason: 'the key of a site' })
      .rbac('/metrics', ['get'])
      .watches(Metadata(Secret), function onSecret(secret) {
        return [ObjectKey.of(secret)];
      })
      .watches(
        ConfigMap,
        function onMap(map) {
          return [ObjectKey.of(map)];
        },
        { labels },
      )
      .finalizer('example.com/late', function late() {}, { order: 1 })
      .finalizer('example.com/first', async function first() {})
      .index('host', function hostOf(site) {
        return site.spec.host;
      })
      .index(
        'part',
        function partOf(map) {
          return map.metadata.labels?.['part'];
        },
        ConfigMap,
      )
      .every('5m')
      .channel(async function* payments() {
        yield new ObjectKey('a', 'default');
      })
      .reconcile(async function reconcile() {}, { maxConcurrent: 4, timeout: '1m' });
    const asData = (target: AnyClass): unknown =>
      JSON.parse(
        JSON.stringify(declarationsOf(target), (_key, value: unknown) =>
          typeof value === 'function'
            ? value.prototype === undefined
              ? `function ${value}`
              : `class ${value.name}`
            : value,
        ),
      );
    expect(asData(made)).toEqual(asData(SiteController));
    expect(declarationsOf(made).controller).toEqual(declarationsOf(SiteController).controller);
    expect(Reflect.getMetadata('design:paramtypes', made).slice(0, 2)).toEqual([Client, Prices]);
  });

  it('passes the injected values to functions as the last parameter', async () => {
    const seen: unknown[][] = [];
    const base = controllerFor(Site).inject({ client: Client, prices: Prices, sites: listerOf(Site) });
    const made = base
      .channel(async function* payments(signal, { prices }) {
        seen.push(['channel', signal.aborted, prices.of('abc')]);
        yield new ObjectKey('a', 'default');
      })
      .reconcile(async (site, context, { client, prices, sites }): Promise<ReconcileResult> => {
        seen.push([site.spec.host, context.key, client, prices.of(site.spec.host), sites]);
        return awaitChange();
      });
    const { client } = await manager([made], { services: [Prices] });
    const Made = made as new (
      ...values: unknown[]
    ) => {
      'reconcile()'(site: unknown, context: unknown): unknown;
      payments(signal: AbortSignal): AsyncIterable<unknown>;
    };
    const sites = { get: () => undefined };
    const instance = new Made(client, new Prices(), sites);
    instance['reconcile()']({ spec: { host: 'abcd' } }, { key: 'default/a' });
    for await (const _ of instance.payments(new AbortController().signal));
    expect(seen).toEqual([
      ['abcd', 'default/a', client, 4, sites],
      ['channel', false, 3],
    ]);
  });

  it('does not change a step, so that steps can be shared', () => {
    const base = controllerFor(Site).owns(ConfigMap);
    const one = base.owns(Deployment).reconcile(() => {});
    const two = base.every('1h').reconcile(() => {});
    expect(declarationsOf(one).owns).toHaveLength(2);
    expect(declarationsOf(two).owns).toEqual([{ kind: ConfigMap }]);
    expect(declarationsOf(one).periods).toEqual([]);
  });

  it('distinguishes functions of the same name, and names unnamed functions after their step', () => {
    const sameName = { toString: (): ObjectKey[] => [] };
    const made = controllerFor(Site)
      .watches(ConfigMap, sameName.toString)
      .watches(Secret, sameName.toString)
      .watches(Deployment, () => [])
      .finalizer('example.com/a', () => {})
      .reconcile(() => {});
    const { watches, finalizers, reconciles } = declarationsOf(made);
    expect(watches.map(({ method }) => method)).toEqual(['toString 2', 'toString 3', 'watches(Deployment)']);
    expect(finalizers.map(({ method }) => method)).toEqual(['finalizer(example.com/a)']);
    expect(reconciles.map(({ method }) => method)).toEqual(['reconcile()']);
  });

  it('returns a class that knows where it was created', () => {
    const made = controllerFor(Site, { name: 'sites' }).reconcile(() => {});
    expect(made.name).toBe('controllerFor(Site, "sites")');
    expect(callSiteOf(made)).toEqual({
      file: expect.stringMatching(/controller-for\.test\.ts$/),
      line: expect.any(Number),
    });
    expect(callSiteOf(SiteController)).toBeUndefined();
  });

  it('is named with its kind, function and location in messages about mistakes', async () => {
    const twice = controllerFor(Site)
      .owns(ConfigMap)
      .owns(ConfigMap)
      .reconcile(() => {});
    expect(await mistakeOf([twice])).toBe(
      'duplicate-declaration: controllerFor(Site) (controller-for.test.ts): .owns(ConfigMap) is declared twice; remove one of them',
    );
    const short = controllerFor(Site)
      .every('1ms')
      .reconcile(function publish() {});
    expect(await mistakeOf([short])).toBe(
      'invalid-option: controllerFor(Site).publish (controller-for.test.ts): the period of .every is 1ms; use at least 1s',
    );
    const often = controllerFor(Site)
      .every('1m')
      .every('2m')
      .reconcile(() => {});
    expect(await mistakeOf([often])).toBe(
      'invalid-option: controllerFor(Site) (controller-for.test.ts): .every is called more than once; keep one call',
    );
    const one = controllerFor(Site).reconcile(() => {});
    const other = controllerFor(Site).reconcile(() => {});
    expect(await mistakeOf([one, other])).toBe(
      'duplicate-declaration: controllerFor(Site) (controller-for.test.ts): the controller name "site" is already used by controllerFor(Site), so their logs, metrics and children cannot be distinguished; rename one with controllerFor(Kind, { name: "..." })',
    );
    const secrets = controllerFor(Site)
      .watches(Secret, function onSecret() {
        return [];
      })
      .reconcile(() => {});
    expect(await mistakeOf([secrets])).toBe(
      'whole-cluster-watch: controllerFor(Site) (controller-for.test.ts): .watches(Secret) on onSecret would cache every Secret of the cluster in memory; write .watches(Metadata(Secret)) and read the few objects that you need with the Client, select with { labels }, or set { wholeCluster: true } to allow it',
    );
  });

  it('reports injected values that are not available', async () => {
    const unlisted = controllerFor(Site)
      .inject({ client: Client, prices: Prices })
      .reconcile(() => {});
    expect(await mistakeOf([unlisted])).toBe(
      'parameter-not-injectable: controllerFor(Site) (controller-for.test.ts): "prices" of .inject is a Prices, which is not provided; add Prices to `services`',
    );
    const uncached = controllerFor(Site)
      .inject({ maps: listerOf(ConfigMap) })
      .reconcile(() => {});
    expect(await mistakeOf([uncached])).toBe(
      'kind-not-cached: controllerFor(Site) (controller-for.test.ts): "maps" of .inject asks for ConfigMap, which no controller reconciles, owns or watches; add .owns or .watches for it, or read it with the Client',
    );
    const missing = controllerFor(Site)
      .inject({ prices: undefined as never })
      .reconcile(() => {});
    expect(await mistakeOf([missing])).toBe(
      'parameter-not-injectable: controllerFor(Site) (controller-for.test.ts): "prices" of .inject has an undefined class, because an import cycle used the class before it was defined; move one of the two classes to its own module',
    );
  });

  it('rejects values that are not functions', () => {
    expect(() =>
      controllerFor(Site)
        .watches(ConfigMap, undefined as never)
        .reconcile(() => {}),
    ).toThrow('controllerFor(Site): watches(ConfigMap) was called with undefined; pass a function');
  });

  it('has the types of the kinds and of the injected values', () => {
    const base = controllerFor(Site).inject({ prices: Prices });
    base.reconcile((site, _context, { prices }) => {
      prices.of(site.spec.host);
      // @ts-expect-error a site has no data
      site.data;
      // @ts-expect-error prices have no client
      prices.client;
    });
    // @ts-expect-error it must be synchronous
    base.watches(ConfigMap, async () => []);
    // @ts-expect-error only metadata
    base.watches(Metadata(ConfigMap), (map) => Object.keys(map.data).map((name) => new ObjectKey(name)));
    // @ts-expect-error the domain is missing
    base.finalizer('flush', () => {});
    // @ts-expect-error not a result
    base.reconcile(() => 5);
    expect(base).toBeDefined();
  });
});
