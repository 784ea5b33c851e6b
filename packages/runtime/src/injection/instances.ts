import type { Injection, Injections, Instances } from './injection.ts';
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
  /** The values that the manager provides, by their class, such as Client, Logger, Clock and EventRecorder. */
  readonly values: ReadonlyMap<AnyClass, unknown>;
  /** The user's classes. Each has one instance. */
  readonly services: readonly ConcreteClass[];
  readonly controllers: readonly ConcreteClass[];
  /** The lister for a `@ListerOf` parameter of `target`. Throws if its kind is not cached. */
  readonly listerFor: (target: ConcreteClass, declaration: ListerDeclaration) => unknown;
  readonly lifeCycle: LifeCycle;
}

/**
 * Prepares the instances of controllers and services. Constructor parameters are resolved by class, or by `@ListerOf`. Throws for
 * a parameter that cannot be injected before anything is created; the error names the class, the position and the type.
 *
 * Supports inversify's `@injectable`, `@inject(TheClass)`, `@postConstruct` and `@preDestroy`. If a class uses names, tags,
 * symbols or injected properties, a container of inversify creates all instances. The container is loaded only then, because
 * that takes a fifth of an operator's start time.
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
 * Creates the only instance of a class. If that fails, destroys all created instances, then rejects with
 * `class-not-constructible` or `hook-failed`, which names the class.
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
      throw new Error(`${target.name} needs itself (${names}); move the code that both need to a third class`);
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

/** Resolves the constructor parameters of controllers and services. Adds parameters that cannot be injected to `mistakes`. */
export function injectionsOf(contents: Omit<WiringContents, 'lifeCycle'>, mistakes: EvenkeelError[]): Injections {
  const targets = new Set([...contents.services, ...contents.controllers]);
  return new Map([...targets].map((target) => [target, injectionsInto(target, contents, mistakes)]));
}

/** Resolves the parameters of one constructor; undefined if only inversify can resolve them. */
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
      new EvenkeelError('parameter-not-injectable', `${target.name}${placeOf(target)}: ${whyNotRecorded(target)}`),
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
  { values, services, listerFor }: Omit<WiringContents, 'lifeCycle'>,
): Injection {
  if (lister !== undefined) return { value: listerFor(target, lister) };
  if (typeof type === 'function' && type !== Object) {
    if (values.has(type as AnyClass)) return { value: values.get(type as AnyClass) };
    if (services.includes(type as ConcreteClass)) return { instanceOf: type as ConcreteClass };
  }
  throw new EvenkeelError(
    'parameter-not-injectable',
    `${target.name}${placeOf(target)}: ${parameterName(target, index)} ${whyNot(type)}`,
  );
}

function whyNotRecorded(target: ConcreteClass): string {
  return isDecoratedWithoutMetadata(target)
    ? 'the compiler did not record the types of its constructor parameters, although the class has a decorator; set "emitDecoratorMetadata": true in its tsconfig.json, or jsc.transform.decoratorMetadata for swc (Node\'s type stripping and esbuild cannot record types)'
    : 'the compiler did not record the types of its constructor parameters, because the class has no decorator; add @injectable() of inversify above it';
}

function whyNot(type: unknown): string {
  if (type === undefined) {
    return 'has an undefined class, because an import cycle used the class before it was defined; move one of the two classes to its own module';
  }
  if (type === Object) {
    return 'has an interface, a union or `any` as its type, which does not exist at run time; use a class as its type';
  }
  const name = typeof type === 'function' ? type.name : String(type);
  if (name === 'Lister') return 'is a Lister without a kind; write @ListerOf(YourKind) before it';
  if (['String', 'Number', 'Boolean', 'Array', 'Function', 'Symbol', 'Promise'].includes(name)) {
    return `is a ${name}, which cannot be injected; use a class that contains it`;
  }
  return `is a ${name}, which is not provided; add ${name} to \`services\``;
}
