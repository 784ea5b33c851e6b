import { type ApiResource, groupResourceOf, type KindClass } from './api-resource.ts';
import {
  type AnyClass,
  type ClassDeclarations,
  declarationsOf,
  type KindReference,
  type WatchedReference,
} from './decorators/class-declarations.ts';
import type { PropertyDeclaration } from './decorators/property.ts';
import { resolveWatched } from './decorators/resolve-reference.ts';
import { resourceOf } from './decorators/resource-of.ts';
import { durationMs } from './duration.ts';
import { didYouMean } from './errors/did-you-mean.ts';
import type { ErrorCode } from './errors/error-codes.ts';
import { EvenkeelError } from './errors/evenkeel-error.ts';
import { formatGroupVersionKind } from './group-version-kind.ts';
import type { KubernetesObject } from './kubernetes-object.ts';

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
  /** Whether the class of its status has `@Conditions()`; false where decorators say nothing of that class. */
  readonly hasConditions: boolean;
  readonly owns: readonly PlannedKind[];
  readonly watches: readonly PlannedWatch[];
  readonly indexes: readonly { readonly name: string; readonly method: string }[];
  readonly reconcileMethod: string;
  readonly maxConcurrent: number;
  /** Undefined where a reconcile may take as long as it likes. */
  readonly timeoutMs: number | undefined;
}

/** What is wrong with the declarations of a controller's class. */
export interface ControllerMistake {
  readonly code: ErrorCode;
  readonly controllerClass: AnyClass;
  readonly method?: string;
  /** What is wrong and how to mend it, without the class. */
  readonly message: string;
}

export interface ControllerPlans {
  /** Of the classes without a mistake of their own, in their order. */
  readonly plans: readonly ControllerPlan[];
  readonly mistakes: readonly ControllerMistake[];
}

/** Reads and checks the declarations of controllers that shall run in one manager. All mistakes are told at once. */
export function planControllers(classes: readonly AnyClass[]): ControllerPlans {
  const mistakes: ControllerMistake[] = [];
  const plans = classes.flatMap((controllerClass) => new Planning(controllerClass, mistakes).plan() ?? []);
  reportSharedNames(plans, mistakes);
  reportSeveralClassesOfOneKind(plans, mistakes);
  return { plans, mistakes };
}

/** `NginxController.onSecret: ...` */
export function controllerMistakeText({ controllerClass, method, message }: ControllerMistake): string {
  return `${controllerClass.name}${method === undefined ? '' : `.${method}`}: ${message}`;
}

/** The way from one class to its plan. */
class Planning {
  readonly #class: AnyClass;
  readonly #declarations: ClassDeclarations;
  readonly #mistakes: ControllerMistake[];
  #isSound = true;

  constructor(controllerClass: AnyClass, mistakes: ControllerMistake[]) {
    this.#class = controllerClass;
    this.#declarations = declarationsOf(controllerClass);
    this.#mistakes = mistakes;
  }

  plan(): ControllerPlan | undefined {
    const { controller, watches } = this.#declarations;
    if (controller === undefined) {
      this.#reportMissingController();
      return undefined;
    }
    this.#checkOptions('@Controller', controller, ['kind', 'name']);
    const primary = this.#kind('@Controller', controller.kind);
    const name = controller.name ?? primary?.resource.kind.toLowerCase() ?? '';
    if (primary !== undefined) this.#checkName(name);
    const reconcile = this.#reconcile(primary);
    const owns = this.#owns();
    const planned = watches.flatMap((watch): PlannedWatch | [] => {
      const decorator = `@Watches on ${watch.method}`;
      this.#checkOptions(decorator, watch, ['kind', 'method', 'labels', 'fields']);
      const kind = this.#kind(decorator, watch.kind);
      return kind === undefined
        ? []
        : { ...kind, labels: watch.labels ?? {}, fields: watch.fields ?? {}, method: watch.method };
    });
    const indexes = this.#indexes();
    if (!this.#isSound || primary === undefined || reconcile === undefined) return undefined;
    return {
      kind: primary.kind,
      resource: primary.resource,
      controllerClass: this.#class as ConcreteClass,
      name,
      hasStatus: hasStatus(primary.kind),
      hasConditions: hasConditions(primary.kind),
      owns,
      watches: planned,
      indexes,
      ...reconcile,
    };
  }

  #report(code: ErrorCode, message: string, method?: string): void {
    this.#isSound = false;
    this.#mistakes.push({ code, controllerClass: this.#class, ...(method === undefined ? {} : { method }), message });
  }

