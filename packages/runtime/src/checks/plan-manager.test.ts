import {
  type AnyClass,
  Controller,
  CustomResource,
  Index,
  KubernetesObject,
  ListerOf,
  Metadata,
  type ObjectKey,
  Owns,
  Reconcile,
  Spec,
  type Transport,
  Watches,
} from '@evenkeel/core';
import { ClusterRole, ConfigMap, Deployment, Namespace, Secret } from '@evenkeel/kinds';
import { injectable } from 'inversify';
import { controllerFor } from '../builder/controller-for.ts';
import { Lister } from '../cache/index.ts';
import { mistakeOf, unconnectedManager } from '../manager/unconnected-manager.fixture.ts';
import type { ManagerOptions } from '../options/manager-options.ts';

@CustomResource({ group: 'web.example.com', version: 'v1' })
class Website extends KubernetesObject {
  @Spec() spec!: object;
}

@CustomResource({ group: 'web.example.com', version: 'v1', kind: 'Website' })
class OtherWebsite extends KubernetesObject {}

class NoKind extends KubernetesObject {}

describe('planManager() rejects a class that', () => {
  it('has @Owns but no @Controller', async () => {
    @Owns(Deployment)
    class WebsiteController {
      @Reconcile() reconcile(): void {}
    }
    expect(await mistakeOf([WebsiteController])).toEqual({
      code: 'missing-controller',
      message: 'WebsiteController: the class has @Owns but no @Controller; add @Controller(YourKind) above it',
    });
  });

  it('has @Watches but no @Controller', async () => {
    class WebsiteController {
      @Watches(Metadata(ConfigMap)) onMap(): ObjectKey[] {
        return [];
      }
    }
    expect(await mistakeOf([WebsiteController])).toEqual({
      code: 'missing-controller',
      message: 'WebsiteController: the class has @Watches but no @Controller; add @Controller(YourKind) above it',
    });
  });

  it('has no decorator at all', async () => {
    class WebsiteController {}
    expect(await mistakeOf([WebsiteController])).toEqual({
      code: 'missing-controller',
      message:
        'WebsiteController: the class is listed as a controller but has no @Controller; add @Controller(YourKind) above it',
    });
  });

  it('has no @Reconcile', async () => {
    @Controller(Website)
    class WebsiteController {}
    expect(await mistakeOf([WebsiteController])).toEqual({
      code: 'controller-without-reconcile',
      message:
        'WebsiteController: the class has @Controller(Website) but no @Reconcile; add @Reconcile() above the method that reconciles a Website',
    });
  });

  it('has @Reconcile twice', async () => {
    @Controller(Website)
    class WebsiteController {
      @Reconcile() one(): void {}
      @Reconcile() two(): void {}
    }
    expect(await mistakeOf([WebsiteController])).toEqual({
      code: 'controller-without-reconcile',
      message: 'WebsiteController: @Reconcile is on one and two; keep it on one method and call the others from there',
    });
  });

  it('reconciles or owns a class that is not a kind', async () => {
    @Controller(NoKind)
    class A {
      @Reconcile() reconcile(): void {}
    }
    @Controller(Website)
    @Owns(NoKind)
    class B {
      @Reconcile() reconcile(): void {}
    }
    expect((await mistakeOf([A])).message).toBe(
      'A: @Controller: NoKind is used as a kind but has no @CustomResource; add @CustomResource({ group, version }) above the class',
    );
    expect(await mistakeOf([B])).toEqual({
      code: 'missing-custom-resource',
      message:
        'B: @Owns: NoKind is used as a kind but has no @CustomResource; add @CustomResource({ group, version }) above the class',
    });
  });

  it('got an undefined class because of an import cycle', async () => {
    @Controller(Website)
    @Owns(undefined as never)
    class WebsiteController {
      @Reconcile() reconcile(): void {}
    }
    expect(await mistakeOf([WebsiteController])).toEqual({
      code: 'invalid-option',
      message:
        'WebsiteController: the kind of @Owns is undefined, because an import cycle used the class before it was defined; pass a function instead, such as () => TheClass',
    });
  });

  it('has the same declaration twice', async () => {
    @Controller(Website)
    @Owns(Deployment)
    @Owns(Deployment)
    class A {
      @Reconcile() reconcile(): void {}
    }
    @Controller(Website)
    class B {
      @Reconcile() reconcile(): void {}
      @Index('page') one(): string {
        return '';
      }
      @Index('page') two(): string {
        return '';
      }
    }
    expect((await mistakeOf([A])).message).toBe('A: @Owns(Deployment) is declared twice; remove one of them');
    expect((await mistakeOf([B])).message).toBe(
      'B: @Index("page") is on one and two; give each index a different name',
    );
  });

  it.each([
    ['Web', 'WebsiteController: invalid controller name "Web"; use at most 63 lower-case letters, digits, "-" and "."'],
    [
      '-web',
      'WebsiteController: invalid controller name "-web"; use at most 63 lower-case letters, digits, "-" and "."',
    ],
  ])('has the invalid name %j', async (name, message) => {
    @Controller(Website, { name })
    class WebsiteController {
      @Reconcile() reconcile(): void {}
    }
    expect(await mistakeOf([WebsiteController])).toEqual({ code: 'invalid-option', message });
  });

  it('has no worker', async () => {
    @Controller(Website)
    class WebsiteController {
      @Reconcile({ maxConcurrent: 0 }) reconcile(): void {}
    }
    expect((await mistakeOf([WebsiteController])).message).toBe(
      'WebsiteController.reconcile: maxConcurrent of @Reconcile is 0; use an integer of at least 1',
    );
  });

  it('would cache every Secret of the cluster', async () => {
    @Controller(Website)
    class WebsiteController {
      @Reconcile() reconcile(): void {}
      @Watches(Secret) onSecret(): ObjectKey[] {
        return [];
      }
    }
    expect(await mistakeOf([WebsiteController])).toEqual({
      code: 'whole-cluster-watch',
      message:
        'WebsiteController: @Watches(Secret) on onSecret would cache every Secret of the cluster in memory; write @Watches(Metadata(Secret)) and read the few objects that you need with the Client, select with { labels }, or set { wholeCluster: true } to allow it',
    });
    await expect(unconnectedManager([WebsiteController], { namespaces: ['default'] })).resolves.toBeDefined();
    @Controller(Website)
    class KnowingController {
      @Reconcile() reconcile(): void {}
      @Watches(Secret, { wholeCluster: true }) onSecret(): ObjectKey[] {
        return [];
      }
    }
    await expect(unconnectedManager([KnowingController])).resolves.toBeDefined();
  });

  it('would reconcile every Secret of the cluster', async () => {
    @Controller(Secret)
    class SecretController {
      constructor(@ListerOf(Secret) readonly secrets: Lister<Secret>) {}
      @Reconcile() reconcile(): void {}
      @Index('type') typeOf({ type }: Secret): string | undefined {
        return type;
      }
    }
    expect(await mistakeOf([SecretController])).toEqual({
      code: 'whole-cluster-watch',
      message:
        'SecretController: @Controller(Secret) would cache every Secret of the cluster in memory; pass `namespaces` or `cache: [{ kind: Secret, labels }]` to the manager, or write @Controller(Secret, { wholeCluster: true }) to allow it',
    });
    const plain = controllerFor(Secret).reconcile(() => {});
    expect((await mistakeOf([plain])).message.replace(/\(\/\S+:\d+\)/, '(place)')).toBe(
      'controllerFor(Secret) (place): controllerFor(Secret) would cache every Secret of the cluster in memory; pass `namespaces` or `cache: [{ kind: Secret, labels }]` to the manager, or write controllerFor(Secret, { wholeCluster: true }) to allow it',
    );
    for (const narrowed of [
      { namespaces: ['default'] },
      { cache: [{ kind: Secret, labels: { team: 'red' } }] },
      { cache: [{ kind: Secret, fields: { type: 'Opaque' } }] },
      { cache: [{ kind: Secret, namespaces: ['default'] }] },
    ]) {
      await expect(unconnectedManager([SecretController], narrowed)).resolves.toBeDefined();
      await expect(unconnectedManager([plain], narrowed)).resolves.toBeDefined();
    }
    await expect(
      unconnectedManager([controllerFor(Secret, { wholeCluster: true }).reconcile(() => {})]),
    ).resolves.toBeDefined();
  });

  it('owns Secrets, except that it caches only its own', async () => {
    @Controller(Website)
    @Owns(Secret)
    class WebsiteController {
      constructor(@ListerOf(Secret) readonly secrets: Lister<Secret>) {}
      @Reconcile() reconcile(): void {}
      @Index('type', Secret) typeOf({ type }: Secret): string | undefined {
        return type;
      }
    }
    const asked: string[] = [];
    const transport: Transport = {
      request: ({ path }) => {
        asked.push(decodeURIComponent(path));
        return Promise.reject(new Error('no answer'));
      },
      close: async () => {},
    };
    const owning = await unconnectedManager([WebsiteController], { transport });
    await owning.start();
    await owning.stop();
    const ofSecrets = asked.filter((path) => path.includes('/secrets'));
    expect(ofSecrets.length).toBeGreaterThan(0);
    for (const path of ofSecrets) expect(path).toContain('labelSelector=evenkeel.dev/controller=website');
  });

  it('has decorators on static methods', async () => {
    @Controller(Website)
    class WebsiteController {
      @Reconcile() reconcile(): void {}
      @Watches(Metadata(ConfigMap)) static onMap(): ObjectKey[] {
        return [];
      }
    }
    expect(await mistakeOf([WebsiteController])).toEqual({
      code: 'class-not-constructible',
      message:
        'WebsiteController.onMap: it has a decorator, but the instance has no such method; list a class that implements the method, and do not decorate properties or static methods',
    });
  });
});

