import { didYouMean } from '../errors/did-you-mean.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { EvenkeelError } from '../errors/evenkeel-error.ts';
import { messageOf } from '../errors/message-of.ts';
import type { ApiResource, KindClass } from '../kind/api-resource.ts';
import { formatGroupVersionKind } from '../kind/group-version-kind.ts';
import { KubernetesObject } from '../object/kubernetes-object.ts';
import type { Predicate } from '../predicate/object-event.ts';
import { type Duration, durationMs } from '../time/duration.ts';
import type { AnyClass, KindReference, WatchedReference } from './class-reference.ts';
import type { ControllerMistake } from './controller-mistake.ts';
import { wordOf } from './function-controller.ts';
import type { CachedKind } from './planned-kind.ts';
import { resolveWatched } from './resolve-reference.ts';
import { resourceOf } from './resource-of.ts';

/** Reads what several decorators of a controller class have in common, and collects the mistakes of that class. */
export class DeclarationReader {
  readonly controllerClass: AnyClass;
  readonly #mistakes: ControllerMistake[];
  #isSound = true;
  #primary: CachedKind | undefined;
  #cached: readonly CachedKind[] = [];

  constructor(controllerClass: AnyClass, mistakes: ControllerMistake[]) {
    this.controllerClass = controllerClass;
    this.#mistakes = mistakes;
  }

  /** Whether this class has no mistake so far. */
  get isSound(): boolean {
    return this.#isSound;
  }

  /** The kind that the controller reconciles; undefined if it is invalid, and before `@Controller` is read. */
  get primary(): CachedKind | undefined {
    return this.#primary;
  }

  /** The kinds that the controller caches, the reconciled kind first, according to the decorators read so far. */
  get cached(): readonly CachedKind[] {
    return this.#cached;
  }

  /** Returns a decorator as the author of this controller wrote it. */
  say(decorator: string): string {
    return wordOf(this.controllerClass, decorator);
  }

  report(code: ErrorCode, message: string, method?: string): void {
    this.#isSound = false;
    const member = method === undefined ? {} : { method };
    this.#mistakes.push({ code, controllerClass: this.controllerClass, ...member, message });
  }

  checkOptions(decorator: string, declaration: object, known: readonly string[]): void {
    for (const option of Object.keys(declaration)) {
      if (known.includes(option)) continue;
      const options = known.filter((name) => name !== 'kind' && name !== 'method');
      const fix = didYouMean(option, options) || `; use one of ${options.join(', ')}`;
      this.report('unknown-option', `${decorator}: unknown option "${option}"${fix}`);
    }
  }

  predicates(decorator: string, predicates: unknown): readonly Predicate[] {
    if (predicates === undefined) return [];
    if (Array.isArray(predicates) && predicates.every((predicate) => typeof predicate === 'function'))
      return predicates;
    this.report(
      'invalid-option',
      `predicates of ${decorator} is not a list of functions; pass a list, such as [generationChanged]`,
    );
    return [];
  }

  /** Resolves a reference to a kind or to its metadata. Returns undefined if it reported a mistake. */
  kind(decorator: string, reference: WatchedReference | KindReference | undefined): CachedKind | undefined {
    const resolved = reference === undefined ? undefined : this.#resolve(decorator, reference);
    if (resolved === 'failed') return undefined;
    if (resolved?.kind === undefined) {
      this.report(
        'invalid-option',
        `the kind of ${decorator} is undefined, because an import cycle used the class before it was defined; pass a function instead, such as () => TheClass`,
      );
      return undefined;
    }
    // A type error that a compiler without type checks does not report.
    if (typeof resolved.kind !== 'function') {
      this.report(
        'invalid-option',
        `the kind of ${decorator} is ${describeGiven(resolved.kind)}, not a class; pass the class, imported from "evenkeel" or from your own module`,
      );
      return undefined;
    }
    try {
      return { ...resolved, resource: resourceOf(resolved.kind) };
    } catch (error) {
      if (!(error instanceof EvenkeelError)) throw error;
      this.#reportNoKind(decorator, error);
      return undefined;
    }
  }

  /** The same for a kind that the controller caches. */
  cachedKind(decorator: string, reference: WatchedReference | KindReference | undefined): CachedKind | undefined {
    const kind = this.kind(decorator, reference);
    if (kind !== undefined) this.#cached = [...this.#cached, kind];
    return kind;
  }

  /** The same for the kind that the controller reconciles. */
  primaryKind(decorator: string, reference: KindReference | undefined): CachedKind | undefined {
    this.#primary = this.cachedKind(decorator, reference);
    return this.#primary;
  }

  /**
   * Reports a method whose first parameter the compiler has recorded as the class of another kind than the one that it gets, for
   * projects without type checks and for what types do not show: private methods, and kinds of the same structure.
   */
  checkParameter(decorator: string, given: CachedKind | undefined, method: string): void {
    const types: unknown = Reflect.getMetadata('design:paramtypes', this.controllerClass.prototype as object, method);
    const type: unknown = Array.isArray(types) ? types[0] : undefined;
    if (given === undefined || typeof type !== 'function' || !(type.prototype instanceof KubernetesObject)) return;
    const declared = type as KindClass;
    const { name } = given.kind;
    if (given.metadataOnly && declared === given.kind) {
      this.report(
        'kind-mismatch',
        `${decorator} gives this method only the metadata of ${name}, but its parameter is a ${name}; write Metadata<${name}>`,
        method,
      );
      return;
    }
    const resource = resourceIfKind(declared);
    if (resource === undefined || formatGroupVersionKind(resource) === formatGroupVersionKind(given.resource)) return;
    this.report(
      'kind-mismatch',
      `${decorator} gives this method a ${name}, but its parameter is a ${declared.name}; write ${given.metadataOnly ? `Metadata<${name}>` : name} as its type, or change the kind of the decorator`,
      method,
    );
  }

  #reportNoKind(decorator: string, { code, message }: EvenkeelError): void {
    this.report(code, `${decorator}: ${message}`);
  }

  /** Reads a duration, which messages call `option`. Returns undefined if it reported a mistake. */
  durationMs(option: string, duration: Duration, method: string): number | undefined {
    try {
      return durationMs(duration);
    } catch (error) {
      if (!(error instanceof EvenkeelError)) throw error;
      this.report(error.code, `${option}: ${error.message}`, method);
      return undefined;
    }
  }

  /** A reference may be a function of the user, which may throw. */
  #resolve(
    decorator: string,
    reference: WatchedReference | KindReference,
  ): { kind: KindClass<KubernetesObject>; metadataOnly: boolean } | 'failed' {
    try {
      return resolveWatched(reference);
    } catch (error) {
      if (error instanceof EvenkeelError) this.#reportNoKind(decorator, error);
      else
        this.report(
          'invalid-option',
          `the kind of ${decorator} is a function that throws (${messageOf(error)}); pass a class, or a function that returns one`,
        );
      return 'failed';
    }
  }
}

/** An abstract base class of several kinds has no resource. */
function resourceIfKind(type: KindClass): ApiResource | undefined {
  try {
    return resourceOf(type);
  } catch {
    return undefined;
  }
}

function describeGiven(given: unknown): string {
  if (typeof given === 'string') return `the string ${JSON.stringify(given)}`;
  return given === null || typeof given === 'object' ? 'an object' : `${typeof given} ${String(given)}`;
}
