import { type AnyClass, declarationsOf, EvenkeelError, type PropertyDeclaration } from '@evenkeel/core';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import type { ValidatorGroups } from '../constraints/constraint-metadata.ts';
import { transformedPropertiesOf } from '../model/class-transformer.ts';
import { designTypeOf, runtimeClassOf } from '../model/runtime-class.ts';
import {
  asynchronousValidator,
  type ConstraintCheck,
  type ConstraintMetadata,
  constraintChecks,
} from './constraint-check.ts';

/** The checks of objects of one class, resolved once. */
export interface ClassPlan {
  readonly type: AnyClass;
  readonly properties: readonly PropertyPlan[];
  /** The properties whose values are objects of classes. */
  readonly nested: ReadonlyMap<string, NestedPlan>;
}

export interface PropertyPlan {
  readonly name: string;
  /** `@ValidateIf` and `@IsOptional`: the property is checked if all of them return true. */
  readonly conditions: readonly ((object: object, value: unknown) => unknown)[];
  /** `@IsDefined`, which applies even if options skip missing values. */
  readonly presence: readonly ConstraintCheck[];
  readonly constraints: readonly ConstraintCheck[];
  /** `@ValidateNested` with its message. */
  readonly marks: readonly ConstraintMetadata[];
  readonly nested: NestedPlan | undefined;
  /** The decorators of the elements from `@Items` and `@Values`. */
  readonly elements: readonly ElementsPlan[];
}

/** The class of a property's value, or of the elements of its lists. */
export interface NestedPlan {
  /** Whether an object is a map of such values. */
  readonly isMap: boolean;
  readonly plans: readonly ClassPlan[];
  /** One of `plans`; a discriminator selects it by the value. */
  planOf(value: object): ClassPlan;
}

export interface ElementsPlan {
  readonly of: 'list' | 'map';
  /** The plan of a class whose only property is `element`. */
  readonly plan: ClassPlan;
}

/** Creates one plan for each class, so that classes may be recursive. */
export class ClassPlans {
  readonly #groups: ValidatorGroups;
  readonly #plans = new Map<AnyClass, ClassPlan>();
  readonly #kinds = new Map<AnyClass, ClassPlan | undefined>();

  constructor(groups: ValidatorGroups) {
    this.#groups = groups;
  }

  /**
   * The plan of a kind's class, without the status, which users do not write. Undefined if there is nothing to check.
   * Throws one EvenkeelError with all classes that cannot be checked, and the reasons.
   */
  ofKind(kind: AnyClass): ClassPlan | undefined {
    if (!this.#kinds.has(kind)) {
      const mistakes: EvenkeelError[] = [];
      const plan = this.#make(kind, mistakes, (said) => said.some(({ says }) => says === 'status'));
      const [first] = mistakes;
      if (first !== undefined) {
        this.#plans.clear();
        throw new EvenkeelError(first.code, mistakes.map(({ message }) => message).join('\n'));
      }
      this.#kinds.set(kind, checksAnything(plan, new Set()) ? plan : undefined);
    }
    return this.#kinds.get(kind);
  }

