import type { StructuralSchema } from '../structural-schema.ts';

/** The fields that every resource has, even if its schema does not specify them. */
export const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Features that a walk over an object can search for; subtrees without the feature are skipped. */
export type SchemaFeature = 'default' | 'listType' | 'embedded' | 'rule';

/**
 * A schema prepared for walks, with its children in maps. Children are resolved at their first use, so that schemas may form
 * cycles and unused parts of large schemas cost nothing.
 */
export class SchemaNode {
  readonly schema: StructuralSchema;
  readonly nullable: boolean;
  readonly hasDefault: boolean;
  readonly embedded: boolean;
  readonly preservesUnknown: boolean;
  /** Whether keys that are not properties are kept: `additionalProperties` is present, even if it is `false`. */
  readonly hasAdditional: boolean;
  readonly #nodes: Map<StructuralSchema, SchemaNode>;
  readonly #reaches: Partial<Record<SchemaFeature, boolean>> = {};
  #properties: Map<string, SchemaNode> | undefined;
  #defaulted: [string, SchemaNode][] | undefined;
  #defaultSize: number | undefined;

  constructor(schema: StructuralSchema, nodes: Map<StructuralSchema, SchemaNode> = new Map()) {
    nodes.set(schema, this);
    this.#nodes = nodes;
    this.schema = schema;
    this.nullable = schema.nullable === true;
    this.hasDefault = schema.default !== undefined && schema.default !== null;
    this.embedded = schema['x-kubernetes-embedded-resource'] === true;
    this.preservesUnknown = schema['x-kubernetes-preserve-unknown-fields'] === true;
    this.hasAdditional = schema.additionalProperties !== undefined;
  }

  get items(): SchemaNode | undefined {
    return this.#nodeOf(this.schema.items);
  }

  /** The node of additional properties; undefined if they have no schema. */
  get additional(): SchemaNode | undefined {
    const { additionalProperties } = this.schema;
    return typeof additionalProperties === 'object' ? this.#nodeOf(additionalProperties) : undefined;
  }

  get properties(): ReadonlyMap<string, SchemaNode> {
    if (this.#properties === undefined) {
      this.#properties = new Map();
      for (const [name, schema] of Object.entries(this.schema.properties ?? {})) {
        const node = this.#nodeOf(schema);
        if (node !== undefined) this.#properties.set(name, node);
      }
    }
    return this.#properties;
  }

  /** The properties with a default. */
  get defaulted(): readonly (readonly [string, SchemaNode])[] {
    this.#defaulted ??= [...this.properties].filter(([, node]) => node.hasDefault);
    return this.#defaulted;
  }

  /** The approximate size of a copy of the default: one unit for each member, and its strings. */
  get defaultSize(): number {
    this.#defaultSize ??= 20 + (JSON.stringify(this.schema.default, bigintAsText)?.length ?? 0);
    return this.#defaultSize;
  }

  /** The node of an object's key: that of the property, or that of additional properties. */
  child(name: string): SchemaNode | undefined {
    return this.properties.get(name) ?? this.additional;
  }

  /** Whether this node or one below it has the feature. */
  reaches(feature: SchemaFeature): boolean {
    const known = this.#reaches[feature];
    if (known !== undefined) return known;
    const seen = new Set<SchemaNode>([this]);
    let found = false;
    for (const node of seen) {
      if (node.#has(feature) || node.#reaches[feature] === true) {
        found = true;
        break;
      }
      for (const child of node.properties.values()) seen.add(child);
      if (node.items !== undefined) seen.add(node.items);
      if (node.additional !== undefined) seen.add(node.additional);
    }
    if (found) this.#reaches[feature] = true;
    else for (const node of seen) node.#reaches[feature] = false;
    return found;
  }

  #has(feature: SchemaFeature): boolean {
    switch (feature) {
      case 'default':
        return this.hasDefault;
      case 'embedded':
        return this.embedded;
      case 'listType':
        return ['set', 'map'].includes(this.schema['x-kubernetes-list-type'] ?? '');
      case 'rule':
        return (this.schema['x-kubernetes-validations']?.length ?? 0) > 0;
    }
  }

  #nodeOf(schema: StructuralSchema | undefined): SchemaNode | undefined {
    if (schema === undefined) return undefined;
    return this.#nodes.get(schema) ?? new SchemaNode(schema, this.#nodes);
  }
}

function bigintAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
