/** One comma-separated part of a label selector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'GreaterThan' | 'LessThan';
  readonly values: readonly string[];
}

/** A `metav1.LabelSelector` in an object. */
export interface LabelSelectorSpec {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** Requirements that labels must all meet. An empty list selects everything. */
export type LabelRequirements = readonly LabelRequirement[];

/**
 * Thrown by {@link parseLabelSelector}, with the API server's own message, and by {@link formatLabelSelector} for a selector
 * that cannot be a string.
 */
export class LabelSelectorError extends Error {
  override readonly name = 'LabelSelectorError';
}

const token = /\s*(?:(!=|==|=|!|,|\(|\)|<|>)|([^\s=!,()<>]+))/y;

/**
 * Parses a selector in the format of kubectl and of the `labelSelector` parameter: `app=web,tier in (a,b),!legacy`. The
 * grammar is that of apimachinery's `labels.Parse`. The time is linear in the length of the string.
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
  const reader = new RequirementReader(tokens);
  while (!reader.isAtEnd) {
    const first = reader.peek();
    if (first !== '!' && !isWord(first)) throw unexpected(first, "!, identifier, or 'end of string'");
    requirements.push(reader.requirement());
    if (reader.isAtEnd) break;
    const separator = reader.next();
    if (separator !== ',') throw unexpected(separator, "',' or 'end of string'");
    const following = reader.peek();
    if (following !== '!' && !isWord(following)) throw unexpected(following, "identifier after ','");
  }
  return requirements;
}

const operators = { '=': 'In', '==': 'In', '!=': 'NotIn', '>': 'GreaterThan', '<': 'LessThan' } as const;

/** Reads one requirement after the other. An empty token is the end. */
class RequirementReader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  peek(): string {
    return this.#tokens[this.#at] ?? '';
  }

  next(): string {
    return this.#tokens[this.#at++] ?? '';
  }

  requirement(): LabelRequirement {
    const isNegated = this.peek() === '!';
    if (isNegated) this.#at++;
    const key = this.next();
    if (!isWord(key)) throw inRequirement(key, ', expected: identifier');
    if (isNegated) return { key, operator: 'DoesNotExist', values: [] };
    if (this.isAtEnd || this.peek() === ',') return { key, operator: 'Exists', values: [] };
    const operator = this.next();
    if (operator === 'in' || operator === 'notin') {
      return { key, operator: operator === 'in' ? 'In' : 'NotIn', values: this.#values() };
    }
    if (!Object.hasOwn(operators, operator)) throw inRequirement(operator, ', expected: in, notin, =, ==, !=, gt, lt');
    return { key, operator: operators[operator as keyof typeof operators], values: [this.#value()] };
  }

  #value(): string {
    if (this.isAtEnd || this.peek() === ',') return '';
    const value = this.next();
    if (!isWord(value)) throw inRequirement(value, ', expected: identifier');
    return value;
  }

  /** `(a,b)`. A missing value between commas or parentheses is empty. */
  #values(): string[] {
    const open = this.next();
    if (open !== '(') throw inRequirement(open, " expected: '('");
    const first = this.peek();
    if (first !== ')' && first !== ',' && !isWord(first)) {
      throw inRequirement(first, ", expected: ',', ')' or identifier");
    }
    const values = new Set<string>();
    for (;;) {
      const word = this.peek();
      if (isWord(word)) {
        values.add(word);
        this.#at++;
        const end = this.next();
        if (end === ')') return [...values];
        if (end !== ',') throw inRequirement(end, ", expected: ',' or ')'");
        if (this.peek() === ')') values.add('');
      } else if (word === ',' || word === ')') {
        values.add('');
        this.#at++;
        if (word === ')') return [...values];
      } else throw inRequirement(word, ", expected: ',', or identifier");
    }
  }
}

function isWord(token: string): boolean {
  return token !== '' && !/^[=!,()<>]/.test(token);
}

function unexpected(found: string, expected: string): LabelSelectorError {
  return new LabelSelectorError(`found '${found}', expected: ${expected}`);
}

function inRequirement(found: string, expected: string): LabelSelectorError {
  return new LabelSelectorError(`unable to parse requirement: found '${found}'${expected}`);
}

/** Returns the requirements of a `metav1.LabelSelector`, unchecked. A requirement with an unknown operator matches nothing. */
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

/** Reports whether labels meet all requirements, by `labels.Requirement.Matches`: NotIn also matches if the key is missing. */
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

/** Characters of the selector syntax. Keys and values of labels cannot contain them. */
const grammar = /[\s=!,()<>]/;

/**
 * Returns the equivalent `labelSelector` parameter. Throws a {@link LabelSelectorError} for a key or value that would be parsed
 * as more than one word, so that a string from an object cannot change the selector, and for an unknown operator.
 */
export function formatLabelSelector(requirements: LabelRequirements): string {
  return requirements
    .map(({ key, operator, values }) => {
      for (const word of [key, ...values]) {
        if (!grammar.test(word)) continue;
        throw new LabelSelectorError(
          `${JSON.stringify(word)} is not allowed in a label selector; use only letters, digits, '-', '_', '.' and '/'`,
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
          // The operator of a metav1.LabelSelector can be any string of a user.
          throw new LabelSelectorError(`${JSON.stringify(operator)} is not a valid label selector operator`);
      }
    })
    .join(',');
}
