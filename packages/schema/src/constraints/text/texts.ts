import type { ConstraintRules } from '../rule/constraint.ts';
import { restrictToValues } from '../value/listed-values.ts';
import { patternRule, shapeRule } from './text-rule.ts';

const halfWidth = '\\x{20}-\\x{7E}\\x{FF61}-\\x{FF9F}\\x{FFA0}-\\x{FFDC}\\x{FFE8}-\\x{FFEE}';

/** Letters that have another case, of the alphabets where those stand together. */
const capitals = 'A-ZÀ-ÖØ-ÞΆΈ-ΊΌΎΏΑ-ΡΣ-ΫЀ-Я';
const smallLetters = 'a-zµß-öø-ÿάέ-ία-ώа-џ';

const otherAlphabets = 'the schema knows the cases of Latin, Greek and Cyrillic letters, without most of their accents';

/** Decorators of the characters in a text. */
export const textRules: ConstraintRules = {
  isAscii: patternRule('^[\\x00-\\x7F]+$'),
  isMultibyte: patternRule('[^\\x00-\\x7F]'),
  isSurrogatePair: patternRule('[\\x{10000}-\\x{10FFFF}]'),
  isFullWidth: patternRule(`[^${halfWidth}]`),
  isHalfWidth: patternRule(`[${halfWidth}]`),
  isVariableWidth: patternRule(`(?s)[^${halfWidth}].*[${halfWidth}]|[${halfWidth}].*[^${halfWidth}]`),
  isLowercase: shapeRule(`^[^${capitals}]*$`, otherAlphabets),
  isUppercase: shapeRule(`^[^${smallLetters}]*$`, otherAlphabets),
  isBooleanString: {
    grade: 'exact',
    implies: () => 'string',
    apply: (schema) => restrictToValues(schema, ['true', 'false', '1', '0']),
  },
};
