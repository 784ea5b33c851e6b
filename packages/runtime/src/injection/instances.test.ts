import { Client } from '@evenkeel/client';
import {
  type AnyClass,
  Clock,
  Controller,
  CustomResource,
  Index,
  Inject,
  KubernetesObject,
  ListerOf,
  Logger,
  Metadata,
  type ObjectKey,
  Owns,
  Reconcile,
  Spec,
  Watches,
} from '@evenkeel/core';
import { ConfigMap, Deployment } from '@evenkeel/kinds';
import { inject, injectable, postConstruct } from 'inversify';
import { Lister } from '../cache/index.ts';
import { EventRecorder } from '../event/event-recorder.ts';
import { mistakeOf, unconnectedManager } from '../manager/unconnected-manager.fixture.ts';

@CustomResource({ group: 'web.example.com', version: 'v1' })
class Website extends KubernetesObject {
  @Spec() spec!: object;
}

function injectableByNobody(_: AnyClass): void {}

class Prices {
  readonly of = 'prices';
}

describe('createInstances()', () => {
  it('injects provided values, listers and services into a controller, and dependencies into services', async () => {
    const made: unknown[][] = [];

    @injectable()
    class Shop {
      readonly prices: Prices;
      opened = false;
      constructor(@inject(Prices) prices: Prices) {
        this.prices = prices;
      }
      @postConstruct() open(): void {
        this.opened = true;
      }
    }

    @Controller(Website)
    @Owns(Deployment)
    class WebsiteController {
      constructor(
        client: Client,
        @ListerOf(Website) websites: Lister<Website>,
        @ListerOf(() => Deployment) deployments: Lister<Deployment>,
        @ListerOf(Metadata(ConfigMap)) maps: Lister<Metadata<ConfigMap>>,
        logger: Logger,
        clock: Clock,
        recorder: EventRecorder,
        prices: Prices,
        shop: Shop,
      ) {
        made.push([client, websites, deployments, maps, logger, clock, recorder, prices, shop]);
      }
      @Reconcile() reconcile(): void {}
      @Watches(Metadata(ConfigMap)) onMap(): ObjectKey[] {
        return [];
      }
    }

    const { client } = await unconnectedManager([WebsiteController], { services: [Prices, Shop] });
    expect(made).toHaveLength(1);
    const [values = []] = made;
    expect(values[0]).toBe(client);
    for (const lister of values.slice(1, 4)) expect(lister).toBeInstanceOf(Lister);
    expect(new Set(values.slice(1, 4)).size).toBe(3);
    expect(values[4]).toBeInstanceOf(Logger);
    expect(values[5]).toBeInstanceOf(Clock);
    expect(values[6]).toBeInstanceOf(EventRecorder);
    expect(values[7]).toBeInstanceOf(Prices);
    expect(values[8]).toMatchObject({ prices: values[7], opened: true });
  });

  it('creates one instance of a service for all classes that use it', async () => {
    const made: unknown[] = [];
    @injectableByNobody
    class Shop {
      constructor(readonly prices: Prices) {}
    }
    @Controller(Website)
    class WebsiteController {
      constructor(prices: Prices, shop: Shop) {
        made.push(prices, shop);
      }
      @Reconcile() reconcile(): void {}
    }
    await unconnectedManager([WebsiteController], { services: [Shop, Prices] });
    const [prices, shop] = made;
    expect(shop).toBeInstanceOf(Shop);
    expect((shop as Shop).prices).toBe(prices);
  });

  it('rejects services that need each other', async () => {
    class Shop {}
    class Stock {}
    // The metadata that tsc records for two such classes; swc records Object for the second one.
    Reflect.defineMetadata('design:paramtypes', [Stock], Shop);
    Reflect.defineMetadata('design:paramtypes', [Shop], Stock);
    @Controller(Website)
    class WebsiteController {
      constructor(readonly shop: Shop) {}
      @Reconcile() reconcile(): void {}
    }
    expect(await mistakeOf([WebsiteController], { services: [Shop, Stock] })).toEqual({
      code: 'circular-dependency',
      message: 'Shop: it needs itself (Shop -> Stock -> Shop); move the code that both need to a third class',
    });
  });

  it('creates a subclass with the parameters of the constructor that runs, and does not change the base class', async () => {
    const made: unknown[] = [];

    @Controller(Website)
    class Base {
      constructor(@ListerOf(Website) websites: Lister<Website>) {
        made.push(new.target.name, websites);
      }
      @Reconcile() reconcile(): void {}
    }

    @Controller(Website, { name: 'derived' })
    class Derived extends Base {}

    const { health } = await unconnectedManager([Base, Derived]);
    expect(made).toEqual(['Base', expect.any(Lister), 'Derived', expect.any(Lister)]);
    expect(health.controllers.map(({ name }) => name)).toEqual(['website', 'derived']);
  });

  it('creates separate instances for each manager', async () => {
    const made: object[] = [];
    @Controller(Website)
    class WebsiteController {
      constructor(prices: Prices) {
        made.push(prices);
      }
      @Reconcile() reconcile(): void {}
    }
    await unconnectedManager([WebsiteController], { services: [Prices] });
    await unconnectedManager([WebsiteController], { services: [Prices] });
    expect(made).toHaveLength(2);
    expect(made[0]).not.toBe(made[1]);
  });

  it('reports a service that is not listed', async () => {
    @Controller(Website)
    class WebsiteController {
      constructor(
        readonly client: Client,
        readonly prices: Prices,
      ) {}
      @Reconcile() reconcile(): void {}
    }
    expect(await mistakeOf([WebsiteController])).toEqual({
      code: 'parameter-not-injectable',
      message:
        'WebsiteController: parameter 2 of its constructor is a Prices, which is not provided; add Prices to `services`, or { provide: Prices, useClass: ... } if it is abstract',
    });
  });

  it('reports a parameter whose type does not exist at run time', async () => {
    interface Anything {
      a: 1;
    }
    @Controller(Website)
    class WebsiteController {
      constructor(readonly anything: Anything) {}
      @Reconcile() reconcile(): void {}
    }
    expect((await mistakeOf([WebsiteController])).message).toBe(
      'WebsiteController: parameter 1 of its constructor has an interface, a union, `any` or a class imported with "import type" as its type, which does not exist at run time; import the class without "type", use a class as its type, or write @Inject(theToken) before it',
    );
  });

  it('names the cause of a class that was imported as a type, for which tsc records a function', async () => {
    @Controller(Website)
    class WebsiteController {
      constructor(readonly dns: () => void) {}
      @Reconcile() reconcile(): void {}
    }
    expect((await mistakeOf([WebsiteController])).message).toBe(
      'WebsiteController: parameter 1 of its constructor has a function, or a class imported with "import type", as its type; import the class without "type", or write @Inject(theToken) before it',
    );
  });

  it('reports a parameter of a primitive type', async () => {
    @Controller(Website)
    class WebsiteController {
      constructor(readonly name: string) {}
      @Reconcile() reconcile(): void {}
    }
    expect((await mistakeOf([WebsiteController])).message).toBe(
      'WebsiteController: parameter 1 of its constructor is a String, which cannot be injected; use a class that contains it, or write @Inject(theToken) before it',
    );
  });

  it('reports a Lister without a kind', async () => {
    @Controller(Website)
    class WebsiteController {
      constructor(readonly websites: Lister<Website>) {}
      @Reconcile() reconcile(): void {}
    }
    expect((await mistakeOf([WebsiteController])).message).toBe(
      'WebsiteController: parameter 1 of its constructor is a Lister without a kind; write @ListerOf(YourKind) before it',
    );
  });

  it('rejects @ListerOf before a parameter that is not a Lister', async () => {
    @Controller(Website)
    class WebsiteController {
      // @ts-expect-error The compiler rejects it too.
      constructor(@ListerOf(Website) readonly websites: Prices) {}
      @Reconcile() reconcile(): void {}
    }
    expect(await mistakeOf([WebsiteController], { services: [Prices] })).toEqual({
      code: 'parameter-not-injectable',
      message:
        'WebsiteController: parameter 1 of its constructor has @ListerOf, but its type is Prices; write Lister<YourKind> as its type, or remove @ListerOf',
    });
  });

  it('rejects an index of a kind that is not cached', async () => {
    @Controller(Website)
    class A {
      @Reconcile() reconcile(): void {}
      @Index('image', Deployment) imageOf(deployment: Deployment): string | undefined {
        return deployment.spec?.template.spec?.containers[0]?.image;
      }
    }
    expect(await mistakeOf([A])).toEqual({
      code: 'kind-not-cached',
      message:
        'A.imageOf: @Index("image", Deployment): this controller does not reconcile, own or watch Deployment; add @Owns or @Watches for it',
    });
  });

  it('rejects a lister of a kind that is not cached', async () => {
    @Controller(Website)
    class A {
      constructor(@ListerOf(Deployment) readonly deployments: Lister<Deployment>) {}
      @Reconcile() reconcile(): void {}
    }
    @Controller(Website)
    class B {
      constructor(@ListerOf(ConfigMap) readonly maps: Lister<ConfigMap>) {}
      @Reconcile() reconcile(): void {}
      @Watches(Metadata(ConfigMap)) onMap(): ObjectKey[] {
        return [];
      }
    }
    expect(await mistakeOf([A])).toEqual({
      code: 'kind-not-cached',
      message:
        'A: @ListerOf at parameter 1 asks for Deployment, which no controller reconciles, owns or watches; add @Owns or @Watches for it, or read it with the Client',
    });
    expect((await mistakeOf([B])).message).toBe(
      'B: @ListerOf at parameter 1 asks for whole ConfigMap objects, but only their metadata is watched; write @ListerOf(Metadata(ConfigMap)), or read the objects with the Client',
    );
  });

  it('reports a service with parameters but no decorator', async () => {
    class Shop {
      constructor(readonly prices: Prices) {}
    }
    @Controller(Website)
    class WebsiteController {
      @Reconcile() reconcile(): void {}
    }
    expect((await mistakeOf([WebsiteController], { services: [Shop, Prices] })).message).toBe(
      'Shop: the compiler did not record the types of its constructor parameters, because the class has no decorator; add @injectable() of inversify above it',
    );
  });

  it('injects the inherited constructor of a subclass without a decorator', async () => {
    @injectable()
    abstract class Port {
      constructor(readonly prices: Prices) {}
    }
    class Adapter extends Port {}
    let made: Port | undefined;
    @Controller(Website)
    class WebsiteController {
      constructor(port: Port) {
        made = port;
      }
      @Reconcile() reconcile(): void {}
    }
    await unconnectedManager([WebsiteController], { services: [{ provide: Port, useClass: Adapter }, Prices] });
    expect(made).toBeInstanceOf(Adapter);
    expect(made?.prices).toBeInstanceOf(Prices);
  });

  it('needs no recorded types if each parameter has a decorator, as with tsx', async () => {
    const made: unknown[][] = [];
    // Decorators that are called as functions record the same as a compiler without the flag.
    class Shop {
      constructor(readonly prices: unknown) {}
    }
    inject(Prices)(Shop, undefined, 0);
    class Base {
      constructor(...values: unknown[]) {
        made.push(values);
      }
    }
    Inject(Shop)(Base, undefined, 0);
    Inject(Logger)(Base, undefined, 1);
    ListerOf(Website)(Base, undefined, 2);
    class WebsiteController extends Base {
      reconcile(): void {}
    }
    Reconcile()(WebsiteController.prototype, 'reconcile');
    Controller(Website)(WebsiteController);
    await unconnectedManager([WebsiteController], { services: [Shop, Prices] });
    expect(made).toEqual([[expect.any(Shop), expect.any(Logger), expect.any(Lister)]]);
    expect(made[0]?.[0]).toMatchObject({ prices: expect.any(Prices) });
  });

  it('reports a constructor of which only some parameters are known', async () => {
    class WebsiteController {
      constructor(
        readonly prices: Prices,
        readonly logger: Logger,
      ) {}
      reconcile(): void {}
    }
    Inject(Logger)(WebsiteController, undefined, 1);
    Reconcile()(WebsiteController.prototype, 'reconcile');
    Controller(Website)(WebsiteController);
    expect((await mistakeOf([WebsiteController], { services: [Prices] })).message).toMatch(
      /^WebsiteController: the compiler did not record .*; esbuild and tsx cannot record types, so write @Inject/,
    );
  });

  it('names the missing compiler flag if a decorated class has no metadata', async () => {
    // Decorators that are called as functions record the same as a compiler without the flag.
    class Shop {
      constructor(readonly prices: Prices) {}
    }
    injectable()(Shop);
    class WebsiteController {
      constructor(readonly shop: Shop) {}
      reconcile(): void {}
    }
    Reconcile()(WebsiteController.prototype, 'reconcile');
    Controller(Website)(WebsiteController);
    const { code, message } = await mistakeOf([WebsiteController], { services: [Shop, Prices] });
    expect(code).toBe('parameter-not-injectable');
    expect(message.split('\n')).toEqual(
      ['Shop', 'WebsiteController'].map(
        (name) =>
          `${name}: the compiler did not record the types of its constructor parameters, although the class has a decorator; set "emitDecoratorMetadata": true in its tsconfig.json, or jsc.transform.decoratorMetadata for swc; esbuild and tsx cannot record types, so write @Inject(TheClass) before each parameter there`,
      ),
    );
  });

  it('does not name the flag if only a method is decorated', async () => {
    class Shop {
      constructor(readonly prices: Prices) {}
      @postConstruct() open(): void {}
    }
    @Controller(Website)
    class WebsiteController {
      @Reconcile() reconcile(): void {}
    }
    const { message } = await mistakeOf([WebsiteController], { services: [Shop, Prices] });
    expect(message).toMatch(/^Shop: .* because the class has no decorator; add @injectable\(\) of inversify above it$/);
  });

  it('names the class whose constructor threw', async () => {
    @Controller(Website)
    class WebsiteController {
      constructor() {
        throw new Error('no database');
      }
      @Reconcile() reconcile(): void {}
    }
    const { code, message } = await mistakeOf([WebsiteController]);
    expect(code).toBe('class-not-constructible');
    expect(message).toMatch(
      /^WebsiteController could not be created: no database \(packages\/runtime\/src\/injection\/instances\.test\.ts:\d+\)$/,
    );
  });
});
