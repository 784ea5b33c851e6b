import { jsonEqual } from '@evenkeel/apimachinery/json';
import type { ErrorCode, PropertyDeclaration } from '@evenkeel/core';
import { type Instability, jsonOf } from './initial-values.ts';

/** The initialiser of a property. */
export interface Initialiser {
  readonly value: unknown;
  /** Set if it returned a different value in another instance. */
  readonly unstable: Instability | undefined;
  /** Whether the source has an initialiser, whatever its value. */
  readonly isWritten: boolean;
}

export interface DefaultValue {
  /** Whether there is a default, even one that a CRD cannot express. */
  readonly exists: boolean;
  readonly value?: unknown;
}

/** The default of a property, from `@Default` or from its initialiser. A default that a CRD cannot express is reported. */
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
        ? '@Default(null) has no effect, because the API server drops null; remove it'
        : '@Default(): the value is not JSON; use strings, numbers, booleans, arrays and plain objects of these',
    );
    return { exists: true };
  }
  if (initial.value !== undefined && !jsonEqual(initial.value, value)) {
    report(
      'invalid-default',
      `@Default(${short(value)}) and its initialiser (${short(initial.value)}) are different; remove one of them`,
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
      report('invalid-default', 'its initialiser is undefined, which is not a default; remove it, or write "?"');
    }
    return { exists: false };
  }
  if (value === null && says.some((declaration) => declaration.says === 'nullable')) return { exists: true };
  const json = jsonOf(value);
  if (json !== undefined) return { exists: true, value: json };
  report(
    'invalid-default',
    'its initialiser is not JSON, so it cannot be the default of the CRD; use strings, numbers, booleans, arrays and classes of these, and omit values that are null',
  );
  return { exists: true };
}

const instabilities: Readonly<Record<Instability, string>> = {
  always: 'returns a different value each time',
  elsewhere: 'returns a different value at another time, on another host or with other environment variables',
};

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
