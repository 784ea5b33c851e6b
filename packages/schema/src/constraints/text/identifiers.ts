import type { ConstraintRules } from '../rule/constraint.ts';
import { observedRule } from './observed-rule.ts';
import { anyCase, patternRule, type TextMeaning, textRule, unsaid } from './text-rule.ts';

const digit = '[0-9a-fA-F]';
const nil = '00000000-0000-0000-0000-000000000000';
const max = '[fF]{8}-[fF]{4}-[fF]{4}-[fF]{4}-[fF]{12}';

function uuid(version: string, variant = '[89abAB]'): string {
  return `${digit}{8}-${digit}{4}-${version}${digit}{3}-${variant}${digit}{3}-${digit}{12}`;
}

/**
 * The pattern for the version in the decorator. The server's format `uuid` accepts other strings, for example without dashes.
 */
function uuidOf(version: unknown): string | undefined {
  const name = version === undefined || version === null ? 'all' : String(version);
  if (/^[1-8]$/.test(name)) return uuid(name);
  switch (name) {
    case 'all':
      return `${uuid('[1-8]')}|${nil}|${max}`;
    case 'loose':
      return uuid(digit, digit);
    case 'nil':
      return nil;
    case 'max':
      return max;
    default:
      return undefined;
  }
}

function uuidMeaning([version]: readonly unknown[]): TextMeaning {
  const versions = Array.isArray(version) ? version : [version];
  const patterns = versions.map(uuidOf).filter((pattern) => pattern !== undefined);
  if (patterns.length === 0) {
    return unsaid(`it does not support version ${String(version)}, and accepts no value`);
  }
  return `^(?:${patterns.join('|')})$`;
}

const number = '(?:0|[1-9][0-9]*)';
const preRelease = '(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)';
const semanticVersion =
  `^${number}\\.${number}\\.${number}(?:-${preRelease}(?:\\.${preRelease})*)?` +
  '(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$';

const shortHashes = ['aich', 'bitprint', 'btih', 'ed2k', 'ed2khash', 'kzhash', 'md5', 'sha1', 'tree:tiger'];
const topic =
  `(?:(?:${shortHashes.map(anyCase).join('|')}):[a-zA-Z0-9]{32}(?:[a-zA-Z0-9]{8})?` +
  `|${anyCase('btmh')}:1220[a-zA-Z0-9]{64})`;
/** The topic may be at any position among the parameters. */
const magnet = `^magnet:\\?(?:(?s:.*)[^?&]&)?${anyCase('xt')}(?:\\.1)?=${anyCase('urn')}:${topic}(?:$|&)`;

/** Decorators for generated identifiers. */
export const identifierRules: ConstraintRules = {
  isUuid: { decorator: 'IsUUID', ...textRule(uuidMeaning) },
  isSemVer: patternRule(semanticVersion),
  isMongoId: patternRule(`^(?:${digit}{24}|0[xXhH]${digit}{22})$`),
  IsFirebasePushId: patternRule('^[a-zA-Z0-9_-]{20}$'),
  isEthereumAddress: patternRule(`^0[xX]${digit}{40}$`),
  isBtcAddress: patternRule('^(?:(?:bc1p?|tb1p?)[ac-hj-np-z02-9]{39,58}|[123m][A-HJ-NP-Za-km-z1-9]{25,39})$'),
  isISRC: patternRule('^[A-Z]{2}[0-9A-Z]{3}[0-9]{7}$'),
  isHash: observedRule({ name: 'isHash' }),
  isMagnetURI: patternRule(magnet),
};
