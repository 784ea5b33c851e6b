import { jsonEqual } from '@evenkeel/apimachinery/json';
import type { ErrorCode, PropertyDeclaration } from '@evenkeel/core';
import { type Instability, jsonOf } from './initial-values.ts';

/** What the initialiser of a property gives. */
export interface Initialiser {
  readonly value: unknown;
  /** It gave something else another time. */
  readonly unstable: Instability | undefined;
  /** The source has one, whatever it gives. */
  readonly isWritten: boolean;
}

export interface DefaultValue {
  /** Something stands in for a missing value, be it one that a CRD cannot say. */
  readonly exists: boolean;
  readonly value?: unknown;
}

/** The default of a property, from `@Default` or else its initialiser; what a CRD cannot say is reported. */
export function readDefault(
  says: readonly PropertyDeclaration[],
  initialiser: Initialiser,
  report: (code: ErrorCode, message: string) => void,
): DefaultValue {
  const initial = readInitialiser(says, initialiser, report);
  const declared = says.find((declaration) => declaration.says === 'default');
  if (declared === undefined) return initial;
  const value = jsonOf(declared.value, true);
  if (value === undefined || value === null) {
    report(
      'invalid-default',
      value === null
        ? '@Default(null) is no default, the API server leaves it out; remove it'
        : '@Default() was given what cannot be sent as JSON; give it strings, numbers, booleans, arrays and plain objects of them',
    );
    return { exists: true };
  }
  if (initial.value !== undefined && !jsonEqual(initial.value, value)) {
    report(
      'invalid-default',
      `@Default(${short(value)}) and its initialiser (${short(initial.value)}) say different things; remove one of them`,
    );
  }
  return { exists: true, value };
}

function readInitialiser(
  says: readonly PropertyDeclaration[],
  { value, unstable, isWritten }: Initialiser,
  report: (code: ErrorCode, message: string) => void,
): DefaultValue {
  if (unstable !== undefined) {
    report(
      'invalid-default',
      `its initialiser ${instabilities[unstable]}, so it cannot be the default of the CRD; set it in the controller`,
    );
    return { exists: true };
  }
  if (value === undefined) {
    if (isWritten) {
      report('invalid-default', 'its initialiser gives undefined, which says nothing; remove it, or write "?"');
    }
    return { exists: false };
  }
  if (value === null && says.some((declaration) => declaration.says === 'nullable')) return { exists: true };
  const json = jsonOf(value);
  if (json !== undefined) return { exists: true, value: json };
  report(
    'invalid-default',
    'its initialiser gives what cannot be sent as JSON, so it cannot be the default of the CRD; use strings, numbers, booleans, arrays and classes of them, and leave out what has no value',
  );
  return { exists: true };
}

const instabilities: Readonly<Record<Instability, string>> = {
  always: 'gives another value each time',
  elsewhere: 'gives something else at another time, on another host or with other environment variables',
};

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
