import { childPath, keyPath } from '@evenkeel/apimachinery/field-error';
import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import type {
  AnyClass,
  KindClass,
  KubernetesObject,
  ObjectValidator,
  RuleEvaluator,
  ValidationFinding,
} from '@evenkeel/core';
import type { ValidatorGroups } from '../constraints/constraint-metadata.ts';
import { LimitError } from '../evaluate/nesting.ts';
import { instanceOf } from './class-instance.ts';
import { type ClassPlan, ClassPlans, type NestedPlan, type PropertyPlan } from './class-plan.ts';
import { type ConstraintCheck, type ConstraintMetadata, messageOf, type Subject } from './constraint-check.ts';

/** class-validator's options of the same names, as far as they affect the result. */
export interface ClassValidatorOptions extends ValidatorGroups {
  /** Reports only the first finding of each property. Default: false. */
  readonly stopAtFirstError?: boolean;
  /**
   * Accepts `undefined` and `null`, unless the property has `@IsDefined()`. Default: true, unlike class-validator's
   * default, because the CRD declares required properties and the API server has checked them.
   */
  readonly skipMissingProperties?: boolean;
  /** Accepts `undefined` if `skipMissingProperties` is false. Default: false. */
  readonly skipUndefinedProperties?: boolean;
  /** Accepts `null` if `skipMissingProperties` is false. Default: false. */
  readonly skipNullProperties?: boolean;
}

/**
 * Checks objects with the class-validator decorators of their classes, including those that no schema can express. An
 * object must be an instance of its kind's class, as objects from caches are; other objects have no findings.
 *
 * It runs class-validator's validators with their messages, as `validateSync` does, but resolves each class once. It
 * differs for JSON objects:
 * - A nested object is checked if its class is known from `@Type` or from the property's type, even without
 *   `@ValidateNested()`: the schema of the CRD also applies to every object.
 * - A missing property is accepted, whatever its decorators, unless it has `@IsDefined()` (see `skipMissingProperties`).
 * - `{ each: true }` on an object applies to its values, as in the schema of the CRD. The path leads to the first invalid
 *   value.
 * - `@Matches` runs on an engine that needs linear time, if RE2 supports the expression.
 * - The decorators in `@Items` and `@Values` are checked on the elements.
 * - The status is not checked, because the operator writes it and only a reconcile could fix it.
 * - An asynchronous validator throws `asynchronous-validator`: in `prepare` if it is declared asynchronous, otherwise when
 *   it returns a promise.
 * - Properties without decorators are accepted: the API server has pruned unknown fields.
 *
 * Constructors and initialisers do not run. The object is not changed.
 */
export function classValidator(options: ClassValidatorOptions = {}): ObjectValidator {
  return new ClassValidator(options);
}

class ClassValidator implements ObjectValidator {
  readonly #options: ClassValidatorOptions;
  readonly #plans: ClassPlans;

  constructor(options: ClassValidatorOptions) {
    this.#options = options;
    this.#plans = new ClassPlans(options);
  }

  prepare(kind: KindClass): void {
    this.#plans.ofKind(kind);
  }

  validate(object: KubernetesObject): readonly ValidationFinding[] {
    const prototype: unknown = Object.getPrototypeOf(object);
    const kind: unknown = isJsonObject(prototype) ? prototype['constructor'] : undefined;
    if (typeof kind !== 'function' || kind === Object) return [];
    const plan = this.#plans.ofKind(kind as AnyClass);
    if (plan === undefined) return [];
    const walk = new ClassWalk(this.#options);
    try {
      walk.checkObject(instanceOf(object as unknown as JsonObject, plan), plan, '');
    } catch (error) {
      if (!(error instanceof LimitError)) throw error;
      return [{ path: '', message: error.message }];
    }
    return walk.findings;
  }

  async ruleEvaluator(): Promise<RuleEvaluator> {
    return (await import('../evaluate/admission/rule-evaluator.ts')).ruleEvaluator;
  }
}

/** A walk over one object, in the order and with the rules of class-validator's ValidationExecutor. */
class ClassWalk {
  readonly findings: ValidationFinding[] = [];
  readonly #options: ClassValidatorOptions;