describe('planManager() rejects a controller that', () => {
  it('reconciles a namespaced kind and owns a cluster-scoped one', async () => {
    @Controller(Website)
    @Owns(ClusterRole)
    class WebsiteController {
      @Reconcile() reconcile(): void {}
    }
    expect(await mistakeOf([WebsiteController])).toEqual({
      code: 'owner-reference-refused',
      message:
        'WebsiteController: @Owns(ClusterRole): a namespaced Website cannot own a cluster-scoped ClusterRole (the garbage collector would delete it); write it with context.client and { acrossNamespaces: true }, and delete it in a finalizer',
    });
    @Controller(Namespace)
    @Owns(ClusterRole)
    @Owns(Deployment)
    class NamespaceController {
      @Reconcile() reconcile(): void {}
    }
    await expect(unconnectedManager([NamespaceController])).resolves.toBeDefined();
  });

  it('has a decorated method that its instance does not have', async () => {
    @Controller(Website)
    class Base {
      @Reconcile() reconcile(): void {}
    }
    // An abstract method after compilation.
    Reflect.deleteProperty(Base.prototype, 'reconcile');
    expect(await mistakeOf([Base])).toEqual({
      code: 'class-not-constructible',
      message:
        'Base.reconcile: it has a decorator, but the instance has no such method; list a class that implements the method, and do not decorate properties or static methods',
    });
  });
});

