import {
  type ExpressionOptions,
  expressionValidations,
  type TextValidation,
} from '../../regular-expression/expression-validations.ts';
import { type ConstraintRule, exact, looser, type Outcome } from '../rule/constraint.ts';
import { type TextMeaning, textRule, unsaid } from './text-rule.ts';
import { type ValidatorExpression, validatorExpressions } from './validator-expressions.ts';

/** The function of validator.js that a decorator calls, and what it does besides testing an expression. */
export interface ObservedFunction {
  /** The name that validator.js exports. */
  readonly name: string;
  /** The string that makes the function use its expressions. Default: an empty string. */
  readonly text?: string;
  /** The other arguments of the call. Default: the decorator's parameters. */
  called?(parameters: readonly unknown[]): readonly unknown[];
  /** The outcome, if the function does more than test expressions. Default: exact. */
  readonly outcome?: Outcome;
  /** Additional validations. */
  also?(parameters: readonly unknown[]): readonly TextValidation[];
  /** How to translate its expressions, if it changes the string before it tests them. */
  options?(seen: readonly ValidatorExpression[]): ExpressionOptions;
  /** Whether it converts the string to upper case first. */
  readonly ignoresCase?: boolean;
}

/** A rule with the expressions that validator.js tests a string with: one of them must match. */
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
  if ('refused' in said) return unsaid(`${said.refused}; use @Matches for the format that you need`);
  if (said.countsAstralOnce) return unsaid('it counts characters beyond U+FFFF twice, RE2 counts them once');
  return { all: [...said.all, ...also], outcome: said.leavesOutLookaheads ? withoutLookaheads(outcome) : outcome };
}

/** Adds the missing lookaheads to the outcome, with one outcome for each grade. */
function withoutLookaheads(outcome: Outcome): readonly Outcome[] {
  const reason = 'RE2 has no lookahead, so the schema omits those of the expression';
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
    // In a group a lookahead does not become a separate validation. It must not, because another expression may match instead.
    const said = expressionValidations({ source: `(?:${source})`, flags }, options);
    if ('refused' in said) return said;
    for (const { pattern } of said.all) patterns.add(pattern ?? '');
    leavesOutLookaheads ||= said.leavesOutLookaheads;
    countsAstralOnce ||= said.countsAstralOnce;
  }
  return { all: [{ pattern: [...patterns].join('|') }], leavesOutLookaheads, countsAstralOnce };
}
