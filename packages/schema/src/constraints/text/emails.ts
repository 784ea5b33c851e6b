import { allowsAsciiOnly } from '../../regular-expression/ascii-pattern.ts';
import type { TextValidation } from '../../regular-expression/expression-validations.ts';
import { whitespace } from '../../regular-expression/translate-expression.ts';
import { type ConstraintRules, exact, looser, tighten } from '../rule/constraint.ts';
import { ipv4, ipv6 } from './addresses.ts';
import { countsCharacters, domainName } from './domain-names.ts';
import { optionsOf, textRule } from './text-rule.ts';

type Options = Readonly<Record<string, unknown>>;

const reason = `the validator counts bytes before the @; ${countsCharacters}`;
/** The maximal number of characters of an address (RFC 5321 section 4.5.3.1.3), and of bytes before the @. */
const maxLength = 254;
const maxUserLength = 64;

const beyondAscii = '\\x{D7FF}\\x{F900}-\\x{FDCF}\\x{FDF0}-\\x{FFEF}';

/** The part before the @. */
function userOf(options: Options): string {
  const isAscii = options['allow_utf8_local_part'] === false;
  const letters = isAscii ? '' : `\\x{A1}-${beyondAscii}`;
  const quotedLetters = isAscii ? '' : `\\x{A0}-${beyondAscii}`;
  const atom = `[a-zA-Z0-9!#$%&'*+\\-/=?^_\`{|}~${letters}]+`;
  const quoted = `[${whitespace}\\x{1}-\\x{8}\\x{E}-\\x{1F}\\x{7F}!#-\\[\\]-~${quotedLetters}]`;
  const escaped = `\\\\[\\x{1}-\\x{9}\\x{B}-\\x{7F}${quotedLetters}]`;
  return `(?:${atom}(?:\\.${atom})*|"(?:(?:${quoted}|${escaped})*")?)`;
}

function domainOf(options: Options): string {
  const { require_tld, ignore_max_length, allow_underscores } = options;
  const name = domainName({ require_tld, ignore_max_length, allow_underscores });
  return options['allow_ip_domain'] ? `(?:${name}|${ipv4}|${ipv6}|\\[(?:${ipv4}|${ipv6})\\])` : name;
}

/** The given options that the schema does not support. */
function leftOut(options: Options): readonly string[] {
  return [
    'blacklisted_chars',
    'domain_specific_validation',
    'host_blacklist',
    'host_whitelist',
    'allow_display_name',
    'require_display_name',
  ].filter((option) => (Array.isArray(options[option]) ? options[option].length > 0 : options[option]));
}

function hasDisplayName(options: Options): boolean {
  return Boolean(options['allow_display_name'] || options['require_display_name']);
}

const rule = textRule((parameters) => {
  const options = optionsOf(parameters);
  const address = `${userOf(options)}@${domainOf(options)}`;
  if (hasDisplayName(options)) {
    const name = `(?:[^\\x{0}-\\x{1F}\\x{7F}-\\x{9F}]+<)`;
    return { all: [{ pattern: `^${name}${options['require_display_name'] ? '' : '?'}${address}>?$` }], outcome: exact };
  }
  const all: TextValidation[] = [{ pattern: `^${address}$` }];
  if (options['ignore_max_length'] !== true) all.push({ pattern: `^(?s:.{1,${maxUserLength}})@[^@]*$` });
  return { all, outcome: exact };
}, looser(reason));

/** The decorator for email addresses. The server's format `email` accepts another set, including `Name <a@b>`. */
export const emailRules: ConstraintRules = {
  isEmail: {
    ...rule,
    apply: (schema, parameters, validator) => {
      const options = optionsOf(parameters);
      if (options['ignore_max_length'] !== true && !hasDisplayName(options)) tighten(schema, 'maxLength', maxLength);
      return rule.apply?.(schema, parameters, validator);
    },
    settle: (schema, parameters) => {
      const unknown = leftOut(optionsOf(parameters));
      const reasons = allowsAsciiOnly(schema) ? [] : [reason];
      if (unknown.length > 0) reasons.push(`the schema does not check ${unknown.join(', ')}`);
      return reasons.length === 0 ? exact : looser(reasons.join('; '));
    },
  },
};
