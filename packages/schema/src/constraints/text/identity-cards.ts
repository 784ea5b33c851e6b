import type { TextValidation } from '../../regular-expression/expression-validations.ts';
import { whitespace } from '../../regular-expression/translate-expression.ts';
import { type ConstraintRules, exact, looser } from '../rule/constraint.ts';
import { type TextMeaning, textRule, unsaid } from './text-rule.ts';

interface IdentityCard {
  readonly pattern: string;
  /** Strings of the right format that the validator rejects. */
  readonly not?: string;
  /** Whether it has no check digit. */
  readonly isExact?: boolean;
}

const space = `[${whitespace}]`;

function trimmed(shape: string): string {
  return `^${space}*${shape}${space}*$`;
}

/** Characters whose upper case is an ASCII letter. One character can become two: ß becomes SS. */
const letter = '[A-Za-zıſ]';

/** By locale of validator.js. */
const cards: Readonly<Record<string, IdentityCard>> = {
  PL: { pattern: '^[-+0-9][0-9]{10}$' },
  ES: { pattern: trimmed(`[0-9X-Zx-z][0-9]{7}${letter}`) },
  FI: { pattern: '^[0-9]{6}[-A+][0-9]{3}[0-9A-FHJ-NPR-Y]$' },
  IN: { pattern: trimmed(`[1-9][0-9]{3}${space}?[0-9]{4}${space}?[0-9]{4}`) },
  IR: { pattern: '^[0-9]{10}$' },
  IT: { pattern: '^[cC][A-Za-z][0-9]{5}[A-Za-z]{2}$', not: '^CA00000AA$', isExact: true },
  NO: { pattern: trimmed('[0-9]{11}') },
  TH: { pattern: '^[1-8][0-9]{12}$' },
  LK: { pattern: '^(?:[1-9][0-9]{8}[vVxX]|[1-9][0-9]{11})$', isExact: true },
  'he-IL': { pattern: trimmed('[0-9]{9}') },
  'ar-LY': { pattern: trimmed('[12][0-9]{11}'), isExact: true },
  'ar-TN': { pattern: trimmed('[0-9]{8}'), isExact: true },
  'zh-CN': { pattern: '^[1-9][0-9]{14}(?:[0-9]{2}[0-9xX])?$' },
  'zh-HK': {
    pattern: trimmed(`(?:${letter}{1,2}|[ßﬀ-ﬆ])[0-9]{6}(?:\\([0-9Aa]\\)|\\[[0-9Aa]\\]|[0-9Aa])`),
  },
  'zh-TW': { pattern: trimmed(`${letter}[0-9]{9}`) },
  PK: { pattern: trimmed('[1-7][0-9]{4}-[0-9]{7}-[1-9]'), isExact: true },
};

const checkDigits = 'the schema checks the format, but not the check digits';

function meaningOf(locale: unknown): TextMeaning {
  if (locale === 'any') {
    const patterns = Object.values(cards).map(({ pattern }) => pattern);
    return { all: [{ pattern: patterns.join('|') }], outcome: looser(checkDigits) };
  }
  const card = Object.hasOwn(cards, String(locale)) ? cards[String(locale)] : undefined;
  if (card === undefined) return unsaid(`it fails: Invalid locale '${String(locale)}'`);
  const all: TextValidation[] = [{ pattern: card.pattern }];
  if (card.not !== undefined) all.push({ not: { pattern: card.not } });
  return { all, outcome: card.isExact === true ? exact : looser(checkDigits) };
}

/** The decorator for identity cards. */
export const identityCardRules: ConstraintRules = {
  isIdentityCard: textRule(([locale]) => meaningOf(locale), looser(checkDigits)),
};
