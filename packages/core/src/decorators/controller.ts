import { isDns1123Subdomain } from '@evenkeel/apimachinery/name-form';
import { declare, declared, recordField, single } from '../declarations/class-record.ts';
import type { AnyClass, KindReference } from '../declarations/class-reference.ts';
import { controllerDecorator } from '../declarations/controller-decorator.ts';
import type { DeclarationReader } from '../declarations/declaration-reader.ts';
import { type Permission, permissionFor } from '../declarations/permission.ts';
import type { PlannedController, PlannedKind } from '../declarations/planned-kind.ts';
import { properties } from '../declarations/property.ts';
import { customResource } from '../declarations/resource-of.ts';
import type { KindClass } from '../kind/api-resource.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';
import type { Predicate } from '../predicate/object-event.ts';

export interface ControllerOptions<T extends KubernetesObject = KubernetesObject> {
  /** Unique in its manager; stands in logs and metrics. Default: the kind in lower case. */
  name?: string;
  /**
   * Which events of the kind wake the controller; all must let an event pass. Default: every event does, except for what
   * the controller's own run wrote and has seen the answer to.
   */
  predicates?: readonly Predicate<T>[];
  /**
   * Whether a run for an object with a namespace may read and write other namespaces, and write objects without a namespace:
   * through `context.client`, and through an injected Client or Lister. Default false: whoever may create an object in one
   * namespace could otherwise reach another one through the operator.
   *
   * What belongs to no run is not held back: mappers, predicates, index functions, channels, runnables and
   * `@postConstruct`. What a run has begun stays with it, also when the run is over.
   */
  acrossNamespaces?: boolean;
  /**
   * Whether `context.apply` takes over objects that exist under the names of children and that nobody controls. A call may
   * say otherwise. Default false: whoever may create an object of the kind could otherwise take over, and by deleting theirs
   * delete, what others have made in its namespace.
   */
  adopt?: boolean;
  /**
   * Whether a manager without `namespaces` may hold every Secret of the cluster, where the kind is Secret. Default false: it
   * refuses to start, unless its `cache` narrows the kind.
   */
  wholeCluster?: boolean;
}

export interface ControllerDeclaration extends Omit<ControllerOptions, 'predicates'> {
  /** The kind whose objects are reconciled. */
  readonly kind: KindReference;
  readonly predicates?: readonly Predicate[];
}

/** Declares a class as the controller of a kind. It needs one method with `@Reconcile`. */
export function Controller<T extends KubernetesObject>(
  kind: KindReference<T>,
  options: ControllerOptions<T> = {},
): (target: AnyClass) => void {
  return (target) => declare(controller.record, target, { ...options, kind } as ControllerDeclaration);
}

/** What follows from `@Controller`. */
export const controller = controllerDecorator({
  name: 'Controller',
  record: recordField('controller', single<ControllerDeclaration>()),
  plan: planPrimary,
  permissions: permissionsForPrimary,
});

export interface PlannedPrimary extends PlannedKind {
  readonly name: string;
  /** Whether the kind has a status subresource, as far as its class says. */
  readonly hasStatus: boolean;
  /** Which events of the kind itself count, beside those that every controller leaves out. */
  readonly predicates: readonly Predicate[];
  /** Whether a run may leave the namespace of its object. */
  readonly acrossNamespaces: boolean;
  /** Whether applies take over objects that nobody controls, unless a call says otherwise. */
  readonly adopt: boolean;
  /** Whether every object of the cluster may be held, whatever the kind. */
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

/** A label's value, which the name becomes on every child, and the part of `reportingController` after a slash. */
function checkName(reader: DeclarationReader, name: string): void {
  if (name.length <= 63 && isDns1123Subdomain(name)) return;
  reader.report(
    'invalid-option',
    `"${name}" cannot be a controller's name; use at most 63 lower-case letters, digits, "-" and "."`,
  );
}

/** A built-in kind is taken to have one; a custom one says so. */
function hasStatus(kind: KindClass): boolean {
  if (declared(customResource, kind) === undefined) return true;
  return [...declared(properties, kind).values()].flat().some((property) => property.says === 'status');
}

function permissionsForPrimary(
  { controllerClass: { name }, kind, resource, hasStatus: writesStatus }: PlannedPrimary & PlannedController,
  namespaces: readonly string[] | undefined,
): Permission[] {
  // The status of a built-in kind is somebody else's to write; who does so all the same says it with @Rbac.
  const isOurs = declared(customResource, kind) !== undefined;
  return [
    permissionFor(resource, ['list', 'watch'], `${name} reconciles ${resource.kind}`),
    ...(writesStatus && isOurs
      ? [permissionFor(resource, ['patch'], `${name} writes the status of ${resource.kind}`, 'status')]
      : []),
    {
      // Of objects without a namespace, Events are in `default`.
      place: resource.namespaced || namespaces === undefined ? 'operator' : { namespace: 'default' },
      target: { group: 'events.k8s.io', resource: 'events', names: [] },
      verbs: ['create', 'patch'],
      reason: `${name} tells Events, and counts those that come again`,
    },
  ];
}
