import type { ImpliedType } from '../constraints/rule/constraint.ts';
import type { ResolvedName } from '../source/class-sources.ts';
import type { TypeCandidate } from './type-candidate.ts';

// Messages about declared types that a schema cannot express, with the fix.

export const whatServes = 'use string, number, boolean, a union of literals, an array, Record<string, X> or a class';

/** @param types those of all members of the union; undefined for a member whose type is not known. */
export function noSingleType(types: readonly (ImpliedType | undefined)[]): TypeCandidate {
  const known = [...new Set(types)].filter((type) => type !== undefined);
  return {
    is: 'problem',
    message: `a structural schema has one type for each property, but this union has several; ${whatServes}`,
    ...(known.length > 1 && !types.includes(undefined) ? { types: known } : {}),
  };
}

export const numberOrString: TypeCandidate = {
  is: 'problem',
  message:
    'a structural schema has one type for each property; declare it as IntOrString of @evenkeel/kinds, or add @IsIntOrString() or @IsQuantity()',
  types: ['number', 'string'],
};

export const severalClasses: TypeCandidate = {
  is: 'problem',
  message:
    "a structural schema has one type for each property; give each of the classes a discriminator property, such as type: 'http' = 'http', and export them; or declare one class with an optional property for each variant and add @Union('type', { Http: 'http', ... }) to it",
  types: ['object'],
};

export const indexSignature =
  'a schema cannot express an index signature beside properties; move the map to a separate property of type Record<string, X>';

/** The type of a JavaScript global; undefined for other names. */
export function globalType(name: string): TypeCandidate | undefined {
  if (name === 'object' || name === 'Object') return { is: 'object' };
  const message = notJson.get(name);
  return message === undefined ? undefined : { is: 'problem', message, isNotJson: true };
}

const onTheWire = 'objects are exactly their JSON, which has no';

const notJson: ReadonlyMap<string, string> = new Map([
  ['Date', 'times are RFC 3339 strings; declare it as a string with @IsRFC3339()'],
  ['Map', `${onTheWire} Map; declare it as Record<string, X>`],
  ['ReadonlyMap', `${onTheWire} Map; declare it as Record<string, X>`],
  ['Set', `${onTheWire} Set; declare it as an array with @ArrayUnique()`],
  ['ReadonlySet', `${onTheWire} Set; declare it as an array with @ArrayUnique()`],
  ['RegExp', `${onTheWire} RegExp; declare it as a string`],
  ['Promise', `${onTheWire} Promise; declare the type that it resolves to`],
  ['Function', `${onTheWire} function; make it a method`],
  ['Buffer', `${onTheWire} bytes; declare it as a string with @IsBase64()`],
  ['Uint8Array', `${onTheWire} bytes; declare it as a string with @IsBase64()`],
]);

/** A name that leads to no class of the running program. */
export interface UnreachedName {
  readonly resolved: ResolvedName | undefined;
  /** The module in its import. */
  readonly from: string | undefined;
  /** Whether it is a class that its module exports. */
  readonly isExported: boolean;
}

export function notReached(name: string, { resolved, from, isExported }: UnreachedName): TypeCandidate {
  const problem = (message: string): TypeCandidate => ({ is: 'problem', message });
  if (from !== undefined && !from.startsWith('.') && resolved === undefined) {
    return problem(
      `${name} of "${from}" is unknown, because only your own sources are read; add @Type(() => ${name}) if it is a class, or write the type out`,
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
      `the class ${name} is imported or exported only as a type, so it does not exist at run time; write import { ${name} } without "type"`,
    );
  }
  return problem(`the class ${name} cannot be reached from here; export ${name}, or add @Type(() => ${name})`);
}

/** Utility types of lib.es5.d.ts that are not supported. */
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
