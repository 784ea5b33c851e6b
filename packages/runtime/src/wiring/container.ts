import 'reflect-metadata';
import { type AnyClass, EvenkeelError, type ListerDeclaration } from '@evenkeel/core';
import { Container, type ServiceIdentifier } from 'inversify';
import { type ConstructorParameter, constructorParameters } from './constructor-parameters.ts';
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

/**
 * A container that makes controllers and services. A class that uses inversify's decorators is made by their rules; for
 * any other, each constructor parameter is found by its class, or by `@ListerOf`. What cannot be injected is told by
 * class, position and type before anything is made.
 */
export function createContainer(contents: WiringContents): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  for (const [type, value] of contents.values) container.bind(type as ServiceIdentifier).toConstantValue(value);
  for (const target of [...contents.services, ...contents.controllers]) {
    if (!container.isBound(target)) bindClass(container, target, contents);
  }
  return container;
}

/** Makes the one instance of a class. Waits for inversify's `@postConstruct` where it has one. */
export async function construct<T extends object>(container: Container, target: ConcreteClass<T>): Promise<T> {
  try {
    return await container.getAsync<T>(target);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EvenkeelError('class-not-constructible', `${target.name} could not be made: ${reason}`, { cause: error });
  }
}

function bindClass(container: Container, target: ConcreteClass, contents: WiringContents): void {
  const parameters = constructorParameters(target);
  const needsLister = parameters?.some(({ lister }) => lister !== undefined) === true;
  if (!needsLister && isDescribedToInversify(target)) {
    container.bind(target).toSelf().inSingletonScope();
    return;
  }
  if (parameters === undefined) {
    throw new EvenkeelError(
      'parameter-not-injectable',
      `${target.name}: its constructor has parameters but the class has no decorator, so the compiler recorded nothing of them; add @injectable() of inversify above it`,
    );
  }
  const injected = parameters.map((parameter, index) => identifierOf(container, target, parameter, index, contents));
  container
    .bind(target)
    .toResolvedValue((...values: unknown[]) => new target(...values), injected)
    .inSingletonScope();
}

function identifierOf(
  container: Container,
  target: ConcreteClass,
  { type, lister }: ConstructorParameter,
  index: number,
  contents: WiringContents,
): ServiceIdentifier {
  if (lister !== undefined) {
    const identifier = Symbol(`${target.name} lister ${index}`);
    container.bind(identifier).toConstantValue(contents.listerFor(target, lister));
    return identifier;
  }
  const known = typeof type === 'function' && type !== Object;
  if (known && (contents.values.has(type as AnyClass) || contents.services.includes(type as ConcreteClass))) {
    return type as ServiceIdentifier;
  }
  throw new EvenkeelError(
    'parameter-not-injectable',
    `${target.name}: parameter ${index + 1} of its constructor ${whyNot(type)}`,
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
