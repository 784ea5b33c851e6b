import 'reflect-metadata';
import { type AnyClass, EvenkeelError, type ListerDeclaration, placeOf } from '@evenkeel/core';
import { type ConstructorParameter, constructorParameters, parameterName } from './constructor-parameters.ts';
import type { ConcreteClass } from './controller-plan.ts';

export interface WiringContents {
  /** What the manager itself offers, by the class that asks for it: its Client, Logger, Clock and EventRecorder. */
  readonly values: ReadonlyMap<AnyClass, unknown>;
  /** The user's own classes. One instance each. */
  readonly services: readonly ConcreteClass[];
  readonly controllers: readonly ConcreteClass[];
  /** The lister for a `@ListerOf` parameter of `target`. Throws where that kind is not cached. */
  readonly listerFor: (target: ConcreteClass, declaration: ListerDeclaration) => unknown;
}

/** The controllers and services of a manager, each made once, when it is first asked for. */
export interface Instances {
  get<T extends object>(target: ConcreteClass<T>): Promise<T>;
  /** Ends those that have something to end. */
  dispose(): Promise<void>;
}

/** What a constructor's parameter is given: another class's instance, or a value there is already. */
export type Injection = { readonly instanceOf: ConcreteClass } | { readonly value: unknown };

/** By class, what its constructor is given; undefined where inversify's decorators say it. */
export type Injections = ReadonlyMap<ConcreteClass, readonly Injection[] | undefined>;

/**
 * The instances of controllers and services. Each constructor parameter is found by its class, or by `@ListerOf`; what
 * cannot be injected is told by class, position and type before anything is made.
 *
 * Where a class uses inversify's decorators, all are made by a container of inversify, which obeys them. It is loaded only
 * then: it is a fifth of an operator's start.
 */
export async function createInstances(contents: WiringContents): Promise<Instances> {
  const targets = new Set([...contents.services, ...contents.controllers]);
  const injections: Injections = new Map([...targets].map((target) => [target, injectionsOf(target, contents)]));
  if (![...targets].some(isDescribedToInversify)) return new PlainInstances(injections);
  const { InversifyInstances } = await import('./inversify-instances.ts');
  return new InversifyInstances(injections, contents.values);
}

/** Makes the one instance of a class. Waits for inversify's `@postConstruct` where it has one. */
export async function construct<T extends object>(instances: Instances, target: ConcreteClass<T>): Promise<T> {
  try {
    return await instances.get(target);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EvenkeelError('class-not-constructible', `${target.name} could not be made: ${reason}`, { cause: error });
  }
}

class PlainInstances implements Instances {
  readonly #injections: Injections;
  readonly #made = new Map<ConcreteClass, object>();

  constructor(injections: Injections) {
    this.#injections = injections;
  }

  async get<T extends object>(target: ConcreteClass<T>): Promise<T> {
    return this.#make(target, []) as T;
  }

  async dispose(): Promise<void> {}

  #make(target: ConcreteClass, within: readonly ConcreteClass[]): object {
    const made = this.#made.get(target);
    if (made !== undefined) return made;
    const path = [...within, target];
    if (within.includes(target)) {
      const names = path.map(({ name }) => name).join(' -> ');
      throw new Error(`${target.name} needs itself (${names}); take what both need into a third class`);
    }
    const values = (this.#injections.get(target) ?? []).map((injection) =>
      'value' in injection ? injection.value : this.#make(injection.instanceOf, path),
    );
    const instance = new target(...values);
    this.#made.set(target, instance);
    return instance;
  }
}

function injectionsOf(target: ConcreteClass, contents: WiringContents): readonly Injection[] | undefined {
  const parameters = constructorParameters(target);
  const needsLister = parameters?.some(({ lister }) => lister !== undefined) === true;
  if (!needsLister && isDescribedToInversify(target)) return undefined;
  if (parameters === undefined) {
    throw new EvenkeelError(
      'parameter-not-injectable',
      `${target.name}: its constructor has parameters but the class has no decorator, so the compiler recorded nothing of them; add @injectable() of inversify above it`,
    );
  }
  return parameters.map((parameter, index) => injectionOf(target, parameter, index, contents));
}

function injectionOf(
  target: ConcreteClass,
  { type, lister }: ConstructorParameter,
  index: number,
  { values, services, listerFor }: WiringContents,
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

function whyNot(type: unknown): string {
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
  return `is a ${name}, which nobody provides; add ${name} to \`services\``;
}

/** Inversify's decorators leave metadata under keys of its own. */
function isDescribedToInversify(target: AnyClass): boolean {
  return Reflect.getOwnMetadataKeys(target).some((key) => String(key).includes('@inversifyjs/'));
}
