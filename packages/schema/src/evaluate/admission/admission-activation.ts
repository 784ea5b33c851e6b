import { type Authorize, AuthorizerValue, type ResourceAccess, ResourceCheckValue } from '../cel/library/authorizer.ts';
import type { CostBudget } from '../cel/program.ts';
import { dynamicValue } from '../cel/value/dynamic-value.ts';
import { CelError, EvaluationFault, noSuchOverload } from '../cel/value/fault.ts';
import { CelMap, type CelValue } from '../cel/value/value.ts';
import type { AdmissionExpression } from './admission-compiler.ts';

/** The JSON of a request, as expressions see it. It is read, never copied or changed. */
export interface AdmissionInput {
  /** The new object; null for a deletion. */
  readonly object: unknown;
  /** The stored object; null for a creation. */
  readonly oldObject: unknown;
  /** The AdmissionRequest without objects. */
  readonly request: unknown;
  /** Default: null. */
  readonly params?: unknown;
  /** The namespace of the request; default: null. */
  readonly namespaceObject?: unknown;
  /** Decides about the variable `authorizer`. Default: an expression that uses it fails. */
  readonly authorize?: Authorize;
  /** The resource of `authorizer.requestResource`. */
  readonly requestResource?: ResourceAccess;
}

/** The values of one request. Variables of a policy are computed when an expression first reads them, and kept. */
export class AdmissionActivation {
  readonly #values: Readonly<Record<string, CelValue>>;
  #budget: CostBudget | undefined;

  /** `variables` are those of an AdmissionCompiler; default: none. */
  constructor(input: AdmissionInput, variables: ReadonlyMap<string, AdmissionExpression> = noVariables) {
    const { authorize, requestResource } = input;
    this.#values = {
      object: dynamicValue(input.object),
      oldObject: dynamicValue(input.oldObject),
      request: dynamicValue(input.request),
      params: dynamicValue(input.params),
      namespaceObject: dynamicValue(input.namespaceObject),
      variables: new LazyVariables(variables, (variable) => this.#run(variable)),
      authorizer: new AuthorizerValue(authorize ?? unbound('authorizer')),
      'authorizer.requestResource': new ResourceCheckValue(
        new AuthorizerValue(authorize ?? unbound('authorizer.requestResource')),
        requestResource ?? noResource,
      ),
    };
  }

  /**
   * Evaluates an expression, and charges it and the variables that it is the first to read to the budget. Throws CelError
   * with the API server's message; with the reason `budget`, no more expressions should be evaluated.
   */
  evaluate(expression: AdmissionExpression, budget: CostBudget): CelValue {
    const { compiled } = expression;
    if ('failure' in compiled) throw new CelError(`compilation error: ${compiled.failure}`, 'evaluation');
    this.#budget = budget;
    try {
      return compiled.evaluate(this.#values, budget);
    } catch (error) {
      if (!(error instanceof CelError) || error.reason === 'budget') throw error;
      throw new CelError(`expression '${expression.expression}' resulted in error: ${error.message}`, error.reason);
    }
  }

  #run({ compiled }: AdmissionExpression): CelValue {
    if ('failure' in compiled) throw new EvaluationFault(`fails to compile: ${compiled.failure}`);
    if (this.#budget === undefined) throw new Error('variables are only read during an evaluation');
    try {
      return compiled.evaluate(this.#values, this.#budget);
    } catch (error) {
      if (!(error instanceof CelError) || error.reason === 'budget') throw error;
      throw new EvaluationFault(`fails to evaluate: ${error.message}`);
    }
  }
}

const noResource: ResourceAccess = { group: '', resource: '', subresource: '', namespace: '', name: '' };

function unbound(variable: string): Authorize {
  return () => {
    throw new EvaluationFault(`no such attribute(s): ${variable}`);
  };
}

const noVariables: ReadonlyMap<string, AdmissionExpression> = new Map();

/** Source: k8s.io/apiserver v0.36 `pkg/cel/lazy`. */
class LazyVariables extends CelMap {
  readonly #variables: ReadonlyMap<string, AdmissionExpression>;
  readonly #compute: (variable: AdmissionExpression) => CelValue;
  readonly #known = new Map<string, CelValue | { readonly fault: EvaluationFault }>();

  constructor(
    variables: ReadonlyMap<string, AdmissionExpression>,
    compute: (variable: AdmissionExpression) => CelValue,
  ) {
    super();
    this.#variables = variables;
    this.#compute = compute;
  }

  get size(): number {
    return this.#variables.size;
  }

  find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') throw noSuchOverload();
    const variable = this.#variables.get(key);
    if (variable === undefined) return undefined;
    let known = this.#known.get(key);
    if (known === undefined) {
      known = this.#computed(key, variable);
      this.#known.set(key, known);
    }
    if (typeof known === 'object' && known !== null && 'fault' in known) throw known.fault;
    return known;
  }

  #computed(name: string, variable: AdmissionExpression): CelValue | { readonly fault: EvaluationFault } {
    try {
      return this.#compute(variable);
    } catch (error) {
      if (!(error instanceof EvaluationFault)) throw error;
      return { fault: new EvaluationFault(`composited variable "${name}" ${error.message}`) };
    }
  }

  keys(): Iterable<CelValue> {
    return this.#variables.keys();
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof LazyVariables)) throw noSuchOverload();
    return other === this;
  }
}
