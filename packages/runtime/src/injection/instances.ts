import 'reflect-metadata';
import type { ConcreteClass } from '@evenkeel/core';
import { type AnyClass, EvenkeelError, type ListerDeclaration, placeOf } from '@evenkeel/core';
import {
  type ConstructorParameter,
  constructorParameters,
  isDecoratedWithoutMetadata,
  parameterName,
} from './constructor-parameters.ts';
import { needsContainer } from './inversify-metadata.ts';
import { LifeCycle, notConstructible } from './life-cycle.ts';

export interface WiringContents {
  /** What the manager itself offers, by the class that asks for it: its Client, Logger, Clock and EventRecorder. */
  readonly values: ReadonlyMap<AnyClass, unknown>;
  /** The user's own classes. One instance each. */
  readonly services: readonly ConcreteClass[];
  /** Where a class is to be listed to be one of those. Default: the option of the manager. */
  readonly listedIn?: string;
  readonly controllers: readonly ConcreteClass[];
  /** The lister for a `@ListerOf` parameter of `target`. Throws where that kind is not cached. */
  readonly listerFor: (target: ConcreteClass, declaration: ListerDeclaration) => unknown;
  readonly lifeCycle: LifeCycle;
}

/** The controllers and services of a manager, each made once, when it is first asked for. */
export interface Instances {
  /**
   * Resolves when the instance, and all that it needs, has been made and has had its `@postConstruct`; rejects where the
   * life cycle is stopped before.
   */
  get<T extends object>(target: ConcreteClass<T>): Promise<T>;
  /**
   * Calls `@preDestroy` of those that were made, last first, and says whether each has ended; see {@link LifeCycle.end}. What
   * throws there is logged.
   */
  dispose(abort?: AbortSignal): Promise<boolean>;
}

/** What a constructor's parameter is given: another class's instance, or a value there is already. */
export type Injection = { readonly instanceOf: ConcreteClass } | { readonly value: unknown };

/** By class, what its constructor is given; undefined where only inversify can tell. */
export type Injections = ReadonlyMap<ConcreteClass, readonly Injection[] | undefined>;

/**
 * The instances of controllers and services. Each constructor parameter is found by its class, or by `@ListerOf`; what
 * cannot be injected is told by class, position and type before anything is made.
 *
 * Inversify's `@injectable`, `@inject(TheClass)`, `@postConstruct` and `@preDestroy` are obeyed. Where a class asks for
 * more, by names, tags, symbols or injected properties, all are made by a container of inversify. It is loaded only then:
 * it is a fifth of an operator's start.
 */
export async function createInstances(contents: WiringContents): Promise<Instances> {
  const mistakes: EvenkeelError[] = [];
  const injections = injectionsOf(contents, mistakes);
  const [mistake] = mistakes;
  if (mistake !== undefined) throw mistake;
  const targets = [...injections.keys()];
  if (!targets.some(needsContainer)) return new PlainInstances(injections, contents.lifeCycle);
  const { InversifyInstances } = await import('./inversify-instances.ts');
  return new InversifyInstances(injections, contents.values, contents.lifeCycle);
}

/**
 * Makes the one instance of a class. Rejects with `class-not-constructible` or `hook-failed`, which name the class that
 * failed; what was made until then is ended first.
 */
export async function construct<T extends object>(instances: Instances, target: ConcreteClass<T>): Promise<T> {
  try {
    return await instances.get(target);
  } catch (error) {
    await instances.dispose();
    if (error instanceof EvenkeelError && ['class-not-constructible', 'hook-failed'].includes(error.code)) throw error;
    throw notConstructible(target, error);
  }
}

class PlainInstances implements Instances {
  readonly #injections: Injections;
  readonly #lifeCycle: LifeCycle;
  readonly #made = new Map<ConcreteClass, Promise<object>>();

  constructor(injections: Injections, lifeCycle: LifeCycle) {
    this.#injections = injections;
    this.#lifeCycle = lifeCycle;
  }

