import { EvenkeelError } from '@evenkeel/core';
import type { OptionsCaller } from './check-options.ts';

/** Throws `invalid-option` if `validator` is not an ObjectValidator, so that the mistake does not first show with an object. */
export function checkValidator(given: unknown, caller: OptionsCaller): void {
  if (given === undefined) return;
  const { validate, prepare } = (given ?? {}) as { readonly validate?: unknown; readonly prepare?: unknown };
  const isPrepared = prepare === undefined || typeof prepare === 'function';
  if (typeof given === 'object' && typeof validate === 'function' && isPrepared) return;
  throw new EvenkeelError(
    'invalid-option',
    `${caller}(): the option "validator" is not an ObjectValidator: ${problemOf(given)}`,
  );
}

function problemOf(given: unknown): string {
  if (typeof given === 'function') {
    return 'it is a function; call it, as in classValidator(), or write { validate: (object) => [...] }';
  }
  if (typeof given === 'object' && given !== null) {
    if ('then' in given) return 'it is a promise; await it, as in await definitionValidator([...])';
    return 'it has no method validate, or its prepare is not a method; pass an object with validate(object), which returns a list of findings';
  }
  return `it is ${given === null ? 'null' : `a ${typeof given}`}; remove it, or pass classValidator() of @evenkeel/schema/validator`;
}
