import { type ApiResource, groupResourceOf, type KindClass } from './api-resource.ts';
import {
  type AnyClass,
  type ClassDeclarations,
  declarationsOf,
  type KindReference,
  type WatchedReference,
} from './decorators/class-declarations.ts';
import type { FinalizerName } from './decorators/finalizer.ts';
import type { PropertyDeclaration } from './decorators/property.ts';
import { resolveWatched } from './decorators/resolve-reference.ts';
import { resourceOf } from './decorators/resource-of.ts';
import { durationMs } from './duration.ts';
import { didYouMean } from './errors/did-you-mean.ts';
import type { ErrorCode } from './errors/error-codes.ts';
import { EvenkeelError } from './errors/evenkeel-error.ts';
import { type ControllerDecoratorName, functionControllerOf, placeOf, wordOf } from './function-controller.ts';
import { formatGroupVersionKind } from './group-version-kind.ts';
import type { KubernetesObject } from './kubernetes-object.ts';
import type { Predicate } from './object-event.ts';
import { type PlannedRbac, planRbac } from './rbac/plan-rbac.ts';

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
  /** Whether the class of its status has `@Conditions()`; false where decorators say nothing of that class. */
  readonly hasConditions: boolean;
  /** Which events of the kind itself count, beside those that every controller leaves out. */
  readonly predicates: readonly Predicate[];
  /** Whether `context.client` may leave the object's namespace. */
  readonly acrossNamespaces: boolean;
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
  reportSharedFinalizers(plans, mistakes);
  reportSeveralClassesOfOneKind(plans, mistakes);
  return { plans, mistakes };
}

