import {
  type AnyClass,
  type ApiResource,
  type ClassDeclarations,
  declarationsOf,
  durationMs,
  EvenkeelError,
  formatGroupVersionKind,
  groupResourceOf,
  type KindClass,
  type KindReference,
  type KubernetesObject,
  resolveWatched,
  resourceOf,
  type WatchedReference,
} from '@evenkeel/core';

/** A class that can be made. */
// biome-ignore lint/suspicious/noExplicitAny: a constructor's parameters are contravariant; unknown[] would refuse most classes
export type ConcreteClass<T = object> = new (...args: any[]) => T;

export interface PlannedKind {
  readonly kind: KindClass;
  readonly resource: ApiResource;
}

export interface PlannedWatch extends PlannedKind {
  readonly metadataOnly: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  readonly method: string;
}

/** What the declarations of a controller's class amount to, resolved and checked. */
export interface ControllerPlan extends PlannedKind {
  readonly controllerClass: ConcreteClass;
  readonly name: string;
  /** Whether the kind has a status subresource, as far as its class says. */
  readonly hasStatus: boolean;
  readonly owns: readonly PlannedKind[];
  readonly watches: readonly PlannedWatch[];
  readonly indexes: readonly { readonly name: string; readonly method: string }[];
  readonly reconcileMethod: string;
  readonly maxConcurrent: number;
  /** Undefined where a reconcile may take as long as it likes. */
  readonly timeoutMs: number | undefined;
}

/**
 * Reads and checks the declarations of all controllers of a manager. Throws an EvenkeelError that names the class, the
 * member and the mend for the first mistake found.
 */
export function planControllers(classes: readonly AnyClass[]): readonly ControllerPlan[] {
  const plans = classes.map((controllerClass) => planOf(controllerClass));
  refuseSharedNames(plans);
  refuseSeveralClassesOfOneKind(plans);
  return plans;
}

function planOf(controllerClass: AnyClass): ControllerPlan {
  const className = controllerClass.name;
  const declarations = declarationsOf(controllerClass);
  const { controller } = declarations;
  if (controller === undefined) throw withoutController(className, declarations);
  const primary = plannedKind(className, '@Controller', controller.kind);
  const reconcile = declarations.reconciles[0];
  if (reconcile === undefined) {
    throw new EvenkeelError(
      'controller-without-reconcile',
      `${className}: @Controller(${primary.kind.name}) found, but no method has @Reconcile; add @Reconcile() above the method that reconciles a ${primary.resource.kind}`,
    );
  }
  if (declarations.reconciles.length > 1) {
    const methods = declarations.reconciles.map(({ method }) => method);
    throw new EvenkeelError(
      'controller-without-reconcile',
      `${className}: @Reconcile stands on ${methods.join(' and ')}; keep it on one method, the others can be called from there`,
    );
  }
  const name = controller.name ?? primary.resource.kind.toLowerCase();
  checkName(className, name);
  return {
    ...primary,
    controllerClass: controllerClass as ConcreteClass,
    name,
    hasStatus: hasStatus(primary.kind),
    owns: plannedOwns(className, declarations),
    watches: declarations.watches.map((watch) => {
      const decorator = `@Watches on ${watch.method}`;
      const { metadataOnly } = watchedOf(className, decorator, watch.kind);
      return {
        ...plannedKind(className, decorator, watch.kind),
        metadataOnly,
        labels: watch.labels ?? {},
        fields: watch.fields ?? {},
        method: watch.method,
      };
    }),
    indexes: plannedIndexes(className, declarations),
    reconcileMethod: reconcile.method,
    maxConcurrent: checkMaxConcurrent(className, reconcile.method, reconcile.maxConcurrent ?? 1),
    timeoutMs: reconcile.timeout === undefined ? undefined : durationMs(reconcile.timeout),
  };
}

function withoutController(className: string, declarations: ClassDeclarations): EvenkeelError {
  const found =
    declarations.owns.length > 0
      ? '@Owns'
      : declarations.watches.length > 0
        ? '@Watches'
        : declarations.reconciles.length > 0
          ? '@Reconcile'
          : undefined;
  return new EvenkeelError(
    'missing-controller',
    found === undefined
      ? `${className} is listed as a controller, but the class has no @Controller; add @Controller(YourKind) above it`
      : `${className}: ${found} found, but the class has no @Controller; add @Controller(YourKind) above it`,
  );
}

