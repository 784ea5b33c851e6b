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

describe('a class whose declarations do not fit', () => {
  it('owns, but is no controller', async () => {
    @Owns(Deployment)
    class WebsiteController {
      @Reconcile() reconcile(): void {}
    }
    expect(await mistakeOf([WebsiteController])).toEqual({
      code: 'missing-controller',
      message: 'WebsiteController: the class has @Owns but no @Controller; add @Controller(YourKind) above it',
    });
  });

  it('watches, but is no controller', async () => {
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

  it('reconciles nowhere', async () => {
    @Controller(Website)
    class WebsiteController {}
    expect(await mistakeOf([WebsiteController])).toEqual({
      code: 'controller-without-reconcile',
      message:
        'WebsiteController: the class has @Controller(Website) but no @Reconcile; add @Reconcile() above the method that reconciles a Website',
    });
  });

  it('reconciles twice', async () => {
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

  it('controls or owns a class that is no kind', async () => {
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

  it('was given undefined by an import cycle', async () => {
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

  it('says the same twice', async () => {
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
  ])('has the name %j', async (name, message) => {
    @Controller(Website, { name })
    class WebsiteController {
      @Reconcile() reconcile(): void {}
    }
    expect(await mistakeOf([WebsiteController])).toEqual({ code: 'invalid-option', message });
  });

  it('asks for no worker', async () => {
    @Controller(Website)
    class WebsiteController {
      @Reconcile({ maxConcurrent: 0 }) reconcile(): void {}
    }
    expect((await mistakeOf([WebsiteController])).message).toBe(
      'WebsiteController.reconcile: maxConcurrent of @Reconcile is 0; use an integer of at least 1',
    );
  });

  it('would hold every Secret of the cluster', async () => {
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
        'WebsiteController: @Watches(Secret) on onSecret would hold every Secret of the cluster in memory; write @Watches(Metadata(Secret)) and read the few you need with the Client, select with { labels }, or say { wholeCluster: true } where that is meant',
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
        'SecretController: @Controller(Secret) would hold every Secret of the cluster in memory; give the manager `namespaces`, or `cache: [{ kind: Secret, labels }]`, or say @Controller(Secret, { wholeCluster: true }) where that is meant',
    });
    const plain = controllerFor(Secret).reconcile(() => {});
    expect((await mistakeOf([plain])).message.replace(/\(\/\S+:\d+\)/, '(place)')).toBe(
      'controllerFor(Secret) (place): controllerFor(Secret) would hold every Secret of the cluster in memory; give the manager `namespaces`, or `cache: [{ kind: Secret, labels }]`, or say controllerFor(Secret, { wholeCluster: true }) where that is meant',
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

  it('owns Secrets, of which it holds its own alone', async () => {
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

  it('has its decorators on static methods', async () => {
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
        'WebsiteController.onMap: it is declared, but an instance has no such method; list a class that implements it, and take the decorator off a property or a static method',
    });
  });
});

describe('a controller that', () => {
  it('has a namespace and owns what has none', async () => {
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

  it('declares a method that no instance has', async () => {
    @Controller(Website)
    class Base {
      @Reconcile() reconcile(): void {}
    }
    // What is left of an abstract method.
    Reflect.deleteProperty(Base.prototype, 'reconcile');
    expect(await mistakeOf([Base])).toEqual({
      code: 'class-not-constructible',
      message:
        'Base.reconcile: it is declared, but an instance has no such method; list a class that implements it, and take the decorator off a property or a static method',
    });
  });
});

describe('a list of classes', () => {
  @Controller(Website)
  class WebsiteController {
    @Reconcile() reconcile(): void {}
  }

  it.each<[string, unknown, string]>([
    [
      'undefined',
      [WebsiteController, undefined],
      '"controllers" has undefined in it: the module of that class had not run yet, which an import cycle does; move one of the two into a module of its own (number 2 of 2)',
    ],
    [
      'an instance',
      [new WebsiteController()],
      '"controllers" has an instance of WebsiteController in it; give the class, and it is made with what its constructor asks for (number 1 of 1)',
    ],
    [
      'a thunk',
      [() => WebsiteController],
      '"controllers" has the function () => ... in it; give the class itself (number 1 of 1)',
    ],
    [
      'a list',
      [[WebsiteController]],
      '"controllers" has a list in it; spread it, as in [...these, TheClass] (number 1 of 1)',
    ],
    [
      'a name',
      ['WebsiteController'],
      '"controllers" has a value of type string in it; give the class itself (number 1 of 1)',
    ],
    [
      'an options object',
      [{ kind: Website }],
      '"controllers" has an object in it; give the class itself (number 1 of 1)',
    ],
    [
      'a class twice',
      [WebsiteController, WebsiteController],
      '"controllers" has WebsiteController twice; take one out',
    ],
    ['no list', WebsiteController, '"controllers" is no list; give one, such as [TheClass]'],
    ['nothing', undefined, '"controllers" is missing; give a list, such as [TheController]'],
    [
      'what was begun and not ended',
      [controllerFor(Website)],
      '"controllers" has what controllerFor() gave; end it with .reconcile(...), which gives the controller (number 1 of 1)',
    ],
  ])('of controllers may not have %s', async (_, controllers, message) => {
    expect(await mistakeOf(controllers as AnyClass[])).toEqual({
      code: 'invalid-option',
      message: `createManager(): the option ${message}`,
    });
  });

  it('of services and of runnables is checked too', async () => {
    expect((await mistakeOf([], { services: [undefined as never] })).message).toMatch(/"services" has undefined in it/);
    expect((await mistakeOf([], { runnables: [{ start: async () => {} } as never] })).message).toBe(
      'createManager(): the option "runnables" has an object in it; give the class itself (number 1 of 1)',
    );
    await expect(
      unconnectedManager([], { runnables: [{ start: async () => {}, stop: async () => {} }] }),
    ).resolves.toBeDefined();
  });
});

describe('a kind whose decorator has no parentheses', () => {
  it('is told by what it lacks', async () => {
    // What a class decorator gives takes the place of the class.
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

describe('all mistakes that can be known together', () => {
  it('are told in one error', async () => {
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
      @Reconcile({ timeout: 'soon' }) reconcile(): void {}
    }
    class NoController {
      @Reconcile({ timeout: 'later' }) reconcile(): void {}
    }
    @injectable()
    class Service {
      constructor(_prices: Prices) {}
    }
    const { code, message } = await mistakeOf([Unlisted, Whole, Slow, NoController], {
      services: [Service],
      namespaces: undefined as never,
      validator: 7 as never,
      gracePeriod: 'a while',
      leaderElection: { name: 'web', renewDeadline: '1m' },
    });
    expect(code).toBe('invalid-option');
    expect(message.split('\n')).toEqual([
      expect.stringContaining('the option "validator" is no ObjectValidator'),
      expect.stringMatching(/^gracePeriod: "a while" is not a duration/),
      expect.stringContaining('renewDeadline (60000 ms) is not less than'),
      expect.stringMatching(/^Slow.reconcile: timeout of @Reconcile: "soon" is not a duration/),
      expect.stringMatching(/^NoController: the class has @Reconcile but no @Controller/),
      expect.stringMatching(/^NoController.reconcile: timeout of @Reconcile: "later" is not a duration/),
      expect.stringMatching(/^Whole: @Watches\(Secret\) on onSecret would hold every Secret of the cluster/),
      'Service: parameter 1 of its constructor is a Prices, which nobody provides; add Prices to `services`',
      'Unlisted: parameter 1 of its constructor is a Prices, which nobody provides; add Prices to `services`',
      expect.stringMatching(/^Unlisted: parameter 2 of its constructor is a String, which cannot be injected/),
      expect.stringMatching(/^Whole: @ListerOf at parameter 1 asks for Namespace, which no controller reconciles/),
    ]);
  });
});

describe('the options', () => {
  it.each([
    [{ leaderElecton: {} }, 'unknown option "leaderElecton"; did you mean "leaderElection"?'],
    [{ health: { adress: ':8081' } }, 'unknown option "health.adress"; did you mean "health.address"?'],
    [{ metrics: { tls: true } }, /^unknown option "metrics.tls"; it takes metrics.address, metrics.secure, /],
    [{ leaderElection: { name: 'x', leaseDurration: '3s' } }, /did you mean "leaderElection.leaseDuration"\?$/],
  ])('say of %j what was meant', async (options, message) => {
    const { code, message: said } = await mistakeOf([], options as Partial<ManagerOptions>);
    expect(code).toBe('unknown-option');
    expect(said.replace('createManager(): ', '')).toMatch(message);
    expect(said).toMatch(/^createManager\(\): /);
  });

  it('may be undefined, and stand beside what is meant for others', async () => {
    await expect(
      unconnectedManager([], { health: undefined, metrics: {}, killed: true } as never),
    ).resolves.toBeDefined();
  });
});

describe('controllers that do not fit together', () => {
  it('have one name', async () => {
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

  it('have two classes of one kind', async () => {
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

/** Any decorator makes the compiler record a constructor's parameters; this one does no more. */