/** `NginxController.onSecret: ...`, or `controllerFor(Nginx).onSecret (/app/nginx.ts:12): ...` */
export function controllerMistakeText({ controllerClass, method, message }: ControllerMistake): string {
  const member = method === undefined ? '' : `.${method}`;
  return `${controllerClass.name}${member}${placeOf(controllerClass)}: ${message}`;
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
    this.#checkOptions(this.#say('Controller'), controller, ['kind', 'name', 'predicates', 'acrossNamespaces']);
    const predicates = this.#predicates(this.#say('Controller'), controller.predicates);
    const primary = this.#kind(this.#say('Controller'), controller.kind);
    const name = controller.name ?? primary?.resource.kind.toLowerCase() ?? '';
    if (primary !== undefined) this.#checkName(name);
    const reconcile = this.#reconcile(primary);
    const owns = this.#owns(primary);
    const planned = watches.flatMap((watch): PlannedWatch | [] => {
      const decorator = `${this.#say('Watches')} on ${watch.method}`;
      this.#checkOptions(decorator, watch, ['kind', 'method', 'labels', 'fields', 'wholeCluster', 'predicates']);
      const predicates = this.#predicates(decorator, watch.predicates);
      const kind = this.#kind(decorator, watch.kind);
      return kind === undefined
        ? []
        : {
            ...kind,
            labels: watch.labels ?? {},
            fields: watch.fields ?? {},
            wholeCluster: watch.wholeCluster === true,
            predicates,
            method: watch.method,
          };
    });
    const indexes = this.#indexes(primary, [...owns, ...planned]);
    const finalizers = this.#finalizers();
    const periodMs = this.#periodMs();
    const rbac = planRbac(this.#class, ({ code, message, method }) => this.#report(code, message, method));
    if (!this.#isSound || primary === undefined || reconcile === undefined) return undefined;
    return {
      kind: primary.kind,
      resource: primary.resource,
      controllerClass: this.#class as ConcreteClass,
      name,
      hasStatus: hasStatus(primary.kind),
      hasConditions: hasConditions(primary.kind),
      predicates,
      acrossNamespaces: controller.acrossNamespaces === true,
      owns,
      watches: planned,
      indexes,
      finalizers,
      rbac,
      channels: this.#declarations.channels.map(({ method }) => method),
      periodMs,
      ...reconcile,
    };
  }

  /** A decorator as this controller's author wrote it. */
  #say(decorator: ControllerDecoratorName): string {
    return wordOf(this.#class, decorator);
  }

  #report(code: ErrorCode, message: string, method?: string): void {
    this.#isSound = false;
    this.#mistakes.push({ code, controllerClass: this.#class, ...(method === undefined ? {} : { method }), message });
  }

  #reportMissingController(): void {
    const { owns, watches, finalizers, channels, reconciles } = this.#declarations;
    const declared = { Owns: owns, Watches: watches, Finalizer: finalizers, Channel: channels, Reconcile: reconciles };
    const [decorator] = Object.entries(declared).find(([, list]) => list.length > 0) ?? [];
    const found = decorator && `@${decorator}`;
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
    this.#checkOptions(`${this.#say('Reconcile')} on ${method}`, reconcile, ['method', 'maxConcurrent', 'timeout']);
    if (!Number.isInteger(maxConcurrent) || maxConcurrent < 1) {
      this.#report(
        'invalid-option',
        `maxConcurrent of ${this.#say('Reconcile')} is ${maxConcurrent}; give a whole number from 1`,
        method,
      );
    }
    let timeoutMs: number | undefined;
    try {
      if (timeout !== undefined) timeoutMs = durationMs(timeout);
    } catch (error) {
      if (!(error instanceof EvenkeelError)) throw error;
      this.#report(error.code, `timeout of ${this.#say('Reconcile')}: ${error.message}`, method);
    }
    return { reconcileMethod: method, maxConcurrent, timeoutMs };
  }

  #owns(primary: PlannedKind | undefined): PlannedOwned[] {
    const owns = this.#declarations.owns.flatMap((owned): PlannedOwned | [] => {
      this.#checkOptions(this.#say('Owns'), owned, ['kind', 'predicates']);
      const predicates = this.#predicates(this.#say('Owns'), owned.predicates);
      const kind = this.#kind(this.#say('Owns'), owned.kind);
      return kind === undefined ? [] : { ...kind, predicates };
    });
    const seen = new Set<string>();
    for (const { kind, resource } of owns) {
      const gvk = formatGroupVersionKind(resource);
      if (primary?.resource.namespaced === true && !resource.namespaced) {
        this.#report(
          'owner-reference-refused',
          `${this.#say('Owns')}(${kind.name}): a ${primary.resource.kind} has a namespace and a ${resource.kind} has none, so it cannot own one (the garbage collector would delete it); write it with an injected Client, and delete it in a finalizer`,
        );
      }
      if (seen.has(gvk)) {
        this.#report(
          'duplicate-declaration',
          `${this.#say('Owns')}(${kind.name}) stands there twice; keep one of them`,
        );
      }
      seen.add(gvk);
    }
    return owns;
  }

  #predicates(decorator: string, predicates: unknown): readonly Predicate[] {
    if (predicates === undefined) return [];
    if (Array.isArray(predicates) && predicates.every((predicate) => typeof predicate === 'function'))
      return predicates;
    this.#report(
      'invalid-option',
      `predicates of ${decorator} is not a list of functions; give one, such as [generationChanged]`,
    );
    return [];
  }

  #finalizers(): PlannedFinalizer[] {
    const { finalizers } = this.#declarations;
    const methods = new Map<string, string>();
    for (const finalizer of finalizers) {
      const { name, method, order = 0 } = finalizer;
      this.#checkOptions(`${this.#say('Finalizer')} on ${method}`, finalizer, ['name', 'method', 'order']);
      if (!isFinalizerName(name)) {
        this.#report(
          'invalid-option',
          `${JSON.stringify(name)} cannot be a finalizer's name; give a domain of yours and a name of at most 63 letters, digits, "-", "_" and ".", such as "example.com/dns-record"`,
          method,
        );
      }
      if (!Number.isFinite(order)) {
        this.#report('invalid-option', `order of ${this.#say('Finalizer')} is ${String(order)}; give a number`, method);
      }
      const other = methods.get(name);
      if (other !== undefined) {
        this.#report(
          'duplicate-declaration',
          `${this.#say('Finalizer')}("${name}") stands on ${other} and ${method}; give each finalizer a name of its own`,
        );
      }
      methods.set(name, method);
    }
    return finalizers.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0)).map(({ name, method }) => ({ name, method }));
  }

  #periodMs(): number | undefined {
    const [every, ...others] = this.#declarations.periods;
    if (every === undefined) return undefined;
    const { method, period } = every;
    const isReconcile = this.#declarations.reconciles.some((reconcile) => reconcile.method === method);
    if (others.length > 0 || !isReconcile) {
      const methods = this.#declarations.periods.map((declaration) => declaration.method).join(' and ');
      this.#report(
        'invalid-option',
        functionControllerOf(this.#class) === undefined
          ? `@Every stands on ${methods}; put it above the method with @Reconcile, once`
          : 'it says .every more than once; keep one of them',
      );
    }
    try {
      const periodMs = durationMs(period);
      if (periodMs >= shortestPeriodMs) return periodMs;
      this.#report(
        'invalid-option',
        `the period of ${this.#say('Every')} is ${period}; give at least a second`,
        method,
      );
    } catch (error) {
      if (!(error instanceof EvenkeelError)) throw error;
      this.#report(error.code, `${this.#say('Every')}: ${error.message}`, method);
    }
    return undefined;
  }

  #indexes(primary: PlannedKind | undefined, cached: readonly (PlannedOwned | PlannedWatch)[]): PlannedIndex[] {
    const methods = new Map<string, string>();
    return this.#declarations.indexes.flatMap((index): PlannedIndex | [] => {
      const { name, method } = index;
      const indexed = 'kind' in index ? this.#kind(`${this.#say('Index')}("${name}")`, index.kind) : primary;
      if (indexed === undefined) return [];
      const { kind, resource } = indexed;
      const metadataOnly = 'metadataOnly' in indexed && indexed.metadataOnly === true;
      const id = `${name} ${groupResourceOf(resource)} ${metadataOnly}`;
      const other = methods.get(id);
      if (other !== undefined) {
        this.#report(
          'duplicate-declaration',
          `${this.#say('Index')}("${name}") stands on ${other} and ${method}; give each index a name of its own`,
        );
      }
      methods.set(id, method);
      const isCached = [...(primary === undefined ? [] : [primary]), ...cached].some(
        (known) => known.kind === kind && ('metadataOnly' in known && known.metadataOnly) === metadataOnly,
      );
      if (!isCached) {
        const named = metadataOnly ? `Metadata(${kind.name})` : kind.name;
        this.#report(
          'kind-not-cached',
          `${this.#say('Index')}("${name}", ${named}) indexes what this controller neither reconciles nor owns nor watches; add ${this.#say('Owns')} or ${this.#say('Watches')} of ${named}`,
          method,
        );
      }
      return { kind, resource, metadataOnly, name, method };
    });
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

