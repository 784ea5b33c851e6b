import { type FieldError, forbidden, goFixed } from '../apimachinery.ts';

/** StaticEstimatedCostLimit of apiextensions-apiserver: the maximal cost of one expression for all possible data. */
const expressionLimit = 10_000_000;
/** StaticEstimatedCRDCostLimit: the maximal cost of all expressions of a schema together. */
const schemaLimit = 100_000_000;
/** The number of most expensive expressions that are named if the total is too high. */
const maxNamed = 4;

/** Sums the estimated costs of the expressions of one schema, and returns errors for costs that are too high. */
export class RuleCosts {
  readonly #limitsEach: boolean;
  readonly #mostExpensive: { readonly path: string; readonly cost: number }[] = [];
  #total = 0;

  /** Without `limitsEach`, only the total is limited. */
  constructor(limitsEach: boolean) {
    this.#limitsEach = limitsEach;
  }

  /** Adds an expression. Returns an error if it alone is too expensive; `what` is its name in the error. */
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

  /** The errors at `path` if all expressions of the schema together are too expensive. */
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