describe('planManager() with a list of classes', () => {
  @Controller(Website)
  class WebsiteController {
    @Reconcile() reconcile(): void {}
  }

  it.each<[string, unknown, string]>([
    [
      'undefined',
      [WebsiteController, undefined],
      '"controllers" is invalid: entry 2 of 2 is undefined, because an import cycle used the class before it was defined; move one of the two classes to its own module',
    ],
    [
      'an instance',
      [new WebsiteController()],
      '"controllers" is invalid: entry 1 of 1 is an instance of WebsiteController; pass the class, and the manager creates the instance',
    ],
    [
      'a function',
      [() => WebsiteController],
      '"controllers" is invalid: entry 1 of 1 is the function () => ...; pass the class itself',
    ],
    [
      'a nested list',
      [[WebsiteController]],
      '"controllers" is invalid: entry 1 of 1 is a list; spread it, as in [...these, TheClass]',
    ],
    ['a name', ['WebsiteController'], '"controllers" is invalid: entry 1 of 1 is a string; pass the class itself'],
    [
      'an options object',
      [{ kind: Website }],
      '"controllers" is invalid: entry 1 of 1 is an object; pass the class itself',
    ],
    [
      'a class twice',
      [WebsiteController, WebsiteController],
      '"controllers" contains WebsiteController twice; remove one of them',
    ],
    ['a class instead of a list', WebsiteController, '"controllers" is not a list; pass a list, such as [TheClass]'],
    ['a missing list', undefined, '"controllers" is missing; pass a list, such as [TheController]'],
    [
      'an unfinished controllerFor()',
      [controllerFor(Website)],
      '"controllers" is invalid: entry 1 of 1 is an unfinished controllerFor(); end it with .reconcile(...), which returns the controller',
    ],
  ])('rejects %s as controllers', async (_, controllers, message) => {
    expect(await mistakeOf(controllers as AnyClass[])).toEqual({
      code: 'invalid-option',
      message: `createManager(): the option ${message}`,
    });
  });

  it('checks services and runnables too', async () => {
    expect((await mistakeOf([], { services: [undefined as never] })).message).toMatch(
      /"services" is invalid: entry 1 of 1 is undefined/,
    );
    expect((await mistakeOf([], { runnables: [{ start: async () => {} } as never] })).message).toBe(
      'createManager(): the option "runnables" is invalid: entry 1 of 1 is an object; pass the class itself',
    );
    await expect(
      unconnectedManager([], { runnables: [{ start: async () => {}, stop: async () => {} }] }),
    ).resolves.toBeDefined();
  });
});

