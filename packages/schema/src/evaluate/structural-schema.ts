/** One rule of `x-kubernetes-validations`. */
export interface ValidationRule {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  fieldPath?: string;
  optionalOldSelf?: boolean;
}

/**
 * A structural schema: the JSON of apiextensions.k8s.io/v1 JSONSchemaProps without the keywords that the API server always
 * rejects (`$ref`, `definitions`, `dependencies`, `patternProperties`, `additionalItems`, `id`, `items` as an array).
 *
 * It also describes built-in kinds. Then the objects may form a graph with cycles (a JSONSchemaProps contains
 * JSONSchemaProps), and may have `x-kubernetes-patch-*`. Code that walks a schema must handle both.
 */
export interface StructuralSchema {
  type?: string;
  format?: string;
  title?: string;
  description?: string;
  default?: unknown;
  example?: unknown;
  nullable?: boolean;
  externalDocs?: { description?: string; url?: string };

  maximum?: number;
  exclusiveMaximum?: boolean;
  minimum?: number;
  exclusiveMinimum?: boolean;
  multipleOf?: number;
  maxLength?: number;
  minLength?: number;
  pattern?: string;
  maxItems?: number;
  minItems?: number;
  maxProperties?: number;
  minProperties?: number;
  uniqueItems?: boolean;
  enum?: readonly unknown[];
  required?: readonly string[];
  allOf?: readonly StructuralSchema[];
  anyOf?: readonly StructuralSchema[];
  oneOf?: readonly StructuralSchema[];
  not?: StructuralSchema;

  items?: StructuralSchema;
  properties?: { [name: string]: StructuralSchema };
  additionalProperties?: StructuralSchema | boolean;

  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-embedded-resource'?: boolean;
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-list-type'?: string;
  'x-kubernetes-list-map-keys'?: readonly string[];
  'x-kubernetes-map-type'?: string;
  'x-kubernetes-validations'?: readonly ValidationRule[];
  'x-kubernetes-patch-strategy'?: string;
  'x-kubernetes-patch-merge-key'?: string;
  'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
}