/** What is shorter is a mistake of units. */
const shortestPeriodMs = 1000;

/**
 * A qualified name with its domain (apimachinery, `validation.IsQualifiedName`). The server lets some names without a domain
 * pass; those are Kubernetes' own.
 */
function isFinalizerName(name: string): boolean {
  const [domain = '', local = '', ...rest] = String(name).split('/');
  return (
    rest.length === 0 &&
    domain.length <= 253 &&
    domain.split('.').every((label) => /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(label)) &&
    local.length <= 63 &&
    /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(local)
  );
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
      message: `it is named "${name}", and so is ${other}; their logs, metrics and children could not be told apart: give one another name with ${wordOf(controllerClass, 'Controller')}(Kind, { name: "..." })`,
    });
  }
}

/** The one that runs first would take the other's finalizer off. */
function reportSharedFinalizers(plans: readonly ControllerPlan[], mistakes: ControllerMistake[]): void {
  const classOf = new Map<string, string>();
  for (const { finalizers, resource, controllerClass } of plans) {
    for (const { name, method } of finalizers) {
      const id = `${groupResourceOf(resource)} ${name}`;
      const other = classOf.get(id);
      if (other === undefined) {
        classOf.set(id, controllerClass.name);
        continue;
      }
      mistakes.push({
        code: 'duplicate-declaration',
        controllerClass,
        method,
        message: `${wordOf(controllerClass, 'Finalizer')}("${name}") is also ${other}'s, on the same kind; give each finalizer a name of its own`,
      });
    }
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
