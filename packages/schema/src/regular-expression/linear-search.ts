import { compilePattern } from './pattern.ts';
import { translateExpression } from './translate-expression.ts';

/** Asks whether a pattern is found in a text. */
export type PatternSearch = (text: string) => boolean;

/** Half of a character beyond U+FFFF, which the two engines may count differently. */
const surrogate = /[\ud800-\udfff]/;

/**
 * `@Matches` on an engine that needs linear time: JavaScript's own backtracks, and the texts of objects come from outside.
 * Undefined for what RE2 cannot say, which is left to JavaScript.
 */
export function linearSearch(pattern: unknown, modifiers: unknown): PatternSearch | undefined {
  const expression = expressionOf(pattern, modifiers);
  if (expression === undefined) return undefined;
  const translated = translateExpression(expression);
  if ('refused' in translated) return undefined;
  const compiled = compilePattern(translated.pattern);
  if (typeof compiled === 'string') return undefined;
  const { countsAstralOnce } = translated;
  return (text) =>
    // `match` also takes back where a global expression stopped before.
    countsAstralOnce && surrogate.test(text) ? text.match(expression) !== null : compiled.matcher(text).find();
}

function expressionOf(pattern: unknown, modifiers: unknown): RegExp | undefined {
  if (pattern instanceof RegExp) return pattern;
  if (typeof pattern !== 'string') return undefined;
  try {
    return new RegExp(pattern, typeof modifiers === 'string' ? modifiers : undefined);
  } catch {
    // Asking the validator itself tells what is wrong with it.
    return undefined;
  }
}
