import { isJsonObject, type JsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { parseRange } from '../format/version-range.ts';

interface ConstraintProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Source: operator-framework/api `pkg/constraints`. */
const bytesMax = 131_072;

/** The kinds of constraints, of which each constraint has exactly one, and their members. */
const members: Readonly<Record<string, readonly string[]>> = {
  cel: ['rule'],
  gvk: ['group', 'version', 'kind'],
  package: ['packageName', 'versionRange'],
  all: ['constraints'],
  any: ['constraints'],
  not: ['constraints'],
};

/** Returns why OLM cannot evaluate a constraint; undefined if it can. A rule of CEL is not compiled. */
export function constraintProblem(value: unknown): ConstraintProblem | undefined {
  if (JSON.stringify(value).length > bytesMax) {
    return { path: [], message: `it has more than ${bytesMax} bytes; simplify it` };
  }
  return problemIn(value, [], true);
}

function problemIn(
  value: unknown,
  path: readonly (string | number)[],
  isOutermost: boolean,
): ConstraintProblem | undefined {
  const kinds = Object.keys(members);
  if (!isJsonObject(value)) return { path, message: `a constraint is an object; give it one of ${kinds.join(', ')}` };
  const { failureMessage, ...given } = value;
  if (failureMessage !== undefined && typeof failureMessage !== 'string') {
    return { path: [...path, 'failureMessage'], message: 'it must be a string; put the value in quotes' };
  }
  const [kind, ...more] = Object.keys(given);
  if (kind === undefined || more.length > 0) {
    return { path, message: `a constraint needs exactly one of ${kinds.join(', ')}; use all to combine several` };
  }
  if (!Object.hasOwn(members, kind)) {
    return { path: [...path, kind], message: `OLM does not know it; use one of ${kinds.join(', ')}` };
  }
  if (kind === 'not' && isOutermost) {
    return { path: [...path, kind], message: 'OLM evaluates not only inside of all and any; wrap it in all' };
  }
  const content = valueAt(value, kind);
  const inner = [...path, kind];
  const object: JsonObject = isJsonObject(content) ? content : {};
  for (const member of members[kind] ?? []) {
    const isValid = member === 'constraints' ? isList(object[member]) : isText(object[member]);
    if (!isValid) return { path: inner, message: `${kind} needs ${member}; add it` };
  }
  const unknown = Object.keys(object).find((member) => !members[kind]?.includes(member));
  if (unknown !== undefined) return { path: [...inner, unknown], message: 'OLM does not know it; remove it' };
  const range = object['versionRange'];
  if (kind === 'package' && typeof range === 'string' && parseRange(range) === undefined) {
    const message = `${JSON.stringify(range)} is not a range; write it as ">=1.0.0 <2.0.0"`;
    return { path: [...inner, 'versionRange'], message };
  }
  const nested = object['constraints'];
  if (!Array.isArray(nested)) return undefined;
  for (const [index, each] of nested.entries()) {
    const problem = problemIn(each, [...inner, 'constraints', index], false);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
