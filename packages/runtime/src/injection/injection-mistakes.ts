import type { ConcreteClass } from '@evenkeel/core';
import { type ControllerMistake, type ControllerPlan, type EvenkeelError, placeOf } from '@evenkeel/core';
import { injectionsInto } from './instances.ts';
import { listerCheck } from './listed-kind.ts';
import { providedClasses } from './provided-classes.ts';

/**
 * The mistakes that a manager would find in the constructors of controllers and of the services that they use, according to the
 * metadata of the compiler and the decorators. Constructs nothing. For programs that check a project without running it.
 *
 * Does not check a class that uses inversify's names, tags, symbols, optional parameters or injected properties, or services
 * that only such a class uses, because only inversify's container can resolve them. Does not check unused services.
 *
 * @param services all services, used or not.
 * @param plans the plans of the controllers whose declarations have no mistake.
 */
export function injectionMistakes(
  controllers: readonly ConcreteClass[],
  services: readonly ConcreteClass[],
  plans: readonly ControllerPlan[],
): ControllerMistake[] {
  const contents: Parameters<typeof injectionsInto>[1] = {
    values: providedClasses,
    services,
    controllers,
    listerFor: listerCheck(controllers, plans),
  };
  const found: ControllerMistake[] = [];
  // Iterating a set includes entries that are added meanwhile.
  const asked = new Set(controllers);
  for (const controllerClass of asked) {
    const errors: EvenkeelError[] = [];
    for (const injection of injectionsInto(controllerClass, contents, errors) ?? []) {
      if ('instanceOf' in injection) asked.add(injection.instanceOf);
    }
    found.push(
      ...errors.map(({ code, message }) => ({
        code,
        controllerClass,
        message: withoutClass(message, controllerClass),
      })),
    );
  }
  return found;
}

/** The class and place of a mistake are separate from its message. */
function withoutClass(message: string, target: ConcreteClass): string {
  const prefix = `${target.name}${placeOf(target)}: `;
  return message.startsWith(prefix) ? message.slice(prefix.length) : message;
}
