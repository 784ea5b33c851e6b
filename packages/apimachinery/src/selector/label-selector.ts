/** One comma-separated part of a label selector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'GreaterThan' | 'LessThan';
  readonly values: readonly string[];
}

/** A `metav1.LabelSelector`, as objects hold it. */
export interface LabelSelectorSpec {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** All requirements must hold. An empty list selects everything. */
export type LabelRequirements = readonly LabelRequirement[];

/**
 * Thrown by {@link parseLabelSelector}, with the API server's own message, and by {@link formatLabelSelector} for what
 * has no text.
 */
export class LabelSelectorError extends Error {
  override readonly name = 'LabelSelectorError';
}

const token = /\s*(?:(!=|==|=|!|,|\(|\)|<|>)|([^\s=!,()<>]+))/y;

/**
 * Reads a selector as kubectl and the `labelSelector` parameter write it: `app=web,tier in (a,b),!legacy`.
 * The grammar is that of apimachinery's `labels.Parse`. Linear in the length of the text.
 */
export function parseLabelSelector(text: string): LabelRequirements {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    if (match === null) break;
    tokens.push(match[1] ?? match[2] ?? '');
  }
  const requirements: LabelRequirement[] = [];
  let at = 0;
  const fail = (found: string | undefined, expected: string): never => {
    throw new LabelSelectorError(`unable to parse requirement: found '${found ?? ''}', expected: ${expected}`);
  };
  const isWord = (value: string | undefined): value is string => value !== undefined && !/^[=!,()<>]/.test(value);
  while (at < tokens.length) {
    if (tokens[at] === '!') {
      const key = tokens[at + 1];
      if (!isWord(key)) return fail(key, 'identifier');
      requirements.push({ key, operator: 'DoesNotExist', values: [] });
      at += 2;
    } else {
      const key = tokens[at];
      if (!isWord(key)) return fail(key, "!, identifier, or 'end of string'");
      const operator = tokens[at + 1];
      at += 2;
      if (operator === undefined || operator === ',') {
        requirements.push({ key, operator: 'Exists', values: [] });
        at -= 1;
      } else if (operator === 'in' || operator === 'notin') {
        if (tokens[at] !== '(') return fail(tokens[at], "'('");
        at += 1;
        const values: string[] = [];
        let expectValue = true;
        while (at < tokens.length && tokens[at] !== ')') {
          const word = tokens[at];
          if (word === ',') {
            if (expectValue) values.push('');
            expectValue = true;
          } else if (isWord(word)) {
            values.push(word);
            expectValue = false;
          } else return fail(word, "',', ')' or identifier");
          at += 1;
        }
        if (tokens[at] !== ')') return fail(tokens[at], "',' or ')'");
        at += 1;
        requirements.push({ key, operator: operator === 'in' ? 'In' : 'NotIn', values });
      } else {
        const kinds = { '=': 'In', '==': 'In', '!=': 'NotIn', '>': 'GreaterThan', '<': 'LessThan' } as const;
        const kind = Object.hasOwn(kinds, operator) ? kinds[operator as keyof typeof kinds] : undefined;
        if (kind === undefined) return fail(operator, 'in, notin, =, ==, !=, gt, lt');
        const value = tokens[at];
        const given = isWord(value);
        requirements.push({ key, operator: kind, values: [given ? value : ''] });
        if (given) at += 1;
      }
    }
    if (at < tokens.length) {
      if (tokens[at] !== ',') return fail(tokens[at], "',' or 'end of string'");
      at += 1;
      if (at === tokens.length) return fail('', "!, identifier, or 'end of string'");
    }
  }
  return requirements;
}

/** The requirements of a `metav1.LabelSelector`, unchecked; one with an unknown operator matches nothing. */
export function labelRequirementsOf(selector: LabelSelectorSpec): LabelRequirements {
  const requirements: LabelRequirement[] = [];
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    requirements.push({ key, operator: 'In', values: [value] });
  }
  for (const expression of selector.matchExpressions ?? []) {
    requirements.push({
      key: expression.key,
      operator: expression.operator as LabelRequirement['operator'],
      values: expression.values ?? [],
    });
  }
  return requirements;
}

/** Whether labels meet every requirement, by `labels.Requirement.Matches`: NotIn also holds where the key is absent. */
export function matchesLabels(
  requirements: LabelRequirements,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  return requirements.every((requirement) => {
    const value = labels !== undefined && Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined;
    switch (requirement.operator) {
      case 'In':
        return value !== undefined && requirement.values.includes(value);
      case 'NotIn':
        return value === undefined || !requirement.values.includes(value);
      case 'Exists':
        return value !== undefined;
      case 'DoesNotExist':
        return value === undefined;
      case 'GreaterThan':
        return isInteger(value) && isInteger(requirement.values[0]) && BigInt(value) > BigInt(requirement.values[0]);
      case 'LessThan':
        return isInteger(value) && isInteger(requirement.values[0]) && BigInt(value) < BigInt(requirement.values[0]);
      default:
        return false;
    }
  });
}

function isInteger(value: string | undefined): value is string {
  return value !== undefined && /^-?\d{1,19}$/.test(value);
}

/** Characters that mean something in a selector. Neither keys nor values of labels may hold them. */
const grammar = /[\s=!,()<>]/;

/**
 * The `labelSelector` parameter that says the same. Throws a {@link LabelSelectorError} for a key or value that would
 * be read as more than one word, so that a text from somebody's object cannot select anything else, and for an unknown
 * operator.
 */
export function formatLabelSelector(requirements: LabelRequirements): string {
  return requirements
    .map(({ key, operator, values }) => {
      for (const word of [key, ...values]) {
        if (!grammar.test(word)) continue;
        throw new LabelSelectorError(
          `${JSON.stringify(word)} cannot stand in a label selector; labels hold letters, digits, '-', '_', '.' and '/' only`,
        );
      }
      switch (operator) {
        case 'In':
          return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${[...values].sort().join(',')})`;
        case 'NotIn':
          return values.length === 1 ? `${key}!=${values[0]}` : `${key} notin (${[...values].sort().join(',')})`;
        case 'Exists':
          return key;
        case 'DoesNotExist':
          return `!${key}`;
        case 'GreaterThan':
          return `${key}>${values[0]}`;
        case 'LessThan':
          return `${key}<${values[0]}`;
        default:
          // What a metav1.LabelSelector holds is anybody's text.
          throw new LabelSelectorError(`${JSON.stringify(operator)} is not a valid label selector operator`);
      }
    })
    .join(',');
}
