import type { FieldError } from '../apimachinery.ts';
import { type CompiledRule, DeclaredType, maxCardinality, saturate } from '../cel/index.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import type { JsonSchemaProps } from './custom-resource-definition.ts';
import type { RuleCosts } from './rule-cost.ts';

/**
 * A schema whose rules are compiled, with what they need to know of the schemas above: the types those declare, which
 * are worked out once, and how often its data can occur (CELSchemaContext of apiextensions-apiserver).
 */
export class RuleScope {
  readonly #schema: JsonSchemaProps;
  readonly #costs: RuleCosts;
  readonly #parent: RuleScope | undefined;
  /** The name of the property this is; undefined for the root, and for items and additional properties. */
  readonly #name: string | undefined;
  /** Whether a rule here or above can see the schema. */
  readonly isSeen: boolean;
  /** How many there can be of the data in an object; undefined where a list or map above has no limit. */
  readonly #cardinality: number | undefined;
  #declared: { readonly type: DeclaredType | undefined } | undefined;

  /** Without a parent, a scope for the schema of a whole resource. */
  constructor(schema: JsonSchemaProps, costs: RuleCosts, parent?: RuleScope, name?: string) {
    this.#schema = schema;
    this.#costs = costs;
    this.#parent = parent;
    this.#name = name;
    const hasRules = (schema['x-kubernetes-validations']?.length ?? 0) > 0;
    this.isSeen = hasRules || parent?.isSeen === true;
    this.#cardinality = parent === undefined ? 1 : parent.#cardinalityBelow();
  }

  /** The scope of a property or, without a name, of the items or additional properties. */
  child(schema: JsonSchemaProps, name?: string): RuleScope {
    return new RuleScope(schema, this.#costs, this, name);
  }

  /**
   * What the schema declares to expressions; of kind `preserved` where they cannot see it, undefined where it says of what
   * items or other properties of a value are that has none.
   */
  get declared(): DeclaredType | undefined {
    this.#declared ??= { type: this.#declare() };
    return this.#declared.type;
  }

  /** Counts what the rule costs for all its data; the error where that is too much. */
  addRule(rule: CompiledRule, declared: DeclaredType, path: string): FieldError[] {
    const cardinality = this.#cardinality ?? maxCardinality(declared);
    return this.#costs.add(saturate(rule.estimateCost() * cardinality), path, 'rule');
  }

  /** Counts what a message expression costs, which is evaluated once. */
  addMessage(message: CompiledRule, path: string): FieldError[] {
    return this.#costs.add(message.estimateCost(), path, 'messageExpression');
  }

  #declare(): DeclaredType | undefined {
    const parent = this.#parent;
    if (parent?.isSeen === true) {
      const { declared } = parent;
      // Below what expressions cannot see there is nothing they could.
      if (declared === undefined || declared.kind === 'preserved') return declared;
      if (this.#name === undefined) return declared.element;
      const known = declared.properties.get(this.#name);
      if (known !== undefined) return known;
    }
    return DeclaredType.of(this.#schema as StructuralSchema, parent === undefined);
  }

  #cardinalityBelow(): number | undefined {
    const { type, maxItems, maxProperties, additionalProperties } = this.#schema;
    const isMap = type === 'object' && additionalProperties !== undefined;
    const elements = isMap ? maxProperties : type === 'array' ? maxItems : 1;
    if (this.#cardinality === undefined || elements === undefined) return undefined;
    return saturate(this.#cardinality * Math.max(0, elements));
  }
}