/** A label's value, which the name becomes on every child, and the part of `reportingController` after a slash. */
function checkName(className: string, name: string): void {
  if (name.length <= 63 && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name)) return;
  throw new EvenkeelError(
    'invalid-option',
    `${className}: "${name}" cannot be a controller's name; use at most 63 lower-case letters, digits, "-" and "."`,
  );
}

function checkMaxConcurrent(className: string, method: string, maxConcurrent: number): number {
  if (Number.isInteger(maxConcurrent) && maxConcurrent >= 1) return maxConcurrent;
  throw new EvenkeelError(
    'invalid-option',
    `${className}.${method}: maxConcurrent of @Reconcile is ${maxConcurrent}; give a whole number from 1`,
  );
}

function plannedOwns(className: string, declarations: ClassDeclarations): PlannedKind[] {
  const owns = declarations.owns.map((owned) => plannedKind(className, '@Owns', owned.kind));
  const seen = new Set<string>();
  for (const { kind, resource } of owns) {
    const gvk = formatGroupVersionKind(resource);
    if (seen.has(gvk)) {
      throw new EvenkeelError(
        'duplicate-declaration',
        `${className}: @Owns(${kind.name}) stands there twice; keep one of them`,
      );
    }
    seen.add(gvk);
  }
  return owns;
}

function plannedIndexes(className: string, declarations: ClassDeclarations): { name: string; method: string }[] {
  const methods = new Map<string, string>();
  for (const { name, method } of declarations.indexes) {
    const other = methods.get(name);
    if (other !== undefined) {
      throw new EvenkeelError(
        'duplicate-declaration',
        `${className}: @Index("${name}") stands on ${other} and ${method}; give each index a name of its own`,
      );
    }
    methods.set(name, method);
  }
  return [...declarations.indexes];
}

function plannedKind(className: string, decorator: string, reference: WatchedReference | KindReference): PlannedKind {
  const { kind } = watchedOf(className, decorator, reference);
  try {
    return { kind, resource: resourceOf(kind) };
  } catch (error) {
    if (!(error instanceof EvenkeelError)) throw error;
    throw new EvenkeelError(error.code, `${className}: ${decorator} names a class that is no kind: ${error.message}`, {
      cause: error,
    });
  }
}

function watchedOf(
  className: string,
  decorator: string,
  reference: WatchedReference | KindReference | undefined,
): { kind: KindClass<KubernetesObject>; metadataOnly: boolean } {
  const resolved = reference === undefined ? undefined : resolveWatched(reference);
  if (resolved?.kind !== undefined) return resolved;
  throw new EvenkeelError(
    'invalid-option',
    `${className}: ${decorator} was given undefined: the module of that class had not run yet, which an import cycle does; give a thunk instead, such as () => TheClass`,
  );
}

/** A built-in kind is taken to have one; a custom one says so. */
function hasStatus(kind: KindClass): boolean {
  const { customResource, properties } = declarationsOf(kind);
  if (customResource === undefined) return true;
  return [...properties.values()].flat().some((property) => property.says === 'status');
}

function refuseSharedNames(plans: readonly ControllerPlan[]): void {
  const classOf = new Map<string, string>();
  for (const { name, controllerClass } of plans) {
    const other = classOf.get(name);
    if (other !== undefined) {
      throw new EvenkeelError(
        'duplicate-declaration',
        `${other} and ${controllerClass.name} are both named "${name}"; their logs, metrics and children could not be told apart: give one another name with @Controller(Kind, { name: "..." })`,
      );
    }
    classOf.set(name, controllerClass.name);
  }
}

/** Objects get one prototype per kind, so two classes would each see the other's objects. */
function refuseSeveralClassesOfOneKind(plans: readonly ControllerPlan[]): void {
  const classOf = new Map<string, KindClass>();
  for (const plan of plans) {
    for (const { kind, resource } of [plan, ...plan.owns, ...plan.watches]) {
      const name = groupResourceOf(resource);
      const other = classOf.get(name);
      if (other !== undefined && other !== kind) {
        throw new EvenkeelError(
          'duplicate-declaration',
          `${other.name} and ${kind.name} both stand for ${name}; a manager has one class of a kind: use the same one everywhere`,
        );
      }
      classOf.set(name, kind);
    }
  }
}
