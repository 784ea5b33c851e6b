import { Client } from '@evenkeel/client';
import {
  type AnyClass,
  Clock,
  Controller,
  CustomResource,
  Index,
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

describe('injection', () => {
  it('gives a controller what the framework offers, listers and services, and those theirs', async () => {
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

  it('makes one instance of a service, whoever asks for it', async () => {
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

  it('refuses services that need each other', async () => {
    class Shop {}
    class Stock {}
    // What tsc records of two such classes; swc leaves Object for the one that comes later.
    Reflect.defineMetadata('design:paramtypes', [Stock], Shop);
    Reflect.defineMetadata('design:paramtypes', [Shop], Stock);
    @Controller(Website)
    class WebsiteController {
      constructor(readonly shop: Shop) {}
      @Reconcile() reconcile(): void {}
    }
    expect(await mistakeOf([WebsiteController], { services: [Shop, Stock] })).toEqual({
      code: 'class-not-constructible',
      message:
        'WebsiteController could not be made: Shop needs itself (WebsiteController -> Shop -> Stock -> Shop); take what both need into a third class',
    });
  });

  it('makes a subclass with the parameters of the constructor that runs, and leaves the base class alone', async () => {
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

  it('makes each manager its own instances', async () => {
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

  it('names a service that nobody provides', async () => {
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
        'WebsiteController: parameter 2 of its constructor is a Prices, which nobody provides; add Prices to `services`',
    });
  });

  it('names a parameter of which nothing is left at run time', async () => {
    interface Anything {
      a: 1;
    }
    @Controller(Website)
    class WebsiteController {
      constructor(readonly anything: Anything) {}
      @Reconcile() reconcile(): void {}
    }
    expect((await mistakeOf([WebsiteController])).message).toBe(
      'WebsiteController: parameter 1 of its constructor has an interface, a union or `any` as its type, of which nothing is left at run time; ask for a class',
    );
  });

  it('names a parameter that is a plain value', async () => {
    @Controller(Website)
    class WebsiteController {
      constructor(readonly name: string) {}
      @Reconcile() reconcile(): void {}
    }
    expect((await mistakeOf([WebsiteController])).message).toBe(
      'WebsiteController: parameter 1 of its constructor is a String, which cannot be injected; ask for a class that holds it',
    );
  });

  it('asks what a Lister is of', async () => {
    @Controller(Website)
    class WebsiteController {
      constructor(readonly websites: Lister<Website>) {}
      @Reconcile() reconcile(): void {}
    }
    expect((await mistakeOf([WebsiteController])).message).toBe(
      'WebsiteController: parameter 1 of its constructor is a Lister, but does not say of what; write @ListerOf(YourKind) before it',
    );
  });

  it('refuses an index of what is not cached', async () => {
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

  it('refuses a lister of what is not cached', async () => {
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
      'B: @ListerOf at parameter 1 asks for whole ConfigMap objects, of which only the metadata is watched; write @ListerOf(Metadata(ConfigMap)), or read them with the Client',
    );
  });

  it('says which service has parameters but no decorator', async () => {
    class Shop {
      constructor(readonly prices: Prices) {}
    }
    @Controller(Website)
    class WebsiteController {
      @Reconcile() reconcile(): void {}
    }
    expect((await mistakeOf([WebsiteController], { services: [Shop, Prices] })).message).toBe(
      'Shop: its constructor has parameters but the class has no decorator, so the compiler recorded nothing of them; add @injectable() of inversify above it',
    );
  });

  it('says which flag the compiler lacked that recorded nothing of a decorated class', async () => {
    // Decorators that are called as the functions that they are leave what a compiler without the flag leaves.
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
          `${name}: its constructor has parameters of which the compiler recorded nothing, although the class has a decorator; set "emitDecoratorMetadata": true in the tsconfig.json that it is compiled by, and for swc jsc.transform.decoratorMetadata; Node's own type stripping and esbuild cannot record them`,
      ),
    );
  });

  it('does not blame the flag where a method alone is decorated', async () => {
    class Shop {
      constructor(readonly prices: Prices) {}
      @postConstruct() open(): void {}
    }
    @Controller(Website)
    class WebsiteController {
      @Reconcile() reconcile(): void {}
    }
    const { message } = await mistakeOf([WebsiteController], { services: [Shop, Prices] });
    expect(message).toMatch(/^Shop: .* but the class has no decorator, .*; add @injectable\(\) of inversify above it$/);
  });

  it('says which constructor threw', async () => {
    @Controller(Website)
    class WebsiteController {
      constructor() {
        throw new Error('no database');
      }
      @Reconcile() reconcile(): void {}
    }
    const { code, message } = await mistakeOf([WebsiteController]);
    expect(code).toBe('class-not-constructible');
    expect(message).toMatch(/^WebsiteController could not be made: .*no database/s);
  });
});
