import type { ConstraintRules } from '../rule/constraint.ts';
import { restrictToValues } from '../value/listed-values.ts';
import { patternRule, shapeRule } from './text-rule.ts';

const halfWidth = '\\x{20}-\\x{7E}\\x{FF61}-\\x{FF9F}\\x{FFA0}-\\x{FFDC}\\x{FFE8}-\\x{FFEE}';

/** Letters with another case, from alphabets in which they are in contiguous ranges. */
const capitals = 'A-ZÀ-ÖØ-ÞΆΈ-ΊΌΎΏΑ-ΡΣ-ΫЀ-Я';
const smallLetters = 'a-zµß-öø-ÿάέ-ία-ώа-џ';

const otherAlphabets =
  'the schema checks the case only of Latin, Greek and Cyrillic letters, without most accented letters';

/** Decorators for the characters of a string. */
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
