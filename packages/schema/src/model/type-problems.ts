import type { ResolvedName } from '../source/class-sources.ts';
import type { TypeCandidate } from './type-candidate.ts';

// What is said of written types that a schema cannot say, with what to write instead.

export const whatServes = 'use string, number, boolean, a union of literals, an array, Record<string, X> or a class';

export const noSingleType: TypeCandidate = {
  is: 'problem',
  message: `a structural schema has one type for each property, and this union has more; ${whatServes}`,
};

export const numberOrString: TypeCandidate = {
  is: 'problem',
  message:
    'a structural schema has one type for each property; declare it as IntOrString of @evenkeel/kinds, or add @IsIntOrString() or @IsQuantity()',
};

export const severalClasses: TypeCandidate = {
  is: 'problem',
  message:
    "a structural schema has one type for each property; give each of the classes a property that tells them apart, such as type: 'http' = 'http', and export them; or declare one class with an optional property for each variant and add @Union('type', { Http: 'http', ... }) to it",
};

export const indexSignature =
  'an index signature beside properties has no counterpart in a schema; put the map into a property of its own, as Record<string, X>';

/** Types of JavaScript itself; those of other names are undefined. */
export function globalType(name: string): TypeCandidate | undefined {
  if (name === 'object' || name === 'Object') return { is: 'object' };
  const mend = notJson.get(name);
  return mend === undefined ? undefined : { is: 'problem', message: mend, isNotJson: true };
}

const onTheWire = 'objects are the JSON on the wire, which has no';

const notJson: ReadonlyMap<string, string> = new Map([
  ['Date', 'times are strings in RFC 3339; declare it as a string with @IsRFC3339()'],
  ['Map', `${onTheWire} Map; declare it as Record<string, X>`],
  ['ReadonlyMap', `${onTheWire} Map; declare it as Record<string, X>`],
  ['Set', `${onTheWire} Set; declare it as an array with @ArrayUnique()`],
  ['ReadonlySet', `${onTheWire} Set; declare it as an array with @ArrayUnique()`],
  ['RegExp', `${onTheWire} RegExp; declare it as a string`],
  ['Promise', `${onTheWire} Promise; declare what it resolves to`],
  ['Function', `${onTheWire} function; make it a method`],
  ['Buffer', `${onTheWire} bytes; declare it as a string with @IsBase64()`],
  ['Uint8Array', `${onTheWire} bytes; declare it as a string with @IsBase64()`],
]);

export function notReached(name: string, resolved: ResolvedName | undefined, from: string | undefined): TypeCandidate {
  const thunk = `add @Type(() => ${name})`;
  if (from !== undefined && !from.startsWith('.')) {
    return {
      is: 'problem',
      message: `${name} of "${from}" is not known, because only your own sources are read; ${thunk} if it is a class, or write the type out`,
    };
  }
  const mend = resolved?.is === 'class' ? `export ${name}, or ${thunk}` : thunk;
  return { is: 'problem', message: `the class ${name} cannot be reached from here; ${mend}` };
}

export function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 80)}...` : line;
}