  #reportMissingController(): void {
    const { owns, watches, reconciles } = this.#declarations;
    const found =
      owns.length > 0 ? '@Owns' : watches.length > 0 ? '@Watches' : reconciles.length > 0 ? '@Reconcile' : undefined;
    this.#report(
      'missing-controller',
      found === undefined
        ? 'it is listed as a controller, but the class has no @Controller; add @Controller(YourKind) above it'
        : `${found} found, but the class has no @Controller; add @Controller(YourKind) above it`,
    );
  }

  #reconcile(
    primary: PlannedKind | undefined,
  ): Pick<ControllerPlan, 'reconcileMethod' | 'maxConcurrent' | 'timeoutMs'> | undefined {
    const [reconcile, ...others] = this.#declarations.reconciles;
    const kind = primary?.resource.kind ?? 'kind';
    if (reconcile === undefined) {
      this.#report(
        'controller-without-reconcile',
        `@Controller(${primary?.kind.name ?? ''}) found, but no method has @Reconcile; add @Reconcile() above the method that reconciles a ${kind}`,
      );
      return undefined;
    }
    if (others.length > 0) {
      const methods = this.#declarations.reconciles.map(({ method }) => method);
      this.#report(
        'controller-without-reconcile',
        `@Reconcile stands on ${methods.join(' and ')}; keep it on one method, the others can be called from there`,
      );
    }
    const { method, maxConcurrent = 1, timeout } = reconcile;
    this.#checkOptions(`@Reconcile on ${method}`, reconcile, ['method', 'maxConcurrent', 'timeout']);
    if (!Number.isInteger(maxConcurrent) || maxConcurrent < 1) {
      this.#report(
        'invalid-option',
        `maxConcurrent of @Reconcile is ${maxConcurrent}; give a whole number from 1`,
        method,
      );
    }
    let timeoutMs: number | undefined;
    try {
      if (timeout !== undefined) timeoutMs = durationMs(timeout);
    } catch (error) {
      if (!(error instanceof EvenkeelError)) throw error;
      this.#report(error.code, `timeout of @Reconcile: ${error.message}`, method);
    }
    return { reconcileMethod: method, maxConcurrent, timeoutMs };
  }

  #owns(): PlannedKind[] {
    const owns = this.#declarations.owns.flatMap((owned) => this.#kind('@Owns', owned.kind) ?? []);
    const seen = new Set<string>();
    for (const { kind, resource } of owns) {
      const gvk = formatGroupVersionKind(resource);
      if (seen.has(gvk)) {
        this.#report('duplicate-declaration', `@Owns(${kind.name}) stands there twice; keep one of them`);
      }
      seen.add(gvk);
    }
    return owns;
  }

  #indexes(): { name: string; method: string }[] {
    const methods = new Map<string, string>();
    for (const { name, method } of this.#declarations.indexes) {
      const other = methods.get(name);
      if (other !== undefined) {
        this.#report(
          'duplicate-declaration',
          `@Index("${name}") stands on ${other} and ${method}; give each index a name of its own`,
        );
      }
      methods.set(name, method);
    }
    return [...this.#declarations.indexes];
  }

  /** A label's value, which the name becomes on every child, and the part of `reportingController` after a slash. */
  #checkName(name: string): void {
    if (name.length <= 63 && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name)) return;
    this.#report(
      'invalid-option',
      `"${name}" cannot be a controller's name; use at most 63 lower-case letters, digits, "-" and "."`,
    );
  }

  #checkOptions(decorator: string, declaration: object, known: readonly string[]): void {
    for (const option of Object.keys(declaration)) {
      if (known.includes(option)) continue;
      const options = known.filter((name) => name !== 'kind' && name !== 'method');
      const mend = didYouMean(option, options) || `; it takes ${options.join(', ')}`;
      this.#report('unknown-option', `${decorator}: unknown option "${option}"${mend}`);
    }
  }

  #kind(
    decorator: string,
    reference: WatchedReference | KindReference | undefined,
  ): (PlannedKind & { readonly metadataOnly: boolean }) | undefined {
    const resolved = reference === undefined ? undefined : this.#resolve(decorator, reference);
    if (resolved === 'failed') return undefined;
    if (resolved?.kind === undefined) {
      this.#report(
        'invalid-option',
        `${decorator} was given undefined: the module of that class had not run yet, which an import cycle does; give a thunk instead, such as () => TheClass`,
      );
      return undefined;
    }
    try {
      return { ...resolved, resource: resourceOf(resolved.kind) };
    } catch (error) {
      if (!(error instanceof EvenkeelError)) throw error;
      this.#report(error.code, `${decorator} names a class that is no kind: ${error.message}`);
      return undefined;
    }
  }

  /** A thunk is the user's code, and may throw. */
  #resolve(
    decorator: string,
    reference: WatchedReference | KindReference,
  ): { kind: KindClass<KubernetesObject>; metadataOnly: boolean } | 'failed' {
    try {
      return resolveWatched(reference);
    } catch (error) {
      this.#report(
        'invalid-option',
        `${decorator} was given a function that throws (${error instanceof Error ? error.message : String(error)}); give a class, or a function that returns one`,
      );
      return 'failed';
    }
  }
}

