import { compileRegex } from '../library/regex.ts';
import { clauseMismatch, parseClause } from '../library/string-format.ts';
import type { CallExpr, Expr } from '../syntax/ast.ts';
import { childrenOf } from '../syntax/node-walk.ts';
import type { CelIssue, CelSource } from '../syntax/source.ts';
import { EvaluationFault } from '../value/fault.ts';
import { parseDuration, parseTimestamp, timestampFromSeconds } from '../value/time.ts';
import { type CelType, type CelTypeKind, dynType, formatType, isSameType } from '../value/type.ts';
import { type CelValue, isInt } from '../value/value.ts';

/**
 * Finds errors that the type checker does not find: constants that are invalid durations, timestamps, regular expressions
 * or formats, and lists and maps of mixed types. Kubernetes rejects these since 1.29 (cel-go v0.26 `cel/validator.go`).
 */
export function validateLiterals(source: CelSource, expr: Expr): readonly CelIssue[] {
  const issues: CelIssue[] = [];
  const seen = new Set<Expr>();
  const report = (at: Expr, message: string) => issues.push(source.issueAt(at.offset, message));
  const visit = (node: Expr, inFormat: boolean): void => {
    if (seen.has(node)) return;
    seen.add(node);
    if (node.kind === 'call') checkArgument(node, report);
    if (!inFormat) checkMixture(node, report);
    const isFormat = node.kind === 'call' && node.name === 'format';
    for (const child of childrenOf(node)) visit(child, inFormat || isFormat);
  };
  visit(expr, false);
  return issues;
}

type Report = (at: Expr, message: string) => void;

function checkArgument(call: CallExpr, report: Report): void {
  const [argument] = call.args;
  if (call.name === 'format') checkFormat(call, report);
  if (argument?.kind !== 'literal') return;
  const { name } = call;
  if (name !== 'duration' && name !== 'timestamp' && name !== 'matches') return;
  if (attempt(() => literalOf(name, argument.value)) === undefined) {
    report(argument, `invalid ${call.name} argument`);
  }
}

function literalOf(name: 'duration' | 'timestamp' | 'matches', value: CelValue): unknown {
  if (isInt(value)) return name === 'timestamp' ? timestampFromSeconds(BigInt(value)) : undefined;
  if (typeof value !== 'string') return undefined;
  switch (name) {
    case 'duration':
      return parseDuration(value);
    case 'timestamp':
      return parseTimestamp(value);
    case 'matches':
      return compileRegex(value);
  }
}

function checkMixture(node: Expr, report: Report): void {
  if (node.kind === 'list') {
    let first: CelType | undefined;
    for (const [i, element] of node.elements.entries()) {
      const type = typeOf(element, node.optionals.has(i));
      first ??= type;
      if (!isSameType(first, type)) {
        report(element, mixture(first, type));
        break;
      }
    }
  } else if (node.kind === 'map') {
    const [first, ...rest] = node.entries;
    for (const entry of first === undefined ? [] : rest) {
      const pairs = [
        [first?.key, entry.key, false],
        [first?.value, entry.value, entry.optional],
      ] as const;
      for (const [expected, actual, optional] of pairs) {
        const expectedType = typeOf(expected, optional && first?.optional === true);
        const type = typeOf(actual, optional);
        if (!isSameType(expectedType, type)) report(actual, mixture(expectedType, type));
      }
    }
  }
}

function typeOf(expr: Expr | undefined, optional: boolean): CelType {
  const type = expr?.type ?? dynType;
  return optional ? (type.parameters[0] ?? dynType) : type;
}

function mixture(expected: CelType, actual: CelType): string {
  return `expected type '${formatType(expected)}' but found '${formatType(actual)}'`;
}

/** A constant format with a literal list must have an argument of the right type for each clause. */
function checkFormat(call: CallExpr, report: Report): void {
  const { target } = call;
  const [list] = call.args;
  if (target?.kind !== 'literal' || typeof target.value !== 'string' || list?.kind !== 'list') return;
  const format = target.value;
  let used = 0;
  for (let at = format.indexOf('%'); at !== -1; at = format.indexOf('%', at)) {
    if (format[at + 1] === '%') {
      at += 2;
      continue;
    }
    const argument = list.elements[used];
    if (at + 1 >= format.length || argument === undefined) {
      report(call, at + 1 >= format.length ? 'unexpected end of string' : `index ${used} out of range`);
      return;
    }
    used++;
    const clause = attempt(
      () => parseClause(format, at + 1),
      (message) => report(call, message),
    );
    if (clause === undefined) return;
    const bad = mismatch(clause.letter, argument);
    if (bad !== undefined) {
      report(bad, `error during formatting: ${clauseMismatch(clause.letter, bad.type?.name ?? 'dyn')}`);
      return;
    }
    at = clause.end;
  }
  if (list.elements.length > used) {
    report(call, `too many arguments supplied to string.format (expected ${used}, got ${list.elements.length})`);
  }
}

const clauseKinds: Readonly<Record<string, readonly CelTypeKind[]>> = {
  s: ['list', 'map', 'int', 'uint', 'double', 'bool', 'string', 'timestamp', 'bytes', 'duration', 'type', 'null'],
  d: ['int', 'uint'],
  f: ['double', 'string'],
  e: ['double', 'string'],
  b: ['int', 'uint', 'bool'],
  x: ['int', 'uint', 'string', 'bytes'],
  X: ['int', 'uint', 'string', 'bytes'],
  o: ['int', 'uint'],
};

/** The node that the clause cannot format: the argument, or for `%s` a node inside of it. */
function mismatch(letter: string, argument: Expr): Expr | undefined {
  const kind = argument.type?.kind ?? 'dyn';
  if (kind !== 'dyn' && clauseKinds[letter]?.includes(kind) !== true) return argument;
  if (letter !== 's' || (argument.kind !== 'list' && argument.kind !== 'map')) return undefined;
  for (const child of childrenOf(argument)) {
    const bad = mismatch(letter, child);
    if (bad !== undefined) return bad;
  }
  return undefined;
}

function attempt<T>(compute: () => T, onFault: (message: string) => void = () => {}): T | undefined {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof EvaluationFault)) throw error;
    onFault(error.message);
    return undefined;
  }
}