  async get<T extends object>(target: ConcreteClass<T>): Promise<T> {
    return (await this.#lifeCycle.waitFor(() => this.#instanceOf(target, []))) as T;
  }

  dispose(abort?: AbortSignal): Promise<boolean> {
    return this.#lifeCycle.end(abort);
  }

  #instanceOf(target: ConcreteClass, within: readonly ConcreteClass[]): Promise<object> {
    const path = [...within, target];
    if (within.includes(target)) {
      const names = path.map(({ name }) => name).join(' -> ');
      throw new Error(`${target.name} needs itself (${names}); take what both need into a third class`);
    }
    const made = this.#made.get(target) ?? this.#make(target, path);
    this.#made.set(target, made);
    return made;
  }

  async #make(target: ConcreteClass, path: readonly ConcreteClass[]): Promise<object> {
    const values: unknown[] = [];
    for (const injection of this.#injections.get(target) ?? []) {
      values.push('value' in injection ? injection.value : await this.#instanceOf(injection.instanceOf, path));
    }
    let instance: object;
    try {
      instance = new target(...values);
    } catch (error) {
      throw notConstructible(target, error);
    }
    return this.#lifeCycle.begin(target, instance);
  }
}

/** What the constructors of controllers and services are given. What cannot be injected is added to `mistakes`. */
export function injectionsOf(contents: Omit<WiringContents, 'lifeCycle'>, mistakes: EvenkeelError[]): Injections {
  const targets = new Set([...contents.services, ...contents.controllers]);
  return new Map([...targets].map((target) => [target, injectionsInto(target, contents, mistakes)]));
}

/** The same of one constructor; undefined where only inversify can tell. */
export function injectionsInto(
  target: ConcreteClass,
  contents: Omit<WiringContents, 'lifeCycle'>,
  mistakes: EvenkeelError[],
): readonly Injection[] | undefined {
  const parameters = constructorParameters(target);
  const needsLister = parameters?.some(({ lister }) => lister !== undefined) === true;
  if (!needsLister && needsContainer(target)) return undefined;
  if (parameters === undefined) {
    mistakes.push(
      new EvenkeelError(
        'parameter-not-injectable',
        `${target.name}${placeOf(target)}: its constructor has parameters ${whyNotRecorded(target)}`,
      ),
    );
    return [];
  }
  return parameters.flatMap((parameter, index): Injection | [] => {
    try {
      return injectionOf(target, parameter, index, contents);
    } catch (error) {
      if (!(error instanceof EvenkeelError)) throw error;
      mistakes.push(error);
      return [];
    }
  });
}

function injectionOf(
  target: ConcreteClass,
  { type, lister }: ConstructorParameter,
  index: number,
  { values, services, listerFor, listedIn = '`services`' }: Omit<WiringContents, 'lifeCycle'>,
): Injection {
  if (lister !== undefined) return { value: listerFor(target, lister) };
  if (typeof type === 'function' && type !== Object) {
    if (values.has(type as AnyClass)) return { value: values.get(type as AnyClass) };
    if (services.includes(type as ConcreteClass)) return { instanceOf: type as ConcreteClass };
  }
  throw new EvenkeelError(
    'parameter-not-injectable',
    `${target.name}${placeOf(target)}: ${parameterName(target, index)} ${whyNot(type, listedIn)}`,
  );
}

function whyNotRecorded(target: ConcreteClass): string {
  return isDecoratedWithoutMetadata(target)
    ? 'of which the compiler recorded nothing, although the class has a decorator; set "emitDecoratorMetadata": true in the tsconfig.json that it is compiled by, and for swc jsc.transform.decoratorMetadata; Node\'s own type stripping and esbuild cannot record them'
    : 'but the class has no decorator, so the compiler recorded nothing of them; add @injectable() of inversify above it';
}

function whyNot(type: unknown, listedIn: string): string {
  if (type === undefined) {
    return 'has a class that was undefined when the decorators ran, as in an import cycle; move one of the two classes into a module of its own';
  }
  if (type === Object) {
    return 'has an interface, a union or `any` as its type, of which nothing is left at run time; ask for a class';
  }
  const name = typeof type === 'function' ? type.name : String(type);
  if (name === 'Lister') return 'is a Lister, but does not say of what; write @ListerOf(YourKind) before it';
  if (['String', 'Number', 'Boolean', 'Array', 'Function', 'Symbol', 'Promise'].includes(name)) {
    return `is a ${name}, which cannot be injected; ask for a class that holds it`;
  }
  return `is a ${name}, which nobody provides; add ${name} to ${listedIn}`;
}
