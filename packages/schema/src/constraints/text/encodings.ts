import { whitespace } from '../../regular-expression/translate-expression.ts';
import { type ConstraintRules, exact } from '../rule/constraint.ts';
import { observedRule } from './observed-rule.ts';
import { optionsOf, patternRule, shapeRule, textRule } from './text-rule.ts';

function base64(options: Readonly<Record<string, unknown>>): string {
  const character = options['urlSafe'] ? '[A-Za-z0-9_-]' : '[A-Za-z0-9+/]';
  const isPadded = options['padding'] ?? !options['urlSafe'];
  if (!isPadded) return `^${character}*$`;
  return `^(?:${character}{4})*(?:${character}{2}==|${character}{3}=)?$`;
}

const part = '[A-Za-z0-9_-]*';

const space = `[${whitespace}]`;
const mediaType = '[a-zA-Z]+/[a-zA-Z0-9+._-]+';
const attributes = '(?:;[a-zA-Z-]+=[a-zA-Z0-9-]+)*(?:;[bB][aA][sS][eE]64)?';
const dataUri =
  `^${space}*data:(?:${mediaType})?${attributes}${space}*,` + `[a-zA-Z0-9!$&'()*+,;=._~:@/?%${whitespace}-]*$`;

const jsonSpace = '[ \\t\\n\\r]*';
const anything = '(?s:.*)';

/** Decorators for data that is encoded in a string. */
export const encodingRules: ConstraintRules = {
  isHexadecimal: patternRule('^(?:0[xXhH])?[0-9a-fA-F]+$'),
  isOctal: patternRule('^(?:0[oO])?[0-7]+$'),
  isBase32: textRule(() => ({
    all: [{ pattern: '^[A-Z2-7]+=*$' }, { pattern: '^(?:[A-Z2-7=]{8})+$' }],
    outcome: exact,
  })),
  isBase58: patternRule('^[A-HJ-NP-Za-km-z1-9]*$'),
  isBase64: textRule((parameters) => base64(optionsOf(parameters))),
  isJwt: { decorator: 'IsJWT', ...patternRule(`^${part}\\.${part}\\.${part}$`) },
  isJson: {
    decorator: 'IsJSON',
    ...shapeRule(
      `^${jsonSpace}(?:\\{${anything}\\}|\\[${anything}\\])${jsonSpace}$`,
      'the validator parses the string, but the schema checks only the outer brackets',
    ),
  },
  isDataURI: patternRule(dataUri),
  isMimeType: observedRule({ name: 'isMimeType' }),
};
