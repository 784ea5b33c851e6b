import {
  type ExpressionOptions,
  expressionValidations,
  type TextValidation,
} from '../../regular-expression/expression-validations.ts';
import { type ConstraintRule, exact, looser, type Outcome } from '../rule/constraint.ts';
import { type TextMeaning, textRule, unsaid } from './text-rule.ts';
import { type ValidatorExpression, validatorExpressions } from './validator-expressions.ts';

/** Which function of validator.js a decorator calls, and what that does besides testing an expression. */
export interface ObservedFunction {
  /** As validator.js exports it. */
  readonly name: string;
  /** Leads the function to its expressions. Default: an empty text. */
  readonly text?: string;
  /** What it is called with besides the text. Default: the decorator's own parameters. */
  called?(parameters: readonly unknown[]): readonly unknown[];
  /** How the schema compares with it, where it does more than test. Default: exact. */
  readonly outcome?: Outcome;
  /** Demands besides the expression. */
  also?(parameters: readonly unknown[]): readonly TextValidation[];
  /** How its expressions are read, where it changes the text before it tests them. */
  options?(seen: readonly ValidatorExpression[]): ExpressionOptions;
  /** It makes capitals of the text before it tests them. */
  readonly ignoresCase?: boolean;
}

/** A rule that says the expressions which validator.js tests a text with: one of them has to match. */
export function observedRule(observed: ObservedFunction): ConstraintRule {
  return textRule((parameters) => {
    const { name, text = '', called, also } = observed;
    try {
      const seen = validatorExpressions(name, text, ...(called?.(parameters) ?? parameters));
      return meaningOf(seen, observed, also?.(parameters) ?? []);
    } catch (error) {
      return unsaid(`it fails: ${error instanceof Error ? error.message : String(error)}`);
    }
  }, observed.outcome);
}

type Expression = Pick<RegExp, 'source' | 'flags'>;

function meaningOf(
  seen: readonly ValidatorExpression[],
  { outcome = exact, options, ignoresCase }: ObservedFunction,
  also: readonly TextValidation[],
): TextMeaning {
  const tested: readonly Expression[] = seen
    .filter(({ use }) => use !== 'replace')
    .map(({ source, flags }) => ({ source, flags: ignoresCase === true ? `${flags.replace('i', '')}i` : flags }));
  const [only, ...others] = tested;
  if (only === undefined) return unsaid('validator.js tests no expression for it');
  const reading = { ...options?.(seen), leaveOutLookaheads: true };
  const said = others.length === 0 ? expressionValidations(only, reading) : anyOfThem(tested, reading);
  if ('refused' in said) return unsaid(`${said.refused}; use @Matches for the form you need`);
  if (said.countsAstralOnce) return unsaid('it counts characters beyond U+FFFF twice, RE2 counts them once');
  return { all: [...said.all, ...also], outcome: said.leavesOutLookaheads ? withoutLookaheads(outcome) : outcome };
}

/** One outcome of each grade. */
function withoutLookaheads(outcome: Outcome): readonly Outcome[] {
  const reason = 'RE2 has no lookahead, so those of its expression are left out';
  if (outcome.grade === 'exact') return [looser(reason)];
  return outcome.grade === 'looser' ? [looser(`${outcome.reason}; ${reason}`)] : [outcome, looser(reason)];
}

function anyOfThem(
  expressions: readonly Expression[],
  options: ExpressionOptions,
): ReturnType<typeof expressionValidations> {
  const patterns = new Set<string>();
  let leavesOutLookaheads = false;
  let countsAstralOnce = false;
  for (const { source, flags } of expressions) {
    // Inside of a group a lookahead cannot become a demand of its own, as it must not where others may match instead.
    const said = expressionValidations({ source: `(?:${source})`, flags }, options);
    if ('refused' in said) return said;
    for (const { pattern } of said.all) patterns.add(pattern ?? '');
    leavesOutLookaheads ||= said.leavesOutLookaheads;
    countsAstralOnce ||= said.countsAstralOnce;
  }
  return { all: [{ pattern: [...patterns].join('|') }], leavesOutLookaheads, countsAstralOnce };
}
