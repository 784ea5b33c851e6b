import type { ConstraintRules } from '../rule/constraint.ts';
import { optionsOf, patternRule, textRule, unsaid } from './text-rule.ts';

// The patterns accept what validator.js 13 accepts. The server's formats of the same names accept other sets (`ipv4` with
// leading zeros, `mac` with mixed separators), so they cannot be used.

const digits = '[0-9a-fA-F]';
const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const group = `${digits}{1,4}`;

export const ipv4 = `(?:${octet}\\.){3}${octet}`;

const ipv6Address = [
  `(?:${group}:){7}(?:${group}|:)`,
  `(?:${group}:){6}(?:${ipv4}|:${group}|:)`,
  `(?:${group}:){5}(?::${ipv4}|(?::${group}){1,2}|:)`,
  ...[1, 2, 3, 4].map(
    (elided) => `(?:${group}:){${5 - elided}}(?:(?::${group}){0,${elided}}:${ipv4}|(?::${group}){1,${elided + 2}}|:)`,
  ),
  `:(?:(?::${group}){0,5}:${ipv4}|(?::${group}){1,7}|:)`,
].join('|');

/** With the zone of a link-local address: `fe80::1%eth0`. */
export const ipv6 = `(?:${ipv6Address})(?:%[0-9a-zA-Z.]+)?`;

/** A port in a URL: 1 to 65535, with optional leading zeros. */
export const urlPort = '0*(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';

const port = '^(?:[+]?(?:0|[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])|-0)$';

/** The separators of the bytes of a MAC address. Each needs its own pattern, because RE2 has no backreferences. */
const separators = [
  '-',
  ':',
  ...[...whiteSpaceCharacters()].map((character) => `\\x{${character.toString(16).toUpperCase()}}`),
];

function* whiteSpaceCharacters(): Generator<number> {
  for (let code = 0; code <= 0xffff; code++) if (/\s/.test(String.fromCharCode(code))) yield code;
}

function hardwareAddress(options: Readonly<Record<string, unknown>>): string {
  const bytes = options['eui'] ? [Number(options['eui']) / 8] : [6, 8];
  const known = bytes.filter((count) => count === 6 || count === 8);
  // The validator ignores an unknown eui.
  const counts = known.length === 0 ? [6, 8] : known;
  if (options['no_colons'] || options['no_separators']) {
    return `^(?:${counts.map((count) => `${digits}{${count * 2}}`).join('|')})$`;
  }
  const pair = `${digits}{2}`;
  const repeated = counts.map((count) => `{${count - 1}}`);
  const separated = separators.flatMap((one) => repeated.map((times) => `(?:${one}${pair})${times}`));
  const dotted = counts.map((count) => `(?:\\.${digits}{4}){${count / 2 - 1}}`);
  return `^(?:${pair}(?:${separated.join('|')})|${digits}{4}(?:${dotted.join('|')}))$`;
}

/** Decorators for network addresses. */
export const addressRules: ConstraintRules = {
  isPort: patternRule(port),
  isIp: {
    decorator: 'IsIP',
    ...textRule(([version]) => {
      if (!version) return `^(?:${ipv4}|${ipv6})$`;
      if (String(version) === '4') return `^${ipv4}$`;
      if (String(version) === '6') return `^${ipv6}$`;
      return unsaid('it supports only the versions 4 and 6, and accepts no value for another version');
    }),
  },
  isMacAddress: { decorator: 'IsMACAddress', ...textRule((parameters) => hardwareAddress(optionsOf(parameters))) },
};
