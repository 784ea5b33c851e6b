import { CelError, CompiledRule, CostBudget, compileRule, DeclaredType, outOfBudget } from './cel/index.ts';
import { type Correlation, MapList } from './correlation.ts';
import {
  childPath,
  duplicate,
  type FieldError,
  fieldErrorText,
  forbidden,
  invalid,
  keyPath,
  required,
} from './field-error.ts';
import { resolveFieldPath } from './field-path.ts';
import { goQuote } from './go-format.ts';
import { isJsonObject, valueAt } from './json-value.ts';
import type { SchemaNode } from './schema-node.ts';
import type { ValidationRule } from './structural-schema.ts';

/** What a run of the rules works with. */
export interface RuleRun {
  readonly value: unknown;
  /** The old object; undefined on create. */
  readonly old?: unknown;
  readonly path?: string;
  /** New and old together: failures of unchanged values then become warnings. Needs `old`. */
  readonly correlation?: Correlation | undefined;
  /** What all rules together may cost; default the API server's 10,000,000. */
  readonly budget?: CostBudget;
  readonly warn?: ((message: string) => void) | undefined;
}

/**
 * The rules (`x-kubernetes-validations`) of a schema and all below, compiled when first met. Order, messages, transition
 * rules and cost follow apiextensions-apiserver pkg/apiserver/schema/cel/validation.go.
 */
export class CelRules {
  readonly #root: RuleNode;

  constructor(node: SchemaNode, isRoot: boolean) {
    this.#root = new RuleNode(node, DeclaredType.of(node.schema, isRoot));
  }

  /** The errors of all rules that do not hold. */
  validate({ value, old, path = '', correlation, budget = new CostBudget(), warn }: RuleRun): FieldError[] {
    const errors: FieldError[] = [];
    const ratchet = correlation === undefined ? undefined : { current: correlation, parent: undefined };
    this.#root.validate(value, old, path, ratchet, { errors, budget, warn });
    return errors;
  }
}

interface Output {
  readonly errors: FieldError[];
  readonly budget: CostBudget;
  readonly warn: ((message: string) => void) | undefined;
}

/** Where a value correlates with its old one, or else the nearest parent that does. */
interface Ratchet {
  readonly current: Correlation | undefined;
  readonly parent: Correlation | undefined;
}

class RuleNode {
  readonly #node: SchemaNode;
  readonly #declared: DeclaredType;
  readonly #children = new Map<string, RuleNode | undefined>();
  #items: RuleNode | undefined;
  #additional: RuleNode | undefined;
  #rules: readonly PreparedRule[] | undefined;

  constructor(node: SchemaNode, declared: DeclaredType) {
    this.#node = node;
    this.#declared = declared;
  }

