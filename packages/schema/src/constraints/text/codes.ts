import * as validators from 'class-validator';
import { whitespace } from '../../regular-expression/translate-expression.ts';
import { type ConstraintRule, type ConstraintRules, looser } from '../rule/constraint.ts';
import { checkedRule, places } from './checked-rule.ts';
import { observedRule } from './observed-rule.ts';
import { optionsOf, shapeRule, textRule, unsaid } from './text-rule.ts';

const digits = [...'0123456789'];
const small = [...'abcdefghijklmnopqrstuvwxyz'];
const capitals = small.map((letter) => letter.toUpperCase());

/** All codes of some letters that a function of class-validator accepts. Its lists are not exported. */
function codesOf(accepts: (code: string) => boolean, letters: readonly string[], length: number): readonly string[] {
  let prefixes = [''];
  for (let at = 0; at < length; at++) prefixes = prefixes.flatMap((prefix) => letters.map((one) => prefix + one));
  return prefixes.filter(accepts);
}

/** Single characters whose upper case is one of these letters, besides the lower-case letter. */
const capitalisedTo: Readonly<Record<string, string>> = { I: 'ı', S: 'ſ' };
const capitalisedToPairs: Readonly<Record<string, string>> = { SS: 'ß', FF: 'ﬀ', FI: 'ﬁ', FL: 'ﬂ', ST: 'ﬅﬆ' };

/** Codes in any case, for functions that convert the string to upper case first: for them, ß is the code SS. */
function anyCase(codes: readonly string[]): string {
  const endings = new Map<string, Set<string>>();
  const add = (start: string, end: string) => endings.set(start, (endings.get(start) ?? new Set()).add(end));
  for (const code of codes) {
    for (const start of written(code.slice(0, -1))) add(start, letter(code.slice(-1)));
    const pair = capitalisedToPairs[code.slice(-2)];
    if (pair !== undefined) for (const start of written(code.slice(0, -2))) add(start, pair);
  }
  return [...endings].map(([start, ends]) => `${start}[${[...ends].join('')}]`).join('|');
}

/** The patterns of all ways to write some letters. */
function written(text: string): readonly string[] {
  const single = [...text].map((one) => `[${letter(one)}]`).join('');
  const pair = text.length === 2 ? capitalisedToPairs[text] : undefined;
  return pair === undefined ? [single] : [single, `[${pair}]`];
}

function letter(capital: string): string {
  return `${capital}${capital.toLowerCase()}${capitalisedTo[capital] ?? ''}`;
}

/** Codes whose case matters. */
function listed(list: () => readonly string[]): ConstraintRule {
  return textRule(() => `^(?:${list().join('|')})$`);
}

const alpha2 = () => codesOf((code) => validators.isISO31661Alpha2(code), capitals, 2);
const alpha3 = () => codesOf((code) => validators.isISO31661Alpha3(code), capitals, 3);
const currencies = () => codesOf((code) => validators.isISO4217CurrencyCode(code), capitals, 3);

const checkDigit = 'the schema checks the format, but not the check digit';
const space = `[${whitespace}-]*`;

/** Characters whose upper case is an ASCII letter, and digits. */
const ibanCharacter = '[0-9A-Za-zıſßﬀ-ﬆ]';

/** Decorators for codes that a list or a standard defines. */
export const codeRules: ConstraintRules = {
  isISO31661Alpha2: textRule(() => `^(?:${anyCase(alpha2())})$`),
  isISO31661Alpha3: textRule(() => `^(?:${anyCase(alpha3())})$`),
  isISO31661Numeric: listed(() => codesOf((code) => validators.isISO31661Numeric(code), digits, 3)),
  isISO4217CurrencyCode: textRule(() => `^(?:${anyCase(currencies())})$`),
  isISO6391: listed(() => codesOf((code) => validators.isISO6391(code), small, 2)),
  isLocale: observedRule({ name: 'isLocale' }),
  isBIC: textRule(() => {
    const countries = codesOf((code) => validators.isBIC(`AAAA${code}AA`), capitals, 2);
    const written = countries.map(
      ([first = '', second = '']) => `[${first}${first.toLowerCase()}][${second}${second.toLowerCase()}]`,
    );
    return `^[A-Za-z]{4}(?:${written.join('|')})[A-Za-z0-9]{2}(?:[A-Za-z0-9]{3})?$`;
  }),
  isIBAN: shapeRule(
    `^${space}(?:(?:[A-Za-zıſ]${space}){2}|ﬁ${space})(?:[0-9]${space}){2}(?:${ibanCharacter}${space}){4,30}$`,
    `${checkDigit} or the formats of the countries`,
  ),
  isEAN: checkedRule(() => ({
    shape: '[0-9]{8}|[0-9]{13,14}',
    maxLength: 14,
    sum: `${places(14)}.map(at, at < size(self) ? int(self.substring(size(self) - at - 1, size(self) - at)) * (at % 2 == 0 ? 1 : 3) : 0)`,
    modulus: 10,
  })),
  isIsin: {
    decorator: 'IsISIN',
    ...checkedRule(() => ({
      shape: '[A-Z]{2}[0-9A-Z]{9}[0-9]',
      maxLength: 12,
      // A letter becomes two digits, each weighted by the number of digits to its right.
      sum:
        `${places(12)}.map(at, ['0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'.indexOf(self.substring(at, at + 1))].map(one, ` +
        "(11 - at + size(self.substring(at + 1).findAll('[A-Z]'))) % 2 == 0 ? one % 10 + one / 10 * 2 " +
        ': one % 10 * 2 - (one % 10 > 4 ? 9 : 0) + one / 10)[0])',
      modulus: 10,
    })),
  },
  isISSN: checkedRule((parameters) => {
    const { case_sensitive, require_hyphen } = optionsOf(parameters);
    const digit = "self.replace('-', '').substring(at, at + 1)";
    return {
      shape: `[0-9]{4}-${require_hyphen ? '' : '?'}[0-9]{3}[0-9X${case_sensitive ? '' : 'x'}]`,
      maxLength: 9,
      sum: `${places(8)}.map(at, (${digit} in ['X', 'x'] ? 10 : int(${digit})) * (8 - at))`,
      modulus: 11,
    };
  }),
  isIsbn: {
    decorator: 'IsISBN',
    ...textRule(([version]) => {
      const ten = `(?:[0-9]${space}){9}[0-9X]${space}`;
      const thirteen = `(?:[0-9]${space}){13}`;
      const all = { '10': ten, '13': thirteen, '': `(?:${ten}|${thirteen})` }[version ? String(version) : ''];
      if (all === undefined)
        return unsaid('it supports only the versions 10 and 13, and accepts no value for another version');
      return { all: [{ pattern: `^${space}${all}$` }], outcome: looser(checkDigit) };
    }, looser(checkDigit)),
  },
  isCreditCard: shapeRule('^(?:[ -]*[0-9]){4,}[ -]*$', `${checkDigit} or the numbers of the issuers`),
};
