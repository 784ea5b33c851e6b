import {
  type AnyClass,
  Controller,
  type ControllerDecoratorName,
  type ControllerPlan,
  type ControllerSteps,
  controllerDecorators,
  controllerMistakeText,
  type KindReference,
  type KubernetesObject,
  planControllers,
  Reconcile,
} from '@evenkeel/core';
import { deriveRoles } from '@evenkeel/core/rbac';
import { ConfigMap, Secret } from '@evenkeel/kinds';
import { declare, declared, listed, recordField } from '../packages/core/src/declarations/class-record.ts';
import { controllerDecorator, type FunctionStep } from '../packages/core/src/declarations/controller-decorator.ts';
import type { DeclarationReader } from '../packages/core/src/declarations/declaration-reader.ts';
import { permissionFor } from '../packages/core/src/declarations/permission.ts';
import type { CachedKind } from '../packages/core/src/declarations/planned-kind.ts';
import { type ControllerBuilder, controllerForWith } from '../packages/runtime/src/builder/controller-for.ts';

// The file of a new decorator.

interface MirrorsOptions {
  readonly into?: string;
}

interface MirrorsDeclaration extends MirrorsOptions {
  readonly kind: KindReference;
}

/** Copies every object of a kind into one namespace. */
function Mirrors(kind: KindReference, options: MirrorsOptions = {}): (target: AnyClass) => void {
  return (target) => declare(mirrors.record, target, { ...options, kind });
}

const mirrors = controllerDecorator({
  name: 'Mirrors',
  record: recordField('mirrors', listed<MirrorsDeclaration>()),
  plan: planMirrors,
  permissions: ({ mirrors: planned, controllerClass: { name } }) =>
    planned.flatMap(({ resource, into }) => [
      permissionFor(resource, ['list', 'watch'], `${name} mirrors ${resource.kind}`),
      { ...permissionFor(resource, ['create', 'patch'], `${name} writes copies`), place: { namespace: into } },
    ]),
  step: (kind: KindReference, options?: MirrorsOptions): FunctionStep => ({
    on: 'class',
    decorate: Mirrors(kind, options),
  }),
});

interface MirrorsStep {
  mirrors(kind: KindReference, options?: MirrorsOptions): this;
}

interface PlannedMirror extends CachedKind {
  readonly into: string;
}

interface PlannedMirrors {
  readonly mirrors: readonly PlannedMirror[];
}

function planMirrors(declarations: readonly MirrorsDeclaration[], reader: DeclarationReader): PlannedMirrors {
  const planned = declarations.flatMap((declaration): PlannedMirror | [] => {
    reader.checkOptions(reader.say('Mirrors'), declaration, ['kind', 'into']);
    const kind = reader.cachedKind(reader.say('Mirrors'), declaration.kind);
    return kind === undefined ? [] : { ...kind, into: declaration.into ?? 'mirror' };
  });
  return { mirrors: planned };
}

// The list that contains it.

const decorators = [...controllerDecorators, mirrors];
const controllerFor = controllerForWith(decorators) as <T extends KubernetesObject>(
  kind: KindReference<T>,
) => ControllerBuilder<T> & MirrorsStep;

@Mirrors(ConfigMap, { into: 'backup' })
class Base {
  @Reconcile() reconcile(): void {}
}

@Controller(ConfigMap)
@Mirrors(Secret)
class SiteController extends Base {}

function planOf(controllerClass: AnyClass): ControllerPlan & PlannedMirrors {
  const { plans, mistakes } = planControllers([controllerClass], decorators);
  expect(mistakes).toEqual([]);
  return plans[0] as ControllerPlan & PlannedMirrors;
}

describe('controllerDecorators', () => {
  it('has a step for every decorator except @Controller and @Reconcile, and a type for each step', () => {
    type Step = keyof ControllerSteps<KubernetesObject, unknown, unknown>;
    type Expected = Uncapitalize<Exclude<ControllerDecoratorName, 'Controller' | 'Reconcile'>>;
    // The type check compares these: each must have the same names as the other.
    const typed = (step: Expected): Step => step;
    const inList = (step: Step): Expected => step;
    expect(inList(typed('owns'))).toBe('owns');
    const without = controllerDecorators.filter(({ step }) => step === undefined).map(({ name }) => name);
    expect(without).toEqual(['Controller', 'Reconcile']);
  });
});

describe('a decorator that is declared in one file', () => {
  it('is recorded on its class, and inherited as it declares', () => {
    expect(declared(mirrors.record, Base)).toEqual([{ kind: ConfigMap, into: 'backup' }]);
    expect(declared(mirrors.record, SiteController)).toEqual([{ kind: ConfigMap, into: 'backup' }, { kind: Secret }]);
    expect(declared(mirrors.record, class {})).toEqual([]);
  });

  it('is planned with the others, and its kinds are cached', () => {
    const plan = planOf(SiteController);
    expect(plan.mirrors.map(({ kind, into }) => [kind, into])).toEqual([
      [ConfigMap, 'backup'],
      [Secret, 'mirror'],
    ]);
    expect(plan.cached.map(({ kind }) => kind)).toEqual([ConfigMap, ConfigMap, Secret]);
    expect(plan).toMatchObject({ name: 'configmap', reconcileMethod: 'reconcile', owns: [] });
  });

  it('reports mistakes in the form in which the user wrote the declaration', () => {
    @Mirrors(ConfigMap)
    class Forgotten {}
    @Controller(Secret)
    @Mirrors(ConfigMap, { inot: 'backup' } as object)
    class Mistyped extends Base {}
    const made = controllerFor(ConfigMap)
      .mirrors(undefined as never)
      .reconcile(() => {});
    const { mistakes } = planControllers([Forgotten, Mistyped, made], decorators);
    expect(mistakes.map((mistake) => controllerMistakeText(mistake).replace(/ \(\/.*?\)/, ''))).toEqual([
      'Forgotten: @Mirrors found, but the class has no @Controller; add @Controller(YourKind) above it',
      'Mistyped: @Mirrors: unknown option "inot"; did you mean "into"?',
      'controllerFor(ConfigMap): .mirrors was given undefined: the module of that class had not run yet, which an import cycle does; give a thunk instead, such as () => TheClass',
    ]);
  });

  it('adds its permissions to the role', () => {
    const roles = deriveRoles({ plans: [planOf(SiteController)], decorators });
    expect(roles.map(({ namespace, rules }) => [namespace, rules.flatMap(({ reasons }) => reasons)])).toEqual([
      [
        undefined,
        [
          'list, watch: SiteController reconciles ConfigMap',
          'list, watch: SiteController mirrors ConfigMap',
          'list, watch: SiteController mirrors Secret',
          'create, patch: SiteController tells Events, and counts those that come again',
        ],
      ],
      ['backup', ['create, patch: SiteController writes copies']],
      ['mirror', ['create, patch: SiteController writes copies']],
    ]);
  });

  it('has a step in the function form, which declares the same', () => {
    const made = controllerFor(ConfigMap)
      .mirrors(ConfigMap, { into: 'backup' })
      .every('1h')
      .mirrors(Secret)
      .reconcile(() => {});
    expect(declared(mirrors.record, made)).toEqual(declared(mirrors.record, SiteController));
    expect(planOf(made).mirrors).toEqual(planOf(SiteController).mirrors);
    expect(planOf(made).periodMs).toBe(3_600_000);
  });
});
