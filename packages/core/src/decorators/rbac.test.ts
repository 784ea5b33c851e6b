import {
  type AnyClass,
  Controller,
  CustomResource,
  controllerMistakeText,
  KubernetesObject,
  Metadata,
  planControllers,
  Rbac,
  Reconcile,
} from '../index.ts';
import { planRbac } from './rbac.ts';

@CustomResource({ group: 'example.com', version: 'v1', kind: 'Widget' })
class Widget extends KubernetesObject {}

@CustomResource({ group: 'example.com', version: 'v1', kind: 'Zone', scope: 'Cluster' })
class Zone extends KubernetesObject {}

function planned(declaring: AnyClass): ReturnType<typeof planRbac> {
  const mistakes: string[] = [];
  const rules = planRbac(declaring, ({ message }) => mistakes.push(message));
  expect(mistakes).toEqual([]);
  return rules;
}

/** What is said of an `@Rbac` of these arguments, which the compiler would refuse in part. */
function mistakesOf(...given: readonly unknown[]): string[] {
  const declare = Rbac as unknown as (...values: readonly unknown[]) => (target: object) => void;
  class Service {}
  declare(...given)(Service);
  const mistakes: string[] = [];
  expect(planRbac(Service, ({ message }) => mistakes.push(message))).toEqual([]);
  expect(mistakes.length).toBeGreaterThan(0);
  return mistakes;
}

describe('@Rbac', () => {
  it('says what is asked for, in the order of the source, of classes and of their members', () => {
    @Rbac(Widget, ['get'], { reason: 'looks at it', names: ['one'] })
    @Rbac('/metrics', ['get'])
    class Service {
      @Rbac(() => Zone, ['list'], { subresource: 'status' })
      zones(): void {}
    }
    expect(planned(Service)).toEqual([
      {
        target: { group: 'example.com', plural: 'widgets', namespaced: true },
        verbs: ['get'],
        subresource: undefined,
        names: ['one'],
        namespace: undefined,
        reason: 'looks at it',
      },
      expect.objectContaining({ target: { path: '/metrics' }, reason: '@Rbac on Service' }),
      expect.objectContaining({
        target: { group: 'example.com', plural: 'zones', namespaced: false },
        subresource: 'status',
        reason: '@Rbac on Service.zones',
      }),
    ]);
  });

  it('takes metadata, and resources without a class', () => {
    @Rbac(Metadata(Widget), ['watch'])
    @Rbac({ group: 'metrics.k8s.io', plural: 'pods' }, ['list'])
    @Rbac({ group: '', plural: 'nodes', namespaced: false }, ['list'])
    class Service {}
    expect(planned(Service).map(({ target }) => target)).toEqual([
      { group: 'example.com', plural: 'widgets', namespaced: true },
      { group: 'metrics.k8s.io', plural: 'pods', namespaced: true },
      { group: '', plural: 'nodes', namespaced: false },
    ]);
  });

  it('is inherited, and a member that is declared again brings its own', () => {
    @Rbac(Widget, ['get'])
    class Base {
      @Rbac(Widget, ['delete'])
      clean(): void {}
      @Rbac(Widget, ['create'])
      make(): void {}
    }
    @Rbac(Widget, ['list'])
    class Derived extends Base {
      @Rbac(Widget, ['deletecollection'])
      override clean(): void {}
    }
    const verbs = (declaring: AnyClass): string[] =>
      planned(declaring)
        .flatMap((rule) => rule.verbs)
        .sort();
    expect(verbs(Derived)).toEqual(['create', 'deletecollection', 'get', 'list']);
    expect(verbs(Base)).toEqual(['create', 'delete', 'get']);
  });

  it.each<[string, unknown[], string]>([
    ['an unknown verb', [Widget, ['lst']], '"lst" is no verb; did you mean "list"?'],
    ['apply', [Widget, ['apply']], "\"apply\" is no verb of RBAC's; an apply is 'patch', and 'create'"],
    ['read', [Widget, ['read']], "\"read\" is no verb; read is 'get', 'list' and 'watch'"],
    ['every verb', [Widget, ['*']], '"*" is no verb to ask for: it is all of them'],
    ['a verb that is no text', [Widget, [7]], '7 is no verb; they are get, list'],
    ['no verbs', [Widget, []], "its verbs are []; list at least one, such as ['get']"],
    ['verbs that are no list', [Widget, 'get'], 'its verbs are "get"; list at least one'],
    ['a verb of resources on a path', ['/metrics', ['list']], '"list" is no verb; they are get, head'],
    ['an unknown option', [Widget, ['get'], { name: ['x'] }], 'unknown option "name"; did you mean "names"?'],
    ['an empty list of names', [Widget, ['get'], { names: [] }], 'names is empty, which RBAC takes for all'],
    ['names that are none', [Widget, ['get'], { names: ['*'] }], 'names are ["*"]; give a list of names of objects'],
    ['names of what is to be created', [Widget, ['create'], { names: ['x'] }], 'create cannot be limited to names'],
    ['a subresource that is a path', [Widget, ['get'], { subresource: 'status/x' }], 'subresource is "status/x"'],
    ['every subresource', [Widget, ['get'], { subresource: '*' }], 'subresource is "*"'],
    ['an empty namespace', [Widget, ['get'], { namespace: '' }], 'namespace is ""; give the name of one'],
    ['a namespace of what has none', [Zone, ['get'], { namespace: 'x' }], 'namespace is given, but zones have none'],
    ['names of a path', ['/metrics', ['get'], { names: ['x'] }], 'names is given, but /metrics is a path'],
    ['a path that is none', ['metrics', ['get']], '"metrics" is no path; give a kind, or a path such as'],
    ['every resource', [{ group: 'apps', plural: '*' }, ['get']], 'a role with everything is written by hand'],
    ['a class that is no kind', [class Thing {}, ['get']], 'it names a class that is no kind: Thing is used as a kind'],
    ['what an import cycle leaves', [undefined, ['get']], 'it was given undefined: give a kind; where its module'],
    ['a function that gives nothing', [() => undefined, ['get']], 'it was given a function that returns undefined'],
    ['a reason of two lines', [Widget, ['get'], { reason: 'a\n- b' }], 'reason is "a\\n- b"; give one line of text'],
  ])('refuses %s', (_what, given, message) => {
    expect(mistakesOf(...given).join('\n')).toContain(message);
  });

  it('tells every mistake of a controller, with its member, and of no other', () => {
    @Controller(Widget)
    @Rbac(Widget, ['gett' as 'get'])
    class WidgetController {
      @Rbac(Widget, [])
      @Reconcile()
      reconcile(): void {}
    }
    const { plans, mistakes } = planControllers([WidgetController]);
    expect(plans).toEqual([]);
    expect(mistakes.map(controllerMistakeText).sort()).toEqual([
      "WidgetController.reconcile: @Rbac on reconcile: its verbs are []; list at least one, such as ['get']",
      'WidgetController: @Rbac: "gett" is no verb; did you mean "get"?',
    ]);
  });
});
