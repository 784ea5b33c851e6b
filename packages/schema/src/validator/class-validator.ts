import { childPath, keyPath } from '@evenkeel/apimachinery/field-error';
import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import type { AnyClass, KindClass, KubernetesObject, ObjectValidator, ValidationFinding } from '@evenkeel/core';
import type { ValidatorGroups } from '../constraints/constraint-metadata.ts';
import { LimitError } from '../evaluate/nesting.ts';
import { instanceOf } from './class-instance.ts';
import { type ClassPlan, ClassPlans, type NestedPlan, type PropertyPlan } from './class-plan.ts';
import { type ConstraintCheck, type ConstraintMetadata, messageOf, type Subject } from './constraint-check.ts';

/** class-validator's options of the same names, as far as they say what is checked. */
export interface ClassValidatorOptions extends ValidatorGroups {
  /** Of a property, tells only the first finding. Default: false. */
  readonly stopAtFirstError?: boolean;
  /**
   * Passes what is `undefined` or `null`, except where `@IsDefined()` stands. Default: true, unlike class-validator's own:
   * what may be missing is for the CRD to say, and the API server has seen to it.
   */
  readonly skipMissingProperties?: boolean;
  /** Passes what is `undefined`, where `skipMissingProperties` is false. Default: false. */
  readonly skipUndefinedProperties?: boolean;
  /** Passes what is `null`, where `skipMissingProperties` is false. Default: false. */
  readonly skipNullProperties?: boolean;
}

/**
 * Checks objects by class-validator's decorators in their classes: all of them, also those that no schema can say. An
 * object is checked by the class of its kind, which is how caches hand objects out; others have no findings.
 *
 * It asks class-validator's own validators with their own messages, as `validateSync` does, but resolves each class once,
 * and differs where objects are JSON on the wire:
 * - A nested object is checked where its class is known, by `@Type` or by the property's own type, whether or not
 *   `@ValidateNested()` stands there: the schema of the CRD says it of every object, too.
 * - A property that is missing passes, whatever its decorators, unless `@IsDefined()` is one of them: `skipMissingProperties`.
 * - `{ each: true }` on an object means its values, as in the schema of the CRD. The path leads to the first that is wrong.
 * - `@Matches` runs on an engine that needs linear time, where RE2 can say the same.
 * - What `@Items` and `@Values` say is checked of the elements.
 * - The status is left out: it is the operator's own, and only a reconcile could mend it.
 * - An asynchronous validator is refused with `asynchronous-validator`, by `prepare` where it says that it is one.
 * - Properties without decorators pass: what the schema does not know, the API server has pruned.
 *
 * Constructors and initialisers do not run, and nothing is changed.
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
}

/** One walk over an object, in the order and by the rules of class-validator's ValidationExecutor. */
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
    // Each is asked, as class-validator does, whatever the others say.
    if (conditions.filter((holds) => !holds(subject.object, value)).length > 0) return;
    const before = this.findings.length;
    for (const check of presence) this.#check(check, value, subject, path, before);
    if (this.#skips(value)) return;
    for (const check of constraints) this.#check(check, value, subject, path, before);
    for (const { of, plan } of elements) {
      if (of === 'list' ? Array.isArray(value) : isMap(value)) this.#checkElements(value as object, plan, path);
    }
    if (value === undefined || this.#isToldOf(before)) return;
    if (nested !== undefined) this.#checkNested(value, nested, marks, subject, path);
  }

  #check(check: ConstraintCheck, value: unknown, subject: Subject, path: string, before: number): void {
    const { validateIf, each } = check.metadata;
    if (validateIf !== undefined && !validateIf(subject.object, value)) return;
    if (this.#isToldOf(before)) return;
    if (each && typeof value === 'object' && value !== null && (Array.isArray(value) || isMap(value))) {
      let wrong: string | undefined;
      // Each element is asked, as class-validator does, whatever is said of others.
      for (const [key, element] of Object.entries(value)) {
        if (!check.accepts(element, subject)) wrong ??= elementPath(path, value, key);
      }
      if (wrong !== undefined) this.findings.push({ path: wrong, message: check.message(value, subject) });
    } else if (!check.accepts(value, subject)) {
      this.findings.push({ path, message: check.message(value, subject) });
    }
  }

  /** Everything at any depth of lists is of the class; in a map, every value. */
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

  #isToldOf(before: number): boolean {
    return this.#options.stopAtFirstError === true && this.findings.length > before;
  }
}

/** An object of no class: the JSON of a map. */
function isMap(value: unknown): value is JsonObject {
  return isJsonObject(value) && Object.getPrototypeOf(value) === Object.prototype;
}

function elementPath(path: string, value: object, key: string): string {
  return Array.isArray(value) ? keyPath(path, key) : childPath(path, key);
}
