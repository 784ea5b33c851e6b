import { whitespace } from '../../regular-expression/translate-expression.ts';
import type { ConstraintRules } from '../rule/constraint.ts';
import { patternRule, textRule } from './text-rule.ts';

const digit = '[0-9a-fA-F]';
const space = `[${whitespace}]`;

const byte = '(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])';
const percent = '(?:[1-9]?[0-9]|100)%';
const alpha = '(?:0?\\.[0-9][0-9]?|1(?:\\.0)?|0(?:\\.0)?)';

function rgb(component: string): string {
  return `rgb\\((?:${component},){2}${component}\\)|rgba\\((?:${component},){3}${alpha}\\)`;
}

const number = '[+-]?(?:[0-9]+(?:\\.[0-9]+)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?';
const angle = `${number}(?:[dD][eE][gG]|[gG][rR][aA][dD]|[rR][aA][dD]|[tT][uU][rR][nN])?`;
const comma = `${space}*,${space}*`;
/** White space is ignored around brackets and commas; elsewhere it counts as one space. */
const hsl =
  `^${space}*[hH][sS][lL][aA]?\\(${space}*${angle}` +
  `(?:(?:${comma}${number}%){2}(?:${comma}${number}%?)?${space}*` +
  `|(?:${space}+${number}%){2}${space}*(?:/${space}+${number}%?${space}*)?)\\)${space}*$`;

/** Decorators for colours. The server's formats `hexcolor` and `rgbcolor` accept other sets. */
export const colorRules: ConstraintRules = {
  isHexColor: patternRule(`^#?(?:${[3, 4, 6, 8].map((digits) => `${digit}{${digits}}`).join('|')})$`),
  isRgbColor: textRule(([includePercentValues = true]) =>
    includePercentValues ? `^(?:${rgb(byte)}|${rgb(percent)})$` : `^(?:${rgb(byte)})$`,
  ),
  isHSL: patternRule(hsl),
};
