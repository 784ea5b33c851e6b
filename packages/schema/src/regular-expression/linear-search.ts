import { compilePattern } from './pattern.ts';
import { translateExpression } from './translate-expression.ts';

/** Tests whether a string contains a match. */
export type PatternSearch = (text: string) => boolean;

/** Half of a character beyond U+FFFF, which the two engines may count differently. */
const surrogate = /[\ud800-\udfff]/;

/**
 * `@Matches` with an engine that needs linear time. JavaScript's engine backtracks, and the strings of objects come from
 * outside. Returns undefined for expressions that RE2 does not support, which JavaScript then evaluates.
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
    // `match` also resets the lastIndex of a global expression.
    countsAstralOnce && surrogate.test(text) ? text.match(expression) !== null : compiled.matcher(text).find();
}

function expressionOf(pattern: unknown, modifiers: unknown): RegExp | undefined {
  if (pattern instanceof RegExp) return pattern;
  if (typeof pattern !== 'string') return undefined;
  try {
    return new RegExp(pattern, typeof modifiers === 'string' ? modifiers : undefined);
  } catch {
    // The validator itself reports the problem.
    return undefined;
  }
}
