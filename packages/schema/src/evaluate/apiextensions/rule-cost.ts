import { type FieldError, forbidden, goFixed } from '../apimachinery.ts';

/** StaticEstimatedCostLimit of apiextensions-apiserver: what one expression may cost, for all data it can meet. */
const expressionLimit = 10_000_000;
/** StaticEstimatedCRDCostLimit: what all expressions of a schema may cost together. */
const schemaLimit = 100_000_000;
/** Of the expressions that make up most of a total that is too high, so many are named. */
const maxNamed = 4;

/** What the expressions of one schema cost at most, and the errors of what costs too much. */
export class RuleCosts {
  readonly #limitsEach: boolean;
  readonly #mostExpensive: { readonly path: string; readonly cost: number }[] = [];
  #total = 0;

  /** Without `limitsEach` only the total is limited. */
  constructor(limitsEach: boolean) {
    this.#limitsEach = limitsEach;
  }

  /** Counts an expression. Returns the error of one that costs too much by itself; `what` is how it is called there. */
  add(cost: number, path: string, what: 'rule' | 'messageExpression'): FieldError[] {
    this.#total += cost;
    if (cost >= schemaLimit / 100) {
      this.#mostExpensive.push({ path, cost });
      this.#mostExpensive.sort((a, b) => b.cost - a.cost);
      this.#mostExpensive.splice(maxNamed);
    }
    if (!this.#limitsEach || cost <= expressionLimit) return [];
    return [forbidden(path, excess(`estimated ${what} cost`, cost / expressionLimit))];
  }

  /** The errors of a schema, at `path`, all of whose expressions together cost too much. */
  totalErrors(path: string): FieldError[] {
    if (this.#total <= schemaLimit) return [];
    const detail = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#mostExpensive.map((expression) => forbidden(expression.path, detail)),
      forbidden(path, excess(what, this.#total / schemaLimit)),
    ];
  }
}

function excess(what: string, factor: number): string {
  const times = factor > 100 ? 'more than 100' : goFixed(factor, factor < 1.5 ? 6 : 1);
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what} exceeds budget by factor of ${times}x (${advice})`;
}
