import type { schemaDefinition } from './schema-definition.ts';

/**
 * A schema as a graph of plain objects. It can represent the JSONSchemaProps of a CustomResourceDefinition, and the
 * merge rules that only built-in types have. There is no `$ref`: all uses of a type share its node, and a type that
 * contains itself is a cycle. A walk over a graph must therefore follow a value, or remember visited nodes.
 */
export interface SchemaNode {
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];

  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;

  readonly items?: SchemaNode;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;

  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;

  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;

  readonly allOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly not?: SchemaNode;

  /** For a property of a built-in type: Go omits it if it is zero, false or the empty string. OpenAPI does not have this. */
  readonly 'x-go-omitempty'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-group-version-kind'?: readonly SchemaGroupVersionKind[];
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'map' | 'set';
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-patch-merge-key'?: string;
  /** Comma-separated: `merge`, `replace`, `retainKeys`. */
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-unions'?: readonly SchemaUnion[];
  readonly 'x-kubernetes-validations'?: readonly SchemaValidationRule[];

  /**
   * For a node of a built-in definition: its name, which distinguishes a Quantity from other strings, and Time from
   * MicroTime.
   */
  readonly [schemaDefinition]?: string;
}

export interface SchemaGroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A discriminator, and for each field the value to which it belongs. */
export interface SchemaUnion {
  readonly discriminator?: string;
  readonly 'fields-to-discriminateBy': Readonly<Record<string, string>>;
}

/** A CEL rule in `x-kubernetes-validations`. */
export interface SchemaValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}