describe('planManager() with a kind decorator without parentheses', () => {
  it('names the missing arguments', async () => {
    // The result of a class decorator replaces the class.
    class Greeting extends KubernetesObject {}
    const replaced = CustomResource(Greeting as never) as never;
    @Controller(replaced)
    class GreetingController {
      @Reconcile() reconcile(): void {}
    }
    expect(await mistakeOf([GreetingController])).toEqual({
      code: 'decorator-not-called',
      message:
        'GreetingController: @Controller: Greeting: @CustomResource has no effect without parentheses; write @CustomResource({ group, version })',
    });
  });
});

describe('planManager() with several mistakes', () => {
  it('reports all of them in one error', async () => {
    @injectable()
    class Prices {}
    @Controller(Website)
    class Unlisted {
      constructor(_prices: Prices, _name: string) {}
      @Reconcile() reconcile(): void {}
    }
    @Controller(Website, { name: 'whole' })
    class Whole {
      constructor(
        @ListerOf(Namespace) _namespaces: Lister<Namespace>,
        @ListerOf(Deployment) _known: Lister<Deployment>,
      ) {}
      @Reconcile() reconcile(): void {}
      @Watches(Secret) onSecret(): ObjectKey[] {
        return [];
      }
    }
    @Controller(Website, { name: 'slow' })
    @Owns(Deployment)
    class Slow {
      @Reconcile({ timeout: 'soon' as '1s' }) reconcile(): void {}
    }
    class NoController {
      @Reconcile({ timeout: 'later' as '1s' }) reconcile(): void {}
    }
    @injectable()
    class Service {
      constructor(_prices: Prices) {}
    }
    const { code, message } = await mistakeOf([Unlisted, Whole, Slow, NoController], {
      services: [Service],
      namespaces: undefined as never,
      validator: 7 as never,
      gracePeriod: 'a while' as '1s',
      leaderElection: { name: 'web', renewDeadline: '1m' },
    });
    expect(code).toBe('invalid-option');
    expect(message.split('\n')).toEqual([
      expect.stringContaining('the option "validator" is not an ObjectValidator'),
      expect.stringContaining('renewDeadline (60000 ms) is not less than'),
      expect.stringMatching(/^gracePeriod: "a while" is not a duration/),
      expect.stringMatching(/^Slow.reconcile: timeout of @Reconcile: "soon" is not a duration/),
      expect.stringMatching(/^NoController: the class has @Reconcile but no @Controller/),
      expect.stringMatching(/^NoController.reconcile: timeout of @Reconcile: "later" is not a duration/),
      expect.stringMatching(/^Whole: @Watches\(Secret\) on onSecret would cache every Secret of the cluster/),
      'Service: parameter 1 of its constructor is a Prices, which is not provided; add Prices to `services`, or { provide: Prices, useClass: ... } if it is abstract',
      'Unlisted: parameter 1 of its constructor is a Prices, which is not provided; add Prices to `services`, or { provide: Prices, useClass: ... } if it is abstract',
      expect.stringMatching(/^Unlisted: parameter 2 of its constructor is a String, which cannot be injected/),
      expect.stringMatching(/^Whole: @ListerOf at parameter 1 asks for Namespace, which no controller reconciles/),
    ]);
  });
});

