import { controllerMistakeText } from '../declarations/controller-mistake.ts';
import { Channel } from '../decorators/channel.ts';
import { Conditions } from '../decorators/conditions.ts';
import { Controller } from '../decorators/controller.ts';
import { CustomResource } from '../decorators/custom-resource.ts';
import { Every } from '../decorators/every.ts';
import { Finalizer } from '../decorators/finalizer.ts';
import { Index } from '../decorators/index-by.ts';
import { Owns } from '../decorators/owns.ts';
import { Reconcile } from '../decorators/reconcile.ts';
import { Status } from '../decorators/status.ts';
import { Watches } from '../decorators/watches.ts';
import { Metadata } from '../kind/metadata.ts';
import type { Condition } from '../object/condition.ts';
import { KubernetesObject } from '../object/kubernetes-object.ts';
import type { ObjectKey } from '../object/object-key.ts';
import { planControllers } from './plan-controllers.ts';

class SiteStatus {
  @Conditions() conditions?: Condition[];
}

@CustomResource({ group: 'web.example.com', version: 'v1' })
class Site extends KubernetesObject {
  @Status() status!: SiteStatus;
}

@CustomResource({ group: 'web.example.com', version: 'v1' })
class Page extends KubernetesObject {}

class NoKind extends KubernetesObject {}

