import type { ApiResource, KindClass } from '../api-resource.ts';
import type { FinalizerName } from '../decorators/finalizer.ts';
import type { Predicate } from '../object-event.ts';
import type { PlannedRbac } from '../rbac/plan-rbac.ts';

/** A class that can be made. */
// biome-ignore lint/suspicious/noExplicitAny: a constructor's parameters are contravariant; unknown[] would refuse most classes
export type ConcreteClass<T = object> = new (...args: any[]) => T;

export interface PlannedKind {
  readonly kind: KindClass;
  readonly resource: ApiResource;
}

export interface PlannedOwned extends PlannedKind {
  readonly predicates: readonly Predicate[];
}

export interface PlannedWatch extends PlannedKind {
  readonly metadataOnly: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  /** Whether every object of the cluster may be held whole, whatever the kind. */
  readonly wholeCluster: boolean;
  readonly predicates: readonly Predicate[];
  readonly method: string;
}

export interface PlannedIndex extends PlannedKind {
  readonly metadataOnly: boolean;
  readonly name: string;
  readonly method: string;
}

export interface PlannedFinalizer {
  readonly name: FinalizerName;
  readonly method: string;
}

/** What the declarations of a controller's class amount to, resolved and checked. */
export interface ControllerPlan extends PlannedKind {
  readonly controllerClass: ConcreteClass;
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
  readonly owns: readonly PlannedOwned[];
  readonly watches: readonly PlannedWatch[];
  /** Of the kind itself, and of kinds that it owns or watches. */
  readonly indexes: readonly PlannedIndex[];
  /** In the order in which they run. */
  readonly finalizers: readonly PlannedFinalizer[];
  /** What it asks for by `@Rbac`, beside what its other declarations show. */
  readonly rbac: readonly PlannedRbac[];
  /** Methods that give keys to wake. */
  readonly channels: readonly string[];
  /** How often all objects come again; undefined where only events and delays bring them. */
  readonly periodMs: number | undefined;
  readonly reconcileMethod: string;
  readonly maxConcurrent: number;
  /** Undefined where a reconcile may take as long as it likes. */
  readonly timeoutMs: number | undefined;
}
