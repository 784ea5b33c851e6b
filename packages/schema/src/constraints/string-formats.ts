import { addValidation, type ConstraintRule, type ConstraintRules, notExpressible } from './constraint.ts';
import { patternRule } from './strings.ts';

// The patterns say what validator.js 13 accepts, each in the part of its language that RE2 shares. The server's own
// formats of the same names mean other sets (`uuid` without dashes, `ipv4` with leading zeros), so they do not serve.

const hexadecimal = '[0-9a-fA-F]';
const ipv4Segment = '(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])';
const ipv4 = `(?:${ipv4Segment}\\.){3}${ipv4Segment}`;
const group = `${hexadecimal}{1,4}`;
const ipv6 = [
  `(?:${group}:){7}(?:${group}|:)`,
  `(?:${group}:){6}(?:${ipv4}|:${group}|:)`,
  `(?:${group}:){5}(?::${ipv4}|(?::${group}){1,2}|:)`,
  ...[1, 2, 3, 4].map(
    (elided) => `(?:${group}:){${5 - elided}}(?:(?::${group}){0,${elided}}:${ipv4}|(?::${group}){1,${elided + 2}}|:)`,
  ),
  `:(?:(?::${group}){0,5}:${ipv4}|(?::${group}){1,7}|:)`,
].join('|');
const ipv6WithZone = `(?:${ipv6})(?:%[0-9a-zA-Z.]+)?`;

const numericIdentifier = '(?:0|[1-9][0-9]*)';
const preReleaseIdentifier = '(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)';
const semanticVersion =
  `^${numericIdentifier}\\.${numericIdentifier}\\.${numericIdentifier}` +
  `(?:-${preReleaseIdentifier}(?:\\.${preReleaseIdentifier})*)?(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$`;

const domainName =
  '^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\\.)+(?:[a-zA-Z]{2,63}|[xX][nN][a-zA-Z0-9-]{1,60}[a-zA-Z0-9])$';

const port = '^(?:[+]?(?:0|[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])|-0)$';

const rfc3339 =
  '^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:[12][0-9]|0[1-9]|3[01])[ tT](?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?(?:[zZ]|[-+](?:[01][0-9]|2[0-3]):[0-5][0-9])$';

const string = () => 'string' as const;

/** A rule whose pattern depends on what the decorator was given; without one, the reason. */
function choice(choose: (parameters: readonly unknown[]) => string | { readonly reason: string }): ConstraintRule {
  return {
    grade: 'exact',
    implies: string,
    apply: (schema, parameters) => {
      const chosen = choose(parameters);
      if (typeof chosen !== 'string') return notExpressible(chosen.reason);
      addValidation(schema, { pattern: chosen });
      return undefined;
    },
  };
}

const onlyDefaults = { reason: 'only its default options have a pattern' };

/** Decorators that name a format. */
export const stringFormatRules: ConstraintRules = {
  isPort: patternRule(port),
  isIp: {
    ...choice(([version]) => {
      if (version === undefined) return `^(?:${ipv4}|${ipv6WithZone})$`;
      if (String(version) === '4') return `^${ipv4}$`;
      return String(version) === '6' ? `^${ipv6WithZone}$` : { reason: 'it knows the versions 4 and 6' };
    }),
    decorator: 'IsIP',
  },
  isFqdn: {
    decorator: 'IsFQDN',
    ...choice(([options]) => (options === undefined ? domainName : onlyDefaults)),
    grade: 'stricter',
    reason: 'names with letters outside of ASCII, which it accepts, have to be sent in their xn-- form',
  },
  isEmail: {
    grade: 'looser',
    reason: 'format email accepts more, for instance a name before the address',
    implies: string,
    apply: (schema) => {
      schema.format = 'email';
      return undefined;
    },
  },
  isUrl: {
    grade: 'not-expressible',
    reason: 'format uri refuses what it accepts without a scheme; use @Matches for the form you need',
    implies: string,
  },
  isUuid: {
    ...choice(([version]) => {
      const nil = '00000000-0000-0000-0000-000000000000';
      if (version === undefined || version === null || version === 'all') {
        return `^(?:${uuid('[1-8]')}|${nil}|[fF]{8}-[fF]{4}-[fF]{4}-[fF]{4}-[fF]{12})$`;
      }
      return /^[1-8]$/.test(String(version)) ? `^${uuid(String(version))}$` : onlyDefaults;
    }),
    decorator: 'IsUUID',
  },
  isHexColor: patternRule(`^#?(?:${[3, 4, 6, 8].map((digits) => `${hexadecimal}{${digits}}`).join('|')})$`),
  isHexadecimal: patternRule(`^(?:0[xXhH])?${hexadecimal}+$`),
  isSemVer: patternRule(semanticVersion),
  isBase64: choice(([options]) =>
    options === undefined ? '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$' : onlyDefaults,
  ),
  isAlpha: choice(([locale]) => (locale === undefined || locale === 'en-US' ? '^[A-Za-z]+$' : onlyDefaults)),
  isAlphanumeric: choice(([locale]) => (locale === undefined || locale === 'en-US' ? '^[0-9A-Za-z]+$' : onlyDefaults)),
  isAscii: patternRule('^[\\x00-\\x7F]+$'),
  isNumberString: choice(([options]) => (options === undefined ? '^[+-]?([0-9]*[.])?[0-9]+$' : onlyDefaults)),
  isMilitaryTime: patternRule('^([01][0-9]|2[0-3]):?([0-5][0-9])$'),
  isRFC3339: patternRule(rfc3339),
  isDateString: isoDate(),
  isIso8601: { ...isoDate(), decorator: 'IsISO8601' },
  isJson: { decorator: 'IsJSON', grade: 'not-expressible', reason: 'it parses the text', implies: string },
};

function uuid(version: string): string {
  return `${hexadecimal}{8}-${hexadecimal}{4}-${version}${hexadecimal}{3}-[89abAB]${hexadecimal}{3}-${hexadecimal}{12}`;
}

function isoDate(): ConstraintRule {
  return {
    grade: 'not-expressible',
    reason: 'it accepts every form of ISO 8601 ("2026", "2026-W07"); use @IsRFC3339() for an instant',
    implies: string,
  };
}