  #of(type: AnyClass, mistakes: EvenkeelError[]): ClassPlan {
    return this.#plans.get(type) ?? this.#make(type, mistakes);
  }

  #make(
    type: AnyClass,
    mistakes: EvenkeelError[],
    leavesOut: (said: readonly PropertyDeclaration[]) => boolean = () => false,
  ): ClassPlan {
    const properties: PropertyPlan[] = [];
    const nested = new Map<string, NestedPlan>();
    const plan: ClassPlan = { type, properties, nested };
    this.#plans.set(type, plan);
    const declared = declarationsOf(type).properties;
    const constraints = metadataByProperty(type, this.#groups);
    for (const name of new Set([...constraints.keys(), ...declared.keys(), ...transformedPropertiesOf(type)])) {
      const said = declared.get(name) ?? [];
      if (leavesOut(said)) continue;
      const property = this.#property(type, name, constraints.get(name) ?? [], said, mistakes);
      properties.push(property);
      if (property.nested !== undefined) nested.set(name, property.nested);
    }
    return plan;
  }

  #property(
    type: AnyClass,
    name: string,
    metadatas: readonly ConstraintMetadata[],
    said: readonly PropertyDeclaration[],
    mistakes: EvenkeelError[],
  ): PropertyPlan {
    const conditions: PropertyPlan['conditions'][number][] = [];
    const presence: ConstraintCheck[] = [];
    const constraints: ConstraintCheck[] = [];
    const marks: ConstraintMetadata[] = [];
    for (const metadata of metadatas) {
      if (metadata.type === ValidationTypes.CONDITIONAL_VALIDATION) conditions.push(metadata.constraints[0]);
      else if (metadata.type === ValidationTypes.NESTED_VALIDATION) marks.push(metadata);
      else if (metadata.type === ValidationTypes.IS_DEFINED) presence.push(...constraintChecks(metadata));
      else if (metadata.type === ValidationTypes.CUSTOM_VALIDATION) constraints.push(...constraintChecks(metadata));
    }
    for (const check of [...presence, ...constraints]) {
      if (check.isAsynchronous) mistakes.push(asynchronousValidator(type.name, name, check.name));
    }
    const elements = said.flatMap((declaration): ElementsPlan[] => {
      if (declaration.says !== 'items' && declaration.says !== 'values') return [];
      return [{ of: declaration.says === 'items' ? 'list' : 'map', plan: this.#of(declaration.element, mistakes) }];
    });
    const nested = this.#nested(type, name, marks, mistakes);
    const isSpec = said.some(({ says }) => says === 'spec') && designTypeOf(type, name) === undefined;
    if (nested === undefined && (marks.length > 0 || isSpec)) {
      const because = isSpec ? '' : 'it has @ValidateNested(), but ';
      mistakes.push(
        new EvenkeelError(
          'unknown-type',
          `${type.name}.${name}: ${because}its class is unknown at run time; add @Type(() => TheClass)`,
        ),
      );
    }
    return { name, conditions, presence, constraints, marks, nested, elements };
  }

  #nested(
    type: AnyClass,
    name: string,
    marks: readonly ConstraintMetadata[],
    mistakes: EvenkeelError[],
  ): NestedPlan | undefined {
    const known = runtimeClassOf(type, name, marks.length > 0);
    if (known === undefined) return undefined;
    const { discriminator } = known;
    const isMap = designTypeOf(type, name) === Object && marks.some(({ each }) => each);
    const plan = this.#of(known.type, mistakes);
    if (discriminator === undefined) return { isMap, plans: [plan], planOf: () => plan };
    const { property, subTypes } = discriminator;
    const variants = new Map<unknown, ClassPlan>(subTypes.map((it) => [it.name, this.#of(it.value, mistakes)]));
    return {
      isMap,
      plans: [plan, ...variants.values()],
      planOf: (value) => variants.get(Object.hasOwn(value, property) && Reflect.get(value, property)) ?? plan,
    };
  }
}

/** The decorators of a class by property, as class-validator resolves them when it validates. */
function metadataByProperty(type: AnyClass, groups: ValidatorGroups): Map<string, ConstraintMetadata[]> {
  const { groups: names = [], always = false, strictGroups = false } = groups;
  const storage = getMetadataStorage();
  return Map.groupBy(
    storage.getTargetValidationMetadatas(type, '', always, strictGroups, [...names]),
    ({ propertyName }) => propertyName,
  );
}

function checksAnything(plan: ClassPlan, seen: Set<ClassPlan>): boolean {
  if (seen.has(plan)) return false;
  seen.add(plan);
  return plan.properties.some(
    ({ presence, constraints, marks, nested, elements }) =>
      presence.length + constraints.length + marks.length > 0 ||
      elements.some((element) => checksAnything(element.plan, seen)) ||
      nested?.plans.some((below) => checksAnything(below, seen)) === true,
  );
}
