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

/** The mistakes reported for an `@Rbac` with these arguments, some of which the compiler would reject. */
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
  it('declares the rules of classes and their members in source order', () => {
    @Rbac(Widget, ['get'], { reason: 'looks at it', names: ['one'] })
    @Rbac('/metrics', ['get'])
    class Service {
      @Rbac(() => Zone, ['list'], { subresource: 'status' })
      zones(): void {}
    }
    expect(planned(Service)).toEqual([
      {
        target: { group: 'example.com', plural: 'widgets', namespaced: true, version: 'v1' },
        verbs: ['get'],
        subresource: undefined,
        names: ['one'],
        namespace: undefined,
        reason: 'looks at it',
      },
      expect.objectContaining({ target: { path: '/metrics' }, reason: '@Rbac on Service' }),
      expect.objectContaining({
        target: { group: 'example.com', plural: 'zones', namespaced: false, version: 'v1' },
        subresource: 'status',
        reason: '@Rbac on Service.zones',
      }),
    ]);
  });

  it('accepts metadata, and resources without a class', () => {
    @Rbac(Metadata(Widget), ['watch'])
    @Rbac({ group: 'metrics.k8s.io', plural: 'pods' }, ['list'])
    @Rbac({ group: '', plural: 'nodes', namespaced: false }, ['list'])
    class Service {}
    expect(planned(Service).map(({ target }) => target)).toEqual([
      { group: 'example.com', plural: 'widgets', namespaced: true, version: 'v1' },
      { group: 'metrics.k8s.io', plural: 'pods', namespaced: true },
      { group: '', plural: 'nodes', namespaced: false },
    ]);
  });

  it('is inherited, unless the member is declared again', () => {
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
    ['an unknown verb', [Widget, ['lst']], 'invalid verb "lst"; did you mean "list"?'],
    ['the verb apply', [Widget, ['apply']], "invalid verb \"apply\"; use 'patch', and 'create' if the object may not"],
    ['the verb read', [Widget, ['read']], "invalid verb \"read\"; use 'get', 'list' and 'watch'"],
    ['the verb *', [Widget, ['*']], 'invalid verb "*": it includes all verbs, also future ones'],
    ['a verb that is not a string', [Widget, [7]], 'invalid verb 7; use one of get, list'],
    ['an empty list of verbs', [Widget, []], "invalid verbs []; list at least one, such as ['get']"],
    ['verbs that are not a list', [Widget, 'get'], 'invalid verbs "get"; list at least one'],
    ['a resource verb for a path', ['/metrics', ['list']], 'invalid verb "list"; use one of get, head'],
    ['an unknown option', [Widget, ['get'], { name: ['x'] }], 'unknown option "name"; did you mean "names"?'],
    ['an empty list of names', [Widget, ['get'], { names: [] }], 'names is empty, which means all objects in RBAC'],
    ['an invalid name', [Widget, ['get'], { names: ['*'] }], 'invalid names ["*"]; use a list of object names'],
    [
      'half of a character in a name',
      [Widget, ['get'], { names: ['a\ud83d'] }],
      'invalid names ["a\\ud83d"]; use a list',
    ],
    [
      'half of a character in a path',
      ['/a\ud83d', ['get']],
      'invalid path "/a\\ud83d"; pass a kind, or a path such as',
    ],
    [
      'half of a character in a reason',
      [Widget, ['get'], { reason: '\ud83d' }],
      'invalid reason "\\ud83d"; write one line',
    ],
    ['names for create', [Widget, ['create'], { names: ['x'] }], 'create cannot be limited to names'],
    ['a subresource that is a path', [Widget, ['get'], { subresource: 'status/x' }], 'invalid subresource "status/x"'],
    ['the subresource *', [Widget, ['get'], { subresource: '*' }], 'invalid subresource "*"'],
    ['an empty namespace', [Widget, ['get'], { namespace: '' }], 'invalid namespace ""; use the name of a namespace'],
    [
      'a namespace for a cluster-scoped kind',
      [Zone, ['get'], { namespace: 'x' }],
      'namespace is not allowed, because zones are cluster-scoped',
    ],
    ['names for a path', ['/metrics', ['get'], { names: ['x'] }], 'names is not allowed for the path /metrics'],
    ['an invalid path', ['metrics', ['get']], 'invalid path "metrics"; pass a kind, or a path such as'],
    ['the resource *', [{ group: 'apps', plural: '*' }, ['get']], 'write a role for all resources by hand'],
    ['a class that is not a kind', [class Thing {}, ['get']], '@Rbac: Thing is used as a kind'],
    [
      'undefined',
      [undefined, ['get']],
      'the target is undefined; pass a kind, or a function such as () => TheClass if',
    ],
    ['a function without a result', [() => undefined, ['get']], 'the target is a function that returns undefined'],
    [
      'a reason of two lines',
      [Widget, ['get'], { reason: 'a\n- b' }],
      'invalid reason "a\\n- b"; write one line of text',
    ],
  ])('rejects %s', (_what, given, message) => {
    expect(mistakesOf(...given).join('\n')).toContain(message);
  });

  it('reports all mistakes of a controller, each with its member', () => {
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
      "WidgetController.reconcile: @Rbac on reconcile: invalid verbs []; list at least one, such as ['get']",
      'WidgetController: @Rbac: invalid verb "gett"; did you mean "get"?',
    ]);
  });
});
