import { EvenkeelError } from '@evenkeel/core';
import type { ManagerCaller } from './check-options.ts';

/** Throws `invalid-option` for a `validator` that is no ObjectValidator: found out at the first object, it is too late. */
export function checkValidator(given: unknown, caller: ManagerCaller): void {
  if (given === undefined) return;
  const { validate, prepare } = (given ?? {}) as { readonly validate?: unknown; readonly prepare?: unknown };
  const isPrepared = prepare === undefined || typeof prepare === 'function';
  if (typeof given === 'object' && typeof validate === 'function' && isPrepared) return;
  throw new EvenkeelError(
    'invalid-option',
    `${caller}(): the option "validator" is no ObjectValidator: ${mend(given)}`,
  );
}

function mend(given: unknown): string {
  if (typeof given === 'function') {
    return 'it is a function; call it, as in classValidator(), or write { validate: (object) => [...] }';
  }
  if (typeof given === 'object' && given !== null) {
    if ('then' in given) return 'it is a promise; write "await" in front of it, as in await definitionValidator([...])';
    return 'it has no method validate(object) that returns a list of findings, or a prepare that is no method';
  }
  return `it is ${given === null ? 'null' : `a ${typeof given}`}; leave it out, or give classValidator() of @evenkeel/schema/validator`;
}
