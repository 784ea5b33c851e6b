import { didYouMean } from '../errors/did-you-mean.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { EvenkeelError } from '../errors/evenkeel-error.ts';
import type { KindClass } from '../kind/api-resource.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';
import type { Predicate } from '../predicate/object-event.ts';
import { type Duration, durationMs } from '../time/duration.ts';
import type { AnyClass, KindReference, WatchedReference } from './class-reference.ts';
import type { ControllerMistake } from './controller-mistake.ts';
import { wordOf } from './function-controller.ts';
import type { CachedKind } from './planned-kind.ts';
import { resolveWatched } from './resolve-reference.ts';
import { resourceOf } from './resource-of.ts';

/** Reads what several decorators of a controller's class have in common, and collects what is wrong with that class. */
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

  /** Whether nothing has been reported of this class. */
  get isSound(): boolean {
    return this.#isSound;
  }

  /** The kind that the controller reconciles; undefined where it says none, and before `@Controller` is read. */
  get primary(): CachedKind | undefined {
    return this.#primary;
  }

  /** The kinds that the controller keeps in a cache, its own first, as far as its decorators are read. */
  get cached(): readonly CachedKind[] {
    return this.#cached;
  }

  /** A decorator as this controller's author wrote it. */
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
      const mend = didYouMean(option, options) || `; it takes ${options.join(', ')}`;
      this.report('unknown-option', `${decorator}: unknown option "${option}"${mend}`);
    }
  }

  predicates(decorator: string, predicates: unknown): readonly Predicate[] {
    if (predicates === undefined) return [];
    if (Array.isArray(predicates) && predicates.every((predicate) => typeof predicate === 'function'))
      return predicates;
    this.report(
      'invalid-option',
      `predicates of ${decorator} is not a list of functions; give one, such as [generationChanged]`,
    );
    return [];
  }

  /** The kind that a class or a thunk names, told whole or by its metadata; undefined where it names none. */
  kind(decorator: string, reference: WatchedReference | KindReference | undefined): CachedKind | undefined {
    const resolved = reference === undefined ? undefined : this.#resolve(decorator, reference);
    if (resolved === 'failed') return undefined;
    if (resolved?.kind === undefined) {
      this.report(
        'invalid-option',
        `${decorator} was given undefined: the module of that class had not run yet, which an import cycle does; give a thunk instead, such as () => TheClass`,
      );
      return undefined;
    }
    // What is no type error where nobody checks types.
    if (typeof resolved.kind !== 'function') {
      this.report(
        'invalid-option',
        `${decorator} was given ${describeGiven(resolved.kind)}, which is no class; give the class itself, imported from "evenkeel" or from a module of yours`,
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

  /** The same for a kind that the controller keeps in a cache. */
  cachedKind(decorator: string, reference: WatchedReference | KindReference | undefined): CachedKind | undefined {
    const kind = this.kind(decorator, reference);
    if (kind !== undefined) this.#cached = [...this.#cached, kind];
    return kind;
  }

  /** The same for the kind that it reconciles. */
  primaryKind(decorator: string, reference: KindReference | undefined): CachedKind | undefined {
    this.#primary = this.cachedKind(decorator, reference);
    return this.#primary;
  }

  #reportNoKind(decorator: string, { code, message }: EvenkeelError): void {
    this.report(code, `${decorator} names a class that is no kind: ${message}`);
  }

  /** `option` is what a message calls it. Undefined where it is no duration. */
  durationMs(option: string, duration: Duration, method: string): number | undefined {
    try {
      return durationMs(duration);
    } catch (error) {
      if (!(error instanceof EvenkeelError)) throw error;
      this.report(error.code, `${option}: ${error.message}`, method);
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
      if (error instanceof EvenkeelError) this.#reportNoKind(decorator, error);
      else
        this.report(
          'invalid-option',
          `${decorator} was given a function that throws (${error instanceof Error ? error.message : String(error)}); give a class, or a function that returns one`,
        );
      return 'failed';
    }
  }
}

function describeGiven(given: unknown): string {
  if (typeof given === 'string') return `the text ${JSON.stringify(given)}`;
  return given === null || typeof given === 'object' ? 'an object' : `${typeof given} ${String(given)}`;
}
