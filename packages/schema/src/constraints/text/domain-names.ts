import { allowsAsciiOnly } from '../../regular-expression/ascii-pattern.ts';
import { type ConstraintRules, exact, looser } from '../rule/constraint.ts';
import { optionsOf, textRule } from './text-rule.ts';

// validator.js allows letters outside of ASCII, but not full-width forms, and in the last label neither white space nor
// private characters. A label has at most 63 UTF-16 code units.

const beyondAscii = '\\x{A1}-\\x{FF00}\\x{FF5F}-\\x{10FFFF}';
const beyondAsciiInLast =
  '\\x{A1}-\\x{A8}\\x{AA}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}' +
  '\\x{2060}-\\x{2FFF}\\x{3001}-\\x{D7FF}\\x{F900}-\\x{FDCF}\\x{FDF0}-\\x{FEFE}\\x{FF00}\\x{FF5F}-\\x{FFEF}';
const beyondAsciiNoSpace =
  '\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}' +
  '\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}\\x{FF00}\\x{FF5F}-\\x{10FFFF}';

/** The reason for differences in length. */
export const countsCharacters =
  'the schema counts a character beyond U+FFFF once in the length of a name, but the validator twice; exclude them with @IsAscii()';

/**
 * The pattern of a domain name for validator.js' isFQDN, without `^` and `$`. If names without a dot are allowed, it also
 * matches names whose last label is a number.
 */
export function domainName(options: Readonly<Record<string, unknown>>): string {
  const hasNoLimit = options['ignore_max_length'] === true;
  const ascii = options['allow_underscores'] ? 'a-zA-Z0-9_' : 'a-zA-Z0-9';
  const label = labelOf(`${ascii}${beyondAscii}`, hasNoLimit);
  const isNumberAllowed = Boolean(options['allow_numeric_tld']);
  const wildcard = options['allow_wildcard'] === true ? '(?:\\*\\.)?' : '';
  const dot = options['allow_trailing_dot'] ? '\\.?' : '';
  if (options['require_tld'] === false) return `${wildcard}${label}(?:\\.${label})*${dot}`;
  const last = isNumberAllowed
    ? labelOf(`${ascii}${beyondAsciiNoSpace}`, hasNoLimit)
    : `(?:[a-zA-Z${beyondAsciiInLast}]{2,${hasNoLimit ? '' : 63}}|[xX][nN][a-zA-Z0-9-]{1,${hasNoLimit ? '' : 60}}[a-zA-Z0-9])`;
  return `${wildcard}(?:${label}\\.)+${last}${dot}`;
}

function labelOf(characters: string, hasNoLimit: boolean): string {
  return `[${characters}](?:[${characters}-]{0,${hasNoLimit ? '' : 61}}[${characters}])?`;
}

/** Matches a name whose last label is a number. */
const endsInNumber = '(?:^|\\.)[0-9]+$';
const endsInNumberOrDot = '(?:^|\\.)[0-9]+\\.?$';

const rule = textRule((parameters) => {
  const options = optionsOf(parameters);
  const all = [{ pattern: `^${domainName(options)}$` }];
  const numbers = options['allow_trailing_dot'] ? endsInNumberOrDot : endsInNumber;
  const isNumberRefused = options['require_tld'] === false && !options['allow_numeric_tld'];
  return { all: isNumberRefused ? [...all, { not: { pattern: numbers } }] : all, outcome: exact };
}, looser(countsCharacters));

/** The decorator for domain names. */
export const domainNameRules: ConstraintRules = {
  isFqdn: {
    ...rule,
    decorator: 'IsFQDN',
    settle: (schema, parameters) => {
      const hasNoLimit = optionsOf(parameters)['ignore_max_length'] === true;
      return hasNoLimit || allowsAsciiOnly(schema) ? exact : looser(countsCharacters);
    },
  },
};