describe('planControllers', () => {
  it('resolves everything a controller declares', () => {
    const all = (): boolean => true;
    @Controller(() => Site, { predicates: [all], acrossNamespaces: true })
    @Owns(() => Page, { predicates: [all] })
    class SiteController {
      @Every('10m') @Reconcile({ maxConcurrent: 4, timeout: '1m' }) run(): void {}
      @Finalizer('example.com/late', { order: 2 }) late(): void {}
      @Finalizer('example.com/first', { order: -1 }) first(): void {}
      @Finalizer('example.com/also-late', { order: 2 }) alsoLate(): void {}
      @Channel() async *payments(): AsyncGenerator<ObjectKey> {}
      @Watches(Metadata(Page), { labels: { site: 'yes' }, predicates: [all] }) onPage(): ObjectKey[] {
        return [];
      }
      @Index('page') pages(): string {
        return '';
      }
      @Index('page', Page) ofPage(page: Page): string {
        return page.metadata.name;
      }
      @Index('page', Metadata(Page)) ofMetadata(page: Metadata<Page>): string[] {
        return [page.metadata.name];
      }
    }
    const { plans, mistakes } = planControllers([SiteController]);
    expect(mistakes).toEqual([]);
    const site = { group: 'web.example.com', version: 'v1', kind: 'Site', plural: 'sites', namespaced: true };
    const page = { ...site, kind: 'Page', plural: 'pages' };
    expect(plans).toEqual([
      {
        kind: Site,
        resource: site,
        controllerClass: SiteController,
        cached: [
          { kind: Site, resource: site, metadataOnly: false },
          { kind: Page, resource: page, metadataOnly: false },
          { kind: Page, resource: page, metadataOnly: true },
        ],
        name: 'site',
        hasStatus: true,
        predicates: [all],
        acrossNamespaces: true,
        adopt: false,
        wholeCluster: false,
        owns: [{ kind: Page, resource: page, metadataOnly: false, predicates: [all] }],
        watches: [
          {
            kind: Page,
            resource: page,
            metadataOnly: true,
            labels: { site: 'yes' },
            fields: {},
            wholeCluster: false,
            predicates: [all],
            method: 'onPage',
          },
        ],
        indexes: [
          { kind: Site, resource: site, metadataOnly: false, name: 'page', method: 'pages' },
          { kind: Page, resource: page, metadataOnly: false, name: 'page', method: 'ofPage' },
          { kind: Page, resource: page, metadataOnly: true, name: 'page', method: 'ofMetadata' },
        ],
        finalizers: [
          { name: 'example.com/first', method: 'first' },
          { name: 'example.com/late', method: 'late' },
          { name: 'example.com/also-late', method: 'alsoLate' },
        ],
        rbac: [],
        channels: ['payments'],
        periodMs: 600_000,
        reconcileMethod: 'run',
        maxConcurrent: 4,
        timeoutMs: 60_000,
      },
    ]);
  });

  it('reports all mistakes of all classes, and plans the classes without mistakes', () => {
    @Controller(Site, { nam: 'x' } as object)
    @Owns(NoKind)
    @Owns(() => {
      throw new Error('not yet');
    })
    class Wrong {
      @Reconcile({ maxConcurent: 2, maxConcurrent: 0.5, timeout: 'soon' } as object) one(): void {}
      @Reconcile() two(): void {}
      @Watches(Page, { label: {} } as object) onPage(): ObjectKey[] {
        return [];
      }
    }
    @Owns(Page)
    class Forgotten {}
    @Controller(Page)
    class Sound {
      @Reconcile() run(): void {}
    }
    @Controller(Page, { name: 'hasty' })
    class Hasty {
      @Every('0s')
      @Reconcile({ timeout: '0' })
      run(): void {}
    }
    const { plans, mistakes } = planControllers([Wrong, Forgotten, Sound, Hasty]);
    expect(plans.map(({ name }) => name)).toEqual(['page']);
    expect(mistakes.map((mistake) => `${controllerMistakeText(mistake)} [${mistake.code}]`)).toEqual([
      'Wrong: @Controller: unknown option "nam"; did you mean "name"? [unknown-option]',
      'Wrong: @Reconcile is on one and two; keep it on one method and call the others from there [controller-without-reconcile]',
      'Wrong: @Reconcile on one: unknown option "maxConcurent"; did you mean "maxConcurrent"? [unknown-option]',
      'Wrong.one: maxConcurrent of @Reconcile is 0.5; use an integer of at least 1 [invalid-option]',
      'Wrong.one: timeout of @Reconcile: "soon" is not a duration; write a number and its unit, such as 250ms, 30s, 5m or 1h30m [invalid-duration]',
      'Wrong: @Owns: NoKind is used as a kind but has no @CustomResource; add @CustomResource({ group, version }) above the class [missing-custom-resource]',
      'Wrong: the kind of @Owns is a function that throws (not yet); pass a class, or a function that returns one [invalid-option]',
      'Wrong: @Watches on onPage: unknown option "label"; did you mean "labels"? [unknown-option]',
      'Forgotten: the class has @Owns but no @Controller; add @Controller(YourKind) above it [missing-controller]',
      'Hasty.run: timeout of @Reconcile is 0; use a longer timeout, or remove it [invalid-option]',
      'Hasty.run: the period of @Every is 0s; use at least 1s [invalid-option]',
    ]);
  });

  it.each([
    ['example.com/', 'an empty name'],
    ['/dns', 'an empty domain'],
    ['dns', 'no domain'],
    ['Example.com/dns', 'upper-case letters in the domain'],
    ['example.com/dns/record', 'two slashes'],
    [`example.com/${'a'.repeat(64)}`, 'a name that is too long'],
    ['example.com/-dns', 'a name that starts with a hyphen'],
  ])('rejects the finalizer %s: %s', (name) => {
    @Controller(Site)
    class A {
      @Reconcile() run(): void {}
      @Finalizer(name as 'a/b') clean(): void {}
    }
    expect(planControllers([A]).mistakes.map(controllerMistakeText)).toEqual([
      `A.clean: invalid finalizer name ${JSON.stringify(name)}; use your domain and a name of at most 63 letters, digits, "-", "_" and ".", such as "example.com/dns-record"`,
    ]);
  });

  it('rejects invalid finalizers, periods and predicates', () => {
    @Controller(Site, { predicates: [undefined as never] })
    class A {
      @Reconcile() run(): void {}
      @Finalizer('example.com/one', { order: Number.NaN }) one(): void {}
      @Finalizer('example.com/one', { ordre: 1 } as object) two(): void {}
      @Every('10m') elsewhere(): void {}
    }
    @Controller(Site, { name: 'b' })
    class B {
      @Every('10ms') @Reconcile() run(): void {}
    }
    @Controller(Site, { name: 'c' })
    class C {
      @Every('often' as '1s') @Reconcile({ timeout: 60 as unknown as '60s' }) run(): void {}
    }
    expect(planControllers([A, B, C]).mistakes.map(controllerMistakeText)).toEqual([
      'A: predicates of @Controller is not a list of functions; pass a list, such as [generationChanged]',
      'A.one: order of @Finalizer is NaN; use a number',
      'A: @Finalizer on two: unknown option "ordre"; did you mean "order"?',
      'A: @Finalizer("example.com/one") is on one and two; give each finalizer a different name',
      'A: @Every is on elsewhere; use it once, on the method with @Reconcile',
      'B.run: the period of @Every is 10ms; use at least 1s',
      "C.run: timeout of @Reconcile: 60 has no unit; write '60s' for seconds, or '60ms' for milliseconds",
      'C.run: @Every: "often" is not a duration; write a number and its unit, such as 250ms, 30s, 5m or 1h30m',
    ]);
  });

  it('rejects the same finalizer name in two controllers of a kind, and allows it for another kind', () => {
    @Controller(Site)
    class A {
      @Reconcile() run(): void {}
      @Finalizer('example.com/dns') clean(): void {}
    }
    @Controller(Site, { name: 'b' })
    class B {
      @Reconcile() run(): void {}
      @Finalizer('example.com/dns') tidy(): void {}
    }
    @Controller(Page)
    class C {
      @Reconcile() run(): void {}
      @Finalizer('example.com/dns') clean(): void {}
    }
    expect(planControllers([A, B, C]).mistakes.map(controllerMistakeText)).toEqual([
      'B.tidy: @Finalizer("example.com/dns") is already used by A for the same kind; give each finalizer a different name',
    ]);
  });

  it('rejects two controllers with the same name, and two classes for one kind', () => {
    @CustomResource({ group: 'web.example.com', version: 'v1', kind: 'Site' })
    class OtherSite extends KubernetesObject {}
    @Controller(Site)
    class A {
      @Reconcile() run(): void {}
    }
    @Controller(OtherSite)
    class B {
      @Reconcile() run(): void {}
    }
    const { mistakes } = planControllers([A, B]);
    expect(mistakes.map(controllerMistakeText)).toEqual([
      'B: the controller name "site" is already used by A, so their logs, metrics and children cannot be distinguished; rename one with @Controller(Kind, { name: "..." })',
      'B: Site and OtherSite are both classes of sites.web.example.com, but a manager can have only one class for each kind; use the same class everywhere',
    ]);
  });
});