/** A built-in kind is taken to have one; a custom one says so. */
function hasStatus(kind: KindClass): boolean {
  const { customResource, properties } = declarationsOf(kind);
  if (customResource === undefined) return true;
  return [...properties.values()].flat().some((property) => property.says === 'status');
}

function hasConditions(kind: KindClass): boolean {
  const says = (type: AnyClass, word: PropertyDeclaration['says']) =>
    [...declarationsOf(type).properties].find(([, list]) => list.some((property) => property.says === word))?.[0];
  const status = says(kind, 'status');
  const type: unknown = status === undefined ? undefined : Reflect.getMetadata('design:type', kind.prototype, status);
  return typeof type === 'function' && says(type as unknown as AnyClass, 'conditions') !== undefined;
}

function reportSharedNames(plans: readonly ControllerPlan[], mistakes: ControllerMistake[]): void {
  const classOf = new Map<string, string>();
  for (const { name, controllerClass } of plans) {
    const other = classOf.get(name);
    if (other === undefined) {
      classOf.set(name, controllerClass.name);
      continue;
    }
    mistakes.push({
      code: 'duplicate-declaration',
      controllerClass,
      message: `it is named "${name}", and so is ${other}; their logs, metrics and children could not be told apart: give one another name with @Controller(Kind, { name: "..." })`,
    });
  }
}

/** Objects get one prototype per kind, so two classes would each see the other's objects. */
function reportSeveralClassesOfOneKind(plans: readonly ControllerPlan[], mistakes: ControllerMistake[]): void {
  const classOf = new Map<string, KindClass>();
  for (const plan of plans) {
    for (const { kind, resource } of [plan, ...plan.owns, ...plan.watches]) {
      const name = groupResourceOf(resource);
      const other = classOf.get(name);
      if (other === undefined || other === kind) {
        classOf.set(name, kind);
        continue;
      }
      mistakes.push({
        code: 'duplicate-declaration',
        controllerClass: plan.controllerClass,
        message: `${other.name} and ${kind.name} both stand for ${name}; a manager has one class of a kind: use the same one everywhere`,
      });
    }
  }
}
