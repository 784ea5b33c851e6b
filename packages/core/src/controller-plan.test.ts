import type { Condition } from './condition.ts';
import { controllerMistakeText, planControllers } from './controller-plan.ts';
import { Conditions } from './decorators/conditions.ts';
import { Controller } from './decorators/controller.ts';
import { CustomResource } from './decorators/custom-resource.ts';
import { Index } from './decorators/index-by.ts';
import { Owns } from './decorators/owns.ts';
import { Reconcile } from './decorators/reconcile.ts';
import { Status } from './decorators/status.ts';
import { Watches } from './decorators/watches.ts';
import { KubernetesObject } from './kubernetes-object.ts';
import { Metadata } from './metadata.ts';
import type { ObjectKey } from './object-key.ts';

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
    @Controller(() => Site)
    @Owns(() => Page)
    class SiteController {
      @Reconcile({ maxConcurrent: 4, timeout: '1m' }) run(): void {}
      @Watches(Metadata(Page), { labels: { site: 'yes' } }) onPage(): ObjectKey[] {
        return [];
      }
      @Index('page') pages(): string {
        return '';
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
        name: 'site',
        hasStatus: true,
        hasConditions: true,
        owns: [{ kind: Page, resource: page, metadataOnly: false }],
        watches: [
          { kind: Page, resource: page, metadataOnly: true, labels: { site: 'yes' }, fields: {}, method: 'onPage' },
        ],
        indexes: [{ name: 'page', method: 'pages' }],
        reconcileMethod: 'run',
        maxConcurrent: 4,
        timeoutMs: 60_000,
      },
    ]);
  });

  it('tells every mistake of every class, and still plans the classes that have none', () => {
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
    const { plans, mistakes } = planControllers([Wrong, Forgotten, Sound]);
    expect(plans.map(({ name }) => name)).toEqual(['page']);
    expect(mistakes.map((mistake) => `${controllerMistakeText(mistake)} [${mistake.code}]`)).toEqual([
      'Wrong: @Controller: unknown option "nam"; did you mean "name"? [unknown-option]',
      'Wrong: @Reconcile stands on one and two; keep it on one method, the others can be called from there [controller-without-reconcile]',
      'Wrong: @Reconcile on one: unknown option "maxConcurent"; did you mean "maxConcurrent"? [unknown-option]',
      'Wrong.one: maxConcurrent of @Reconcile is 0.5; give a whole number from 1 [invalid-option]',
      "Wrong.one: timeout of @Reconcile: \"soon\" is not a duration; write milliseconds as a number, or a text such as '30s' or '1h30m' [invalid-duration]",
      'Wrong: @Owns names a class that is no kind: NoKind is used as a kind but has no @CustomResource; add @CustomResource({ group, version }) above the class [missing-custom-resource]',
      'Wrong: @Owns was given a function that throws (not yet); give a class, or a function that returns one [invalid-option]',
      'Wrong: @Watches on onPage: unknown option "label"; did you mean "labels"? [unknown-option]',
      'Forgotten: @Owns found, but the class has no @Controller; add @Controller(YourKind) above it [missing-controller]',
    ]);
  });

  it('tells controllers apart by name, and refuses two classes for one kind', () => {
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
      'B: it is named "site", and so is A; their logs, metrics and children could not be told apart: give one another name with @Controller(Kind, { name: "..." })',
      'B: Site and OtherSite both stand for sites.web.example.com; a manager has one class of a kind: use the same one everywhere',
    ]);
  });
});
