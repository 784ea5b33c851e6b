import type { FieldError } from '../apimachinery.ts';
import { type CompiledRule, DeclaredType, maxCardinality, saturate } from '../cel/index.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import type { JsonSchemaProps } from './custom-resource-definition.ts';
import type { RuleCosts } from './rule-cost.ts';

/**
 * A schema whose rules are compiled, with the information from its parents: the types that they declare, which are computed
 * once, and how often the schema's data can occur (CELSchemaContext of apiextensions-apiserver).
 */
export class RuleScope {
  readonly #schema: JsonSchemaProps;
  readonly #costs: RuleCosts;
  readonly #parent: RuleScope | undefined;
  /** The name of the property; undefined for the root, and for items and additional properties. */
  readonly #name: string | undefined;
  /** Whether a rule of this schema or of a parent can see the schema. */
  readonly isSeen: boolean;
  /** How often the data can occur in an object; undefined if a parent list or map has no limit. */
  readonly #cardinality: number | undefined;
  #declared: { readonly type: DeclaredType | undefined } | undefined;

  /** Without a parent, the scope of the schema of a whole resource. */
  constructor(schema: JsonSchemaProps, costs: RuleCosts, parent?: RuleScope, name?: string) {
    this.#schema = schema;
    this.#costs = costs;
    this.#parent = parent;
    this.#name = name;
    const hasRules = (schema['x-kubernetes-validations']?.length ?? 0) > 0;
    this.isSeen = hasRules || parent?.isSeen === true;
    this.#cardinality = parent === undefined ? 1 : parent.#cardinalityBelow();
  }

  /** The scope of a property, or, without a name, of the items or additional properties. */
  child(schema: JsonSchemaProps, name?: string): RuleScope {
    return new RuleScope(schema, this.#costs, this, name);
  }

  /**
   * The type that the schema declares to expressions. Its kind is `preserved` if they cannot see it. Undefined for items or
   * additional properties of a value that cannot have them.
   */
  get declared(): DeclaredType | undefined {
    this.#declared ??= { type: this.#declare() };
    return this.#declared.type;
  }

  /** Adds the cost of a rule for all of its data. Returns an error if it is too expensive. */
  addRule(rule: CompiledRule, declared: DeclaredType, path: string): FieldError[] {
    const cardinality = this.#cardinality ?? maxCardinality(declared);
    return this.#costs.add(saturate(rule.estimateCost() * cardinality), path, 'rule');
  }

  /** Adds the cost of a message expression, which is evaluated once. */
  addMessage(message: CompiledRule, path: string): FieldError[] {
    return this.#costs.add(message.estimateCost(), path, 'messageExpression');
  }

  #declare(): DeclaredType | undefined {
    const parent = this.#parent;
    if (parent?.isSeen === true) {
      const { declared } = parent;
      // Expressions cannot see anything below a schema that they cannot see.
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
