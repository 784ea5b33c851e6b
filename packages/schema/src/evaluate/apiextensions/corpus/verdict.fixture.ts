import { statusCauseOf } from '@evenkeel/apimachinery/field-error';
import type { StatusCause } from '@evenkeel/core';
import { checkCustomResourceDefinition } from '../check-crd.ts';
import type { CustomResourceDefinition } from '../custom-resource-definition.ts';
import { decodeCustomResourceDefinition } from '../decode-crd.ts';
import type { CorpusEntry, OldDefinition } from './corpus-entry.fixture.ts';

/** What is made of a definition, by the API server or by us, in a form that both have. */
export interface Verdict {
  /** What is wrong, each once as `path | reason | message`, sorted. Undefined where nothing is. */
  readonly errors?: readonly string[];
  /** The path, without keys, of a value of the wrong JSON type; empty where the API server names none. */
  readonly undecoded?: string;
  readonly warnings?: readonly string[];
}

/** Our verdict on an entry. Of several values of the wrong type, the one that `expected` names is told of, if it is there. */
export function ownVerdict({ crd, old }: CorpusEntry, expected?: Verdict): Verdict {
  const undecoded = decodeCustomResourceDefinition(crd).errors.map(({ field }) => field.replaceAll(/\[[^\]]*\]/g, ''));
  const [first] = undecoded;
  if (first !== undefined) {
    const told = expected?.undecoded ?? first;
    return { undecoded: told === '' || undecoded.includes(told) ? told : first };
  }
  const { errors, warnings } = checkCustomResourceDefinition(crd, old === undefined ? undefined : storedOf(old));
  return verdictOf(errors.map(statusCauseOf), warnings);
}

/** The verdict that errors and warnings amount to. */
export function verdictOf(causes: readonly StatusCause[], warnings: readonly string[]): Verdict {
  return {
    ...(causes.length === 0 ? {} : { errors: [...new Set(causes.map(comparable))].sort() }),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings].sort() }),
  };
}

/** A definition as the API server has it once it serves its kind, or does not because that is another's. */
export function storedOf({ crd, state }: OldDefinition): CustomResourceDefinition {
  const { crd: stored } = checkCustomResourceDefinition(crd);
  const conditions = [{ type: 'Established', status: state === 'conflicting' ? 'False' : 'True' }];
  return { ...stored, status: { ...stored.status, conditions } };
}

/** Structs that messages print in Go's internal form are left out. */
function comparable({ field, reason, message = '' }: StatusCause): string {
  const shown = message.replace(
    /^Invalid value: (?:\[\]apiextensions|[[{]).*?[}\]]: (?=must|only)/s,
    'Invalid value: ...: ',
  );
  // The server numbers types, which is of no use to anybody.
  return `${field} | ${reason} | ${shown.replaceAll(/selfType\d+/g, 'selfType')}`;
}

/** Where a verdict finds fault. */
export function pathsOf({ errors = [] }: Verdict): string[] {
  return [...new Set(errors.map((error) => error.slice(0, error.indexOf(' | '))))];
}
