import type { ConcreteClass } from '@evenkeel/core';
import { type ControllerMistake, type ControllerPlan, type EvenkeelError, placeOf } from '@evenkeel/core';
import { injectionsInto } from './instances.ts';
import { listerCheck } from './listed-kind.ts';
import { providedClasses } from './provided-classes.ts';

/**
 * What a manager would refuse of the constructors of controllers, and of the services that those ask for, by what the
 * compiler and the decorators recorded; nothing is constructed. For programs that check a project without running it.
 *
 * Not told of a class that asks for names, tags, symbols, optional or injected properties of inversify, nor of what only such
 * a class asks for: that only its container can tell, which knows more than classes. Nor of services that no one asks for.
 *
 * @param services all that there are, whoever asks for them.
 * @param plans those of the controllers whose declarations have no mistake.
 * @param listedIn where a service is to be listed, for messages.
 */
export function injectionMistakes(
  controllers: readonly ConcreteClass[],
  services: readonly ConcreteClass[],
  plans: readonly ControllerPlan[],
  listedIn: string,
): ControllerMistake[] {
  const contents: Parameters<typeof injectionsInto>[1] = {
    values: providedClasses,
    services,
    listedIn,
    controllers,
    listerFor: listerCheck(controllers, plans),
  };
  const found: ControllerMistake[] = [];
  // A set that is iterated comes to what is added meanwhile.
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

/** A mistake has its class and place apart. */
function withoutClass(message: string, target: ConcreteClass): string {
  const prefix = `${target.name}${placeOf(target)}: `;
  return message.startsWith(prefix) ? message.slice(prefix.length) : message;
}