describe('createManager() with unknown options', () => {
  it.each([
    [{ leaderElecton: {} }, 'unknown option "leaderElecton"; did you mean "leaderElection"?'],
    [{ health: { adress: ':8081' } }, 'unknown option "health.adress"; did you mean "health.address"?'],
    [{ metrics: { tls: true } }, /^unknown option "metrics.tls"; use one of metrics.address, metrics.secure, /],
    [{ leaderElection: { name: 'x', leaseDurration: '3s' } }, /did you mean "leaderElection.leaseDuration"\?$/],
  ])('names the correct option for %j', async (options, message) => {
    const { code, message: actual } = await mistakeOf([], options as Partial<ManagerOptions>);
    expect(code).toBe('unknown-option');
    expect(actual.replace('createManager(): ', '')).toMatch(message);
    expect(actual).toMatch(/^createManager\(\): /);
  });

  it('accepts undefined options, and properties of other functions', async () => {
    await expect(
      unconnectedManager([], { health: undefined, metrics: {}, killed: true } as never),
    ).resolves.toBeDefined();
  });
});

describe('planManager() rejects controllers that', () => {
  it('have the same name', async () => {
    @Controller(Website)
    class A {
      @Reconcile() reconcile(): void {}
    }
    @Controller(Deployment, { name: 'website' })
    class B {
      @Reconcile() reconcile(): void {}
    }
    expect(await mistakeOf([A, B])).toEqual({
      code: 'duplicate-declaration',
      message:
        'B: the controller name "website" is already used by A, so their logs, metrics and children cannot be distinguished; rename one with @Controller(Kind, { name: "..." })',
    });
  });

  it('use two classes of one kind', async () => {
    @Controller(Website)
    class A {
      @Reconcile() reconcile(): void {}
    }
    @Controller(Deployment)
    @Owns(OtherWebsite)
    class B {
      @Reconcile() reconcile(): void {}
    }
    expect(await mistakeOf([A, B])).toEqual({
      code: 'duplicate-declaration',
      message:
        'B: Website and OtherWebsite are both classes of websites.web.example.com, but a manager can have only one class for each kind; use the same class everywhere',
    });
  });
});

/** Does nothing, but any decorator makes the compiler record the parameters of the constructor. */
