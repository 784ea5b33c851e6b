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

/** How a name that leads to no class of the running program is written. */
export interface UnreachedName {
  readonly resolved: ResolvedName | undefined;
  /** What its import says it is from. */
  readonly from: string | undefined;
  /** It is a class that its own module exports. */
  readonly isExported: boolean;
}

export function notReached(name: string, { resolved, from, isExported }: UnreachedName): TypeCandidate {
  const problem = (message: string): TypeCandidate => ({ is: 'problem', message });
  if (from !== undefined && !from.startsWith('.') && resolved === undefined) {
    return problem(
      `${name} of "${from}" is not known, because only your own sources are read; add @Type(() => ${name}) if it is a class, or write the type out`,
    );
  }
  if (resolved === undefined) {
    if (typescriptsOwn.has(name)) return problem(`${name}<...> has no counterpart in a schema; ${whatServes}`);
    const where = from === undefined ? 'among the classes, types and imports of this file' : `in "${from}"`;
    return problem(
      `the name ${name} is not found ${where}; import it from where it is declared, or write the type out`,
    );
  }
  if (isExported) {
    return problem(
      `the class ${name} is imported or exported as a type only, so that it is gone when the program runs; write import { ${name} } without "type"`,
    );
  }
  return problem(`the class ${name} cannot be reached from here; export ${name}, or add @Type(() => ${name})`);
}

/** Types of lib.es5.d.ts that compute another, and that are not understood. */
const typescriptsOwn: ReadonlySet<string> = new Set([
  'Awaited',
  'Capitalize',
  'ConstructorParameters',
  'InstanceType',
  'Lowercase',
  'NoInfer',
  'OmitThisParameter',
  'Parameters',
  'ReturnType',
  'ThisParameterType',
  'ThisType',
  'Uncapitalize',
  'Uppercase',
]);

export function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 80)}...` : line;
}