  constructor(options: ClassValidatorOptions) {
    this.#options = options;
  }

  checkObject(object: object, plan: ClassPlan, path: string): void {
    const subject = { className: plan.type.name, object };
    for (const property of plan.properties) {
      const value = (object as JsonObject)[property.name];
      this.#checkProperty(value, property, subject, childPath(path, property.name));
    }
  }

  #checkProperty(value: unknown, property: PropertyPlan, subject: Subject, path: string): void {
    const { conditions, presence, constraints, marks, nested, elements } = property;
    // All conditions run, as in class-validator.
    if (conditions.filter((holds) => !holds(subject.object, value)).length > 0) return;
    const before = this.findings.length;
    for (const check of presence) this.#check(check, value, subject, path, before);
    if (this.#skips(value)) return;
    for (const check of constraints) this.#check(check, value, subject, path, before);
    for (const { of, plan } of elements) {
      if (of === 'list' ? Array.isArray(value) : isMap(value)) this.#checkElements(value as object, plan, path);
    }
    if (value === undefined || this.#isReported(before)) return;
    if (nested !== undefined) this.#checkNested(value, nested, marks, subject, path);
  }

  #check(check: ConstraintCheck, value: unknown, subject: Subject, path: string, before: number): void {
    const { validateIf, each } = check.metadata;
    if (validateIf !== undefined && !validateIf(subject.object, value)) return;
    if (this.#isReported(before)) return;
    if (each && typeof value === 'object' && value !== null && (Array.isArray(value) || isMap(value))) {
      let wrong: string | undefined;
      // All elements are checked, as in class-validator.
      for (const [key, element] of Object.entries(value)) {
        if (!check.accepts(element, subject)) wrong ??= elementPath(path, value, key);
      }
      if (wrong !== undefined) this.findings.push({ path: wrong, message: check.message(value, subject) });
    } else if (!check.accepts(value, subject)) {
      this.findings.push({ path, message: check.message(value, subject) });
    }
  }

  /** Checks the elements of lists at any depth, or the values of a map, with the class. */
  #checkNested(
    value: unknown,
    nested: NestedPlan,
    marks: readonly ConstraintMetadata[],
    subject: Subject,
    path: string,
  ): void {
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        const item: unknown = value[i];
        if (item !== undefined && !this.#skips(item)) this.#checkNested(item, nested, marks, subject, keyPath(path, i));
      }
    } else if (typeof value !== 'object' || value === null) {
      for (const mark of marks) this.findings.push({ path, message: messageOf(mark, value, subject) });
    } else if (nested.isMap) {
      const one = { ...nested, isMap: false };
      for (const [key, element] of Object.entries(value)) {
        if (!this.#skips(element)) this.#checkNested(element, one, marks, subject, childPath(path, key));
      }
    } else {
      this.checkObject(value, nested.planOf(value), path);
    }
  }

  #checkElements(value: object, plan: ClassPlan, path: string): void {
    const [property] = plan.properties;
    if (property === undefined) return;
    for (const [key, element] of Object.entries(value)) {
      const holder = instanceOf({ element }, plan);
      const subject = { className: plan.type.name, object: holder };
      const instance = (holder as JsonObject)['element'];
      this.#checkProperty(instance, property, subject, elementPath(path, value, key));
    }
  }

  #skips(value: unknown): boolean {
    const { skipUndefinedProperties, skipNullProperties, skipMissingProperties = true } = this.#options;
    if (value === undefined) return skipMissingProperties || skipUndefinedProperties === true;
    return value === null && (skipMissingProperties || skipNullProperties === true);
  }

  #isReported(before: number): boolean {
    return this.#options.stopAtFirstError === true && this.findings.length > before;
  }
}

/** An object without a class: the JSON of a map. */
function isMap(value: unknown): value is JsonObject {
  return isJsonObject(value) && Object.getPrototypeOf(value) === Object.prototype;
}

function elementPath(path: string, value: object, key: string): string {
  return Array.isArray(value) ? keyPath(path, key) : childPath(path, key);
}
