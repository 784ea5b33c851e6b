import { statusCauseOf } from '@evenkeel/apimachinery/field-error';
import type { StatusCause } from '@evenkeel/core';
import { checkCustomResourceDefinition } from '../check-crd.ts';
import type { CustomResourceDefinition } from '../custom-resource-definition.ts';
import { decodeCustomResourceDefinition } from '../decode-crd.ts';
import type { CorpusEntry, OldDefinition } from './corpus-entry.fixture.ts';

/** The result for a definition, from the API server or from us, in a common form. */
export interface Verdict {
  /** The errors without duplicates, as `path | reason | message`, sorted. Undefined if there are none. */
  readonly errors?: readonly string[];
  /** The path, without keys, of a value of the wrong JSON type; empty if the API server names none. */
  readonly undecoded?: string;
  readonly warnings?: readonly string[];
}

/** Our verdict on an entry. Of several values of the wrong type, the one that `expected` names is reported, if it exists. */
export function ownVerdict({ crd, old }: CorpusEntry, expected?: Verdict): Verdict {
  const undecoded = decodeCustomResourceDefinition(crd).errors.map(({ field }) => field.replaceAll(/\[[^\]]*\]/g, ''));
  const [first] = undecoded;
  if (first !== undefined) {
    const wanted = expected?.undecoded ?? first;
    return { undecoded: wanted === '' || undecoded.includes(wanted) ? wanted : first };
  }
  const { errors, warnings } = checkCustomResourceDefinition(crd, old === undefined ? undefined : storedOf(old));
  return verdictOf(errors.map(statusCauseOf), warnings);
}

/** The verdict for errors and warnings. */
export function verdictOf(causes: readonly StatusCause[], warnings: readonly string[]): Verdict {
  return {
    ...(causes.length === 0 ? {} : { errors: [...new Set(causes.map(comparable))].sort() }),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings].sort() }),
  };
}

/** A definition as the API server stores it once it serves the kind, or does not because another definition has it. */
export function storedOf({ crd, state }: OldDefinition): CustomResourceDefinition {
  const { crd: stored } = checkCustomResourceDefinition(crd);
  const conditions = [{ type: 'Established', status: state === 'conflicting' ? 'False' : 'True' }];
  return { ...stored, status: { ...stored.status, conditions } };
}

/** An error without the structs that messages print in Go's internal form. */
function comparable({ field, reason, message = '' }: StatusCause): string {
  const shown = message.replace(
    /^Invalid value: (?:\[\]apiextensions|[[{]).*?[}\]]: (?=must|only)/s,
    'Invalid value: ...: ',
  );
  // The server numbers types, and the numbers have no meaning.
  return `${field} | ${reason} | ${shown.replaceAll(/selfType\d+/g, 'selfType')}`;
}

/** The paths of the errors of a verdict. */
export function pathsOf({ errors = [] }: Verdict): string[] {
  return [...new Set(errors.map((error) => error.slice(0, error.indexOf(' | '))))];
}
