import { isDns1123Subdomain } from '@evenkeel/apimachinery/name-form';
import { declare, declared, recordField, single } from '../declarations/class-record.ts';
import type { AnyClass, KindReference, KindWord } from '../declarations/class-reference.ts';
import { controllerDecorator } from '../declarations/controller-decorator.ts';
import type { DeclarationReader } from '../declarations/declaration-reader.ts';
import { type Permission, permissionFor } from '../declarations/permission.ts';
import type { PlannedController, PlannedKind } from '../declarations/planned-kind.ts';
import { properties } from '../declarations/property.ts';
import { customResource } from '../declarations/resource-of.ts';
import type { KindClass } from '../kind/api-resource.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';
import type { Predicate } from '../predicate/object-event.ts';

/** The options of `@Controller`. */
export interface ControllerOptions<T extends KubernetesObject = KubernetesObject> {
  /** The name in logs, metrics and the labels of children. Unique in its manager. Default: the kind in lower case. */
  name?: string;
  /**
   * Select the events of the kind that enqueue its object. An event must pass all of them. Default: every event, except the
   * events of the controller's own writes once their response has arrived.
   */
  predicates?: readonly Predicate<T>[];
  /**
   * Whether a run for a namespaced object may read and write other namespaces, and write cluster-scoped objects, through
   * `context.client` and through an injected Client or Lister. Default: false, because a user who may create an object in one
   * namespace could otherwise reach other namespaces through the operator.
   *
   * Code outside of runs is not restricted: mappers, predicates, index functions, channels, runnables and `@postConstruct`.
   * Asynchronous work that a run started stays restricted after the run has ended.
   */
  acrossNamespaces?: boolean;
  /**
   * Whether `context.apply` takes over existing objects that have the name of a child and no controller. A call can override
   * it. Default: false, because a user who may create an object of the kind could otherwise take over objects of other users
   * in its namespace, and delete them by deleting their own object.
   */
  adopt?: boolean;
  /**
   * For the kind Secret: whether a manager without `namespaces` may keep every Secret of the cluster in memory. Default: false.
   * Such a manager does not start, unless its `cache` restricts the kind.
   */
  wholeCluster?: boolean;
}

export interface ControllerDeclaration extends Omit<ControllerOptions, 'predicates'> {
  /** The kind whose objects are reconciled. */
  readonly kind: KindReference;
  readonly predicates?: readonly Predicate[];
}

/** An additional constraint on the class. If its `reconcile` takes another kind, the compiler's error shows the text. */
type ReconcilesKind<C extends AnyClass, T extends KubernetesObject> =
  InstanceType<C> extends { reconcile: (object: infer O, ...others: never) => unknown }
    ? [T] extends [O]
      ? unknown
      : `@Controller gives ${KindWord<T>} to reconcile(); the parameter has another type`
    : unknown;

/**
 * Declares a class as the controller of a kind. The class must have exactly one method with `@Reconcile`.
 *
 * The compiler rejects a class whose public method `reconcile` takes another kind. It cannot see which method has `@Reconcile`,
 * so under another name, and for finalizers, the start reports it.
 */
export function Controller<T extends KubernetesObject>(
  kind: KindReference<T>,
  options: ControllerOptions<NoInfer<T>> = {},
): <C extends AnyClass>(target: C & ReconcilesKind<C, T>) => void {
  return (target) => declare(controller.record, target, { ...options, kind } as ControllerDeclaration);
}

/** The descriptor of `@Controller`. */
export const controller = controllerDecorator({
  name: 'Controller',
  record: recordField('controller', single<ControllerDeclaration>()),
  plan: planPrimary,
  permissions: permissionsForPrimary,
});

export interface PlannedPrimary extends PlannedKind {
  readonly name: string;
  /** Whether the kind has a status subresource, according to its class. */
  readonly hasStatus: boolean;
  /** Select the events of the reconciled kind, in addition to what every controller leaves out. */
  readonly predicates: readonly Predicate[];
  /** Whether a run may use other namespaces than that of its object. */
  readonly acrossNamespaces: boolean;
  /** Whether applies take over objects without a controller, unless a call overrides it. */
  readonly adopt: boolean;
  /** Whether the cache may contain every object of the cluster, for any kind. */
  readonly wholeCluster: boolean;
}

function planPrimary(
  declaration: ControllerDeclaration | undefined,
  reader: DeclarationReader,
): PlannedPrimary | undefined {
  if (declaration === undefined) return undefined;
  const word = reader.say('Controller');
  reader.checkOptions(word, declaration, ['kind', 'name', 'predicates', 'acrossNamespaces', 'adopt', 'wholeCluster']);
  const predicates = reader.predicates(word, declaration.predicates);
  const primary = reader.primaryKind(word, declaration.kind);
  if (primary === undefined) return undefined;
  const { kind, resource } = primary;
  const name = declaration.name ?? resource.kind.toLowerCase();
  checkName(reader, name);
  return {
    kind,
    resource,
    name,
    hasStatus: hasStatus(kind),
    predicates,
    acrossNamespaces: declaration.acrossNamespaces === true,
    adopt: declaration.adopt === true,
    wholeCluster: declaration.wholeCluster === true,
  };
}

/** The name must be a valid label value, because each child has it in a label, and the part after the slash of `reportingController`. */
function checkName(reader: DeclarationReader, name: string): void {
  if (name.length <= 63 && isDns1123Subdomain(name)) return;
  reader.report(
    'invalid-option',
    `invalid controller name "${name}"; use at most 63 lower-case letters, digits, "-" and "."`,
  );
}

/** A built-in kind is assumed to have one; a custom kind declares it. */
function hasStatus(kind: KindClass): boolean {
  if (declared(customResource, kind) === undefined) return true;
  return [...declared(properties, kind).values()].flat().some((property) => property.says === 'status');
}

function permissionsForPrimary(
  { controllerClass: { name }, kind, resource, hasStatus: writesStatus }: PlannedPrimary & PlannedController,
  namespaces: readonly string[] | undefined,
): Permission[] {
  // Another controller writes the status of a built-in kind. A controller that writes it too must declare that with @Rbac.
  const isOurs = declared(customResource, kind) !== undefined;
  return [
    permissionFor(resource, ['list', 'watch'], `${name} reconciles ${resource.kind}`),
    ...(writesStatus && isOurs
      ? [permissionFor(resource, ['patch'], `${name} writes the status of ${resource.kind}`, 'status')]
      : []),
    {
      // The Events of cluster-scoped objects are in `default`.
      place: resource.namespaced || namespaces === undefined ? 'operator' : { namespace: 'default' },
      target: { group: 'events.k8s.io', resource: 'events', names: [] },
      verbs: ['create', 'patch'],
      reason: `${name} publishes Events and counts repeated ones`,
    },
  ];
}
