import {
  childPath,
  type FieldError,
  fieldErrorText,
  invalid,
  isJsonObject,
  keyPath,
  valueAt,
} from '../apimachinery.ts';
import { CostBudget, DeclaredType, outOfBudget } from '../cel/index.ts';
import { escapeFieldName } from '../cel/value/field-name.ts';
import { type Correlation, MapList } from './correlation.ts';
import { PreparedRule } from './prepared-rule.ts';
import type { SchemaNode } from './schema-node.ts';

/** The inputs of an evaluation of rules. */
export interface RuleRun {
  readonly value: unknown;
  /** The old object; undefined for a create request. */
  readonly old?: unknown;
  readonly path?: string;
  /** The correlation of new and old. If set, failures of unchanged values become warnings. Needs `old`. */
  readonly correlation?: Correlation | undefined;
  /** The maximal cost of all rules together. Default: the API server's 10,000,000. */
  readonly budget?: CostBudget;
  readonly warn?: ((message: string) => void) | undefined;
}

/**
 * The rules (`x-kubernetes-validations`) of a schema and of all schemas below, compiled at their first use. Order, messages,
 * transition rules and cost follow apiextensions-apiserver pkg/apiserver/schema/cel/validation.go.
 */
export class CelRules {
  readonly #root: RuleNode;

  constructor(node: SchemaNode, isRoot: boolean) {
    this.#root = new RuleNode(node, DeclaredType.of(node.schema, isRoot));
  }

  /** The errors of all violated rules. */
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

/** The correlation of a value with its old value, or that of the nearest parent that has one. */
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

  /** Returns false if evaluation must stop, because the budget is used up. */
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
      // Expressions cannot see properties without a type, nor anything below them.
      const isPart = this.#declared.kind === 'object' || escapeFieldName(name) === undefined;
      const isSeen =
        isPart && declared !== undefined && declared.kind !== 'preserved' && node?.reaches('rule') === true;
      this.#children.set(name, isSeen ? new RuleNode(node, declared) : undefined);
    }
    return this.#children.get(name);
  }

  #prepare(): readonly PreparedRule[] {
    const rules = this.#node.schema['x-kubernetes-validations'] ?? [];
    return rules
      .filter(({ rule }) => rule.trim() !== '' || this.#declared.kind === 'preserved')
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
    if (this.#declared.kind === 'preserved') {
      const why = 'failed to convert to declType for CEL validation rules';
      output.errors.push(invalid(path, type, `rule compiler initialization error: ${why}`));
      return true;
    }
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

/** Errors of the root's apiVersion and kind are never ignored: old and new were converted to the same version. */
function ratchetOf(ratchet: Ratchet | undefined, key: string): Ratchet | undefined {
  if (ratchet?.current === undefined) return ratchet;
  if (ratchet.parent === undefined && (key === 'apiVersion' || key === 'kind')) return undefined;
  return { current: ratchet.current.key(key), parent: ratchet.current };
}