  /** False where nothing more is to be evaluated, because the budget is used up. */
  validate(value: unknown, old: unknown, path: string, ratchet: Ratchet | undefined, output: Output): boolean {
    if (value === null || value === undefined) return true;
    this.#rules ??= this.#prepare();
    if (this.#rules.length > 0 && !this.#evaluate(this.#rules, value, old ?? undefined, path, ratchet, output))
      return false;
    if (Array.isArray(value)) return this.#validateItems(value, old, path, ratchet, output);
    return isJsonObject(value) ? this.#validateKeys(value, old, path, ratchet, output) : true;
  }

  #validateItems(
    items: readonly unknown[],
    old: unknown,
    path: string,
    ratchet: Ratchet | undefined,
    output: Output,
  ): boolean {
    const node = this.#node.items;
    if (node === undefined || !node.reaches('rule')) return true;
    this.#items ??= new RuleNode(node, this.#declared.element ?? DeclaredType.of(node.schema));
    const oldItems = Array.isArray(old) ? new MapList(this.#node.schema, old) : undefined;
    for (let i = 0; i < items.length; i++) {
      const item = items[i];
      const child = ratchet?.current && { current: ratchet.current.index(i), parent: ratchet.current };
      if (!this.#items.validate(item, oldItems?.get(item), keyPath(path, i), child ?? ratchet, output)) return false;
    }
    return true;
  }

  #validateKeys(
    object: { [key: string]: unknown },
    old: unknown,
    path: string,
    ratchet: Ratchet | undefined,
    output: Output,
  ): boolean {
    const oldObject = isJsonObject(old) ? old : undefined;
    const { properties, additional } = this.#node;
    if (additional?.reaches('rule') === true) {
      this.#additional ??= new RuleNode(additional, this.#declared.element ?? DeclaredType.of(additional.schema));
    }
    for (const key of Object.keys(object)) {
      const isProperty = properties.has(key);
      const rules = isProperty ? this.#child(key) : this.#additional;
      if (rules === undefined) continue;
      const oldValue = oldObject === undefined ? undefined : valueAt(oldObject, key);
      const childOf = isProperty ? childPath(path, key) : keyPath(path, key);
      if (!rules.validate(object[key], oldValue, childOf, ratchetOf(ratchet, key), output)) return false;
    }
    return true;
  }

  #child(name: string): RuleNode | undefined {
    if (!this.#children.has(name)) {
      const node = this.#node.properties.get(name);
      const declared = this.#declared.properties.get(name);
      // Properties without a type are no part of what expressions see, and neither is what is below them.
      const isSeen = declared !== undefined && declared.kind !== 'preserved' && node?.reaches('rule') === true;
      this.#children.set(name, isSeen ? new RuleNode(node, declared) : undefined);
    }
    return this.#children.get(name);
  }

  #prepare(): readonly PreparedRule[] {
    const rules = this.#node.schema['x-kubernetes-validations'] ?? [];
    return rules
      .filter(({ rule }) => rule.trim() !== '')
      .map((rule) => new PreparedRule(rule, this.#node, this.#declared));
  }

  #evaluate(
    rules: readonly PreparedRule[],
    value: unknown,
    old: unknown,
    path: string,
    ratchet: Ratchet | undefined,
    output: Output,
  ): boolean {
    const type = this.#node.schema.type ?? '';
    if (output.budget.remaining <= 0) {
      output.errors.push(invalid(path, type, outOfBudget));
      return false;
    }
    for (const rule of rules) {
      const outcome = rule.evaluate(value, old, path, type, output.budget);
      if (outcome === undefined) continue;
      if (outcome.mayBeForgiven && isUnchanged(ratchet)) output.warn?.(fieldErrorText(outcome.error));
      else output.errors.push(outcome.error);
      if (outcome.isLast) return false;
    }
    return true;
  }
}

function isUnchanged(ratchet: Ratchet | undefined): boolean {
  if (ratchet === undefined) return false;
  return (ratchet.current ?? ratchet.parent)?.isUnchanged() === true;
}

/** The root's apiVersion and kind are not forgiven: old and new were converted to the same version. */
function ratchetOf(ratchet: Ratchet | undefined, key: string): Ratchet | undefined {
  if (ratchet?.current === undefined) return ratchet;
  if (ratchet.parent === undefined && (key === 'apiVersion' || key === 'kind')) return undefined;
  return { current: ratchet.current.key(key), parent: ratchet.current };
}

/** MaxEvaluatedMessageExpressionSizeBytes of k8s.io/apiserver pkg/apis/cel/config.go. */
const maxMessageBytes = 5 * 1024;

/** Why a rule does not hold. */
interface RuleOutcome {
  readonly error: FieldError;
  /** Whether no rule may run after it. */
  readonly isLast: boolean;
  /** Whether the failure is of the value alone, and so forgiven where the value is unchanged. */
  readonly mayBeForgiven: boolean;
}

class PreparedRule {
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

  /** Undefined where the rule holds, or does not apply for want of an old value. */
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

  /** The message of the message expression; undefined where there is none of use; an Error where all must end. */
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

  /** How messages name the rule. */
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
