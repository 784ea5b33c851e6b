import { badRequest } from '../status/refusal.ts';

export interface FieldRequirement {
  readonly field: string;
  readonly value: string;
  readonly negated: boolean;
}

/** Parses a `fieldSelector`: `a=b,c!=d`. In a value, a backslash escapes a comma, an equals sign or a backslash. */
export function parseFieldSelector(text: string): readonly FieldRequirement[] {
  if (text === '') return [];
  return splitTerms(text)
    .filter((term) => term !== '')
    .map((term) => {
      const match = /^((?:[^=!\\]|\\.)*)(!=|==|=)((?:.|\n)*)$/.exec(term);
      if (match === null) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
      const [, field = '', operator, value = ''] = match;
      const [bad] = value.match(/\\(?:[\\,=]|.?)/gs)?.filter((found) => !/^\\[\\,=]$/.test(found)) ?? [];
      if (bad !== undefined) throw badRequest(`invalid field selector: invalid escape sequence: ${bad}`);
      return { field, value: value.replace(/\\([\\,=])/g, '$1'), negated: operator === '!=' };
    });
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === ',') {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

export function matchesFields(requirements: readonly FieldRequirement[], fields: (name: string) => string): boolean {
  return requirements.every(
    ({ field, value, negated }) => (field === '' && value === '') || (fields(field) === value) !== negated,
  );
}
