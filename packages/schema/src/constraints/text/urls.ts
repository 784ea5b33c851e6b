import type { TextValidation } from '../../regular-expression/expression-validations.ts';
import { literalPattern, whitespace } from '../../regular-expression/translate-expression.ts';
import { type ConstraintRules, looser, tighten } from '../rule/constraint.ts';
import { ipv4, ipv6, urlPort } from './addresses.ts';
import { domainName } from './domain-names.ts';
import { anyCase, optionsOf, textRule } from './text-rule.ts';

type Options = Readonly<Record<string, unknown>>;

const reason =
  'the validator rejects some user names that look like a scheme, and counts a character beyond U+FFFF twice';
/** The limit of validator.js, which comes from Internet Explorer. */
const defaultMaxLength = 2084;
const defaultProtocols = ['http', 'https', 'ftp'];

const never = `<>${whitespace}`;
const name = `[^/?#@:${never}]`;
const anyHost = `[^/?#${never}]*`;

function schemeOf(options: Options): string {
  if (options['require_valid_protocol'] === false) return '[a-zA-Z][a-zA-Z0-9+.\\-]*:(?://)?';
  const protocols = Array.isArray(options['protocols']) ? options['protocols'].map(String) : defaultProtocols;
  const known = protocols.filter((protocol) => /^[a-z][a-z0-9+\-.]*$/.test(protocol)).map(anyCase);
  return `(?:${known.join('|')}):(?://)?`;
}

function hostOf(options: Options): string {
  const list = options['host_whitelist'];
  if (Array.isArray(list)) {
    return list.every((one) => typeof one === 'string') ? `(?:${list.map(literalPattern).join('|')})` : anyHost;
  }
  const host = `(?:${ipv4}|${domainName(options)}|\\[${ipv6}\\])`;
  return options['require_host'] === false ? `${host}?` : host;
}

function urlPattern(options: Options): string {
  const scheme = schemeOf(options);
  const relative = options['allow_protocol_relative_urls'] ? `(?:${scheme}|//)` : `(?:${scheme})`;
  const start = options['require_protocol'] ? scheme : `${relative}?`;
  const user = options['disallow_auth'] ? '' : `(?:(?:${name}+(?::${name}*)?|:${name}+)@)?`;
  const port = options['require_port'] ? `:${urlPort}` : `(?::(?:${urlPort})?)?`;
  const path = `(?:/[^?#${never}]*)?(?:[?#][^${never}]*)?`;
  return `^${start}${user}${hostOf(options)}${port}${path}$`;
}

const rule = textRule((parameters) => {
  const options = optionsOf(parameters);
  const refused = ['^mailto:'];
  if (options['allow_fragments'] === false) refused.push('#');
  if (options['allow_query_components'] === false) refused.push('[?&]');
  const all: TextValidation[] = [{ pattern: urlPattern(options) }, { not: { pattern: refused.join('|') } }];
  const leftOut = options['host_blacklist'] ? '; the schema does not check host_blacklist' : '';
  return { all, outcome: looser(`${reason}${leftOut}`) };
}, looser(reason));

/** The decorator for URLs. The server's format `uri` accepts another set: not `example.com`, but any scheme. */
export const urlRules: ConstraintRules = {
  isUrl: {
    ...rule,
    apply: (schema, parameters, validator) => {
      const options = optionsOf(parameters);
      const max = options['max_allowed_length'] ?? defaultMaxLength;
      if (options['validate_length'] !== false && typeof max === 'number' && max >= 0) {
        tighten(schema, 'maxLength', Math.floor(max));
      }
      return rule.apply?.(schema, parameters, validator);
    },
  },
};
