import { childPath, duplicate, type FieldError, forbidden, goQuote, invalid, required } from '../apimachinery.ts';
import { CelError, CompiledRule, type CostBudget, compileRule, type DeclaredType } from '../cel/index.ts';
import type { ValidationRule } from '../structural-schema.ts';
import { resolveFieldPath } from './field-path.ts';
import type { SchemaNode } from './schema-node.ts';

/** MaxEvaluatedMessageExpressionSizeBytes of k8s.io/apiserver pkg/apis/cel/config.go. */
const maxMessageBytes = 5 * 1024;

/** The failure of a rule. */
export interface RuleOutcome {
  readonly error: FieldError;
  /** Whether evaluation must stop after it. */
  readonly isLast: boolean;
  /** Whether only the value causes the failure, so that it is ignored if the value is unchanged. */
  readonly mayBeForgiven: boolean;
}

/**
 * A compiled rule of a schema, with the API server's error if it is violated
 * (apiextensions-apiserver pkg/apiserver/schema/cel/validation.go).
 */
export class PreparedRule {
  readonly #rule: ValidationRule;
  readonly #node: SchemaNode;
  readonly #compiled: CompiledRule | string;
  readonly #message: CompiledRule | undefined;

  constructor(rule: ValidationRule, node: SchemaNode, declared: DeclaredType) {
    this.#rule = rule;
    this.#node = node;
    const optionalOldSelf = rule.optionalOldSelf === true;
    const compiled = compileRule({ expression: rule.rule, declared, optionalOldSelf });
    this.#compiled = compiled instanceof CompiledRule ? compiled : compiled.message;
    if (rule.messageExpression) {
      const message = compileRule({
        expression: rule.messageExpression,
        declared,
        optionalOldSelf,
        result: 'string',
      });
      if (message instanceof CompiledRule) this.#message = message;
    }
  }

  /** The failure; undefined if the value satisfies the rule, or if the rule needs an old value and there is none. */
  evaluate(self: unknown, oldSelf: unknown, path: string, type: string, budget: CostBudget): RuleOutcome | undefined {
    const compiled = this.#compiled;
    if (typeof compiled === 'string') {
      return { error: invalid(path, type, `rule compile error: ${compiled}`), isLast: false, mayBeForgiven: false };
    }
    if (compiled.usesOldSelf && oldSelf === undefined && this.#rule.optionalOldSelf !== true) return undefined;
    try {
      if (compiled.evaluate({ self, oldSelf }, budget) === true) return undefined;
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      return this.#failed(error, path, type);
    }
    return this.#refuse({ self, oldSelf }, path, type, budget);
  }

  #failed({ message, reason }: CelError, path: string, type: string): RuleOutcome {
    const fail = (detail: string, isLast: boolean) => ({
      error: invalid(path, type, detail),
      isLast,
      mayBeForgiven: false,
    });
    if (reason === 'budget') return fail(message, true);
    const rule = this.#name();
    if (reason === 'cost') {
      const detail = `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${rule}`;
      return fail(detail, true);
    }
    if (message.startsWith('no such overload')) {
      const why = 'call arguments did not match a supported operator, function or macro signature for rule';
      return fail(`'${message}': ${why}: ${rule}`, false);
    }
    return fail(`${message} evaluating rule: ${rule}`, false);
  }

  #refuse(input: { self: unknown; oldSelf: unknown }, path: string, type: string, budget: CostBudget): RuleOutcome {
    const { fieldPath, reason } = this.#rule;
    const relative = fieldPath ? resolveFieldPath(fieldPath, this.#node.schema).path : undefined;
    const field = relative === undefined ? path : childPath(path, relative);
    const mayBeForgiven = typeof this.#compiled !== 'string' && !this.#compiled.usesOldSelf;
    const message = this.#evaluateMessage(input, budget);
    if (message instanceof Error) return { error: invalid(field, type, message.message), isLast: true, mayBeForgiven };
    const detail = message ?? (this.#rule.message ? this.#name() : `failed rule: ${this.#name()}`);
    const value = type === 'object' || type === 'array' ? undefined : input.self;
    return { error: errorForReason(reason, field, value, detail), isLast: false, mayBeForgiven };
  }

  /** The result of the message expression; undefined if it is missing or unusable; an Error if evaluation must stop. */
  #evaluateMessage(input: { self: unknown; oldSelf: unknown }, budget: CostBudget): string | undefined | Error {
    try {
      const message = this.#message?.evaluate(input, budget);
      const text = typeof message === 'string' ? message.trim() : '';
      return text === '' || text.includes('\n') || Buffer.byteLength(text) > maxMessageBytes ? undefined : text;
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      if (error.reason === 'evaluation') return undefined;
      if (error.reason === 'budget') {
        return new Error(
          'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
        );
      }
      const source = goQuote(this.#rule.messageExpression ?? '');
      const why = 'no further validation rules will be run due to call cost exceeds limit for messageExpression';
      return new Error(`${why}: ${source}`);
    }
  }

  /** The name of the rule in messages. */
  #name(): string {
    return (this.#rule.message || this.#rule.rule).trim();
  }
}

function errorForReason(reason: string | undefined, path: string, value: unknown, detail: string): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbidden(path, detail);
    case 'FieldValueRequired':
      return required(path, detail);
    case 'FieldValueDuplicate':
      return duplicate(path, value);
    default:
      return invalid(path, value, detail);
  }
}
