import type { RuleReason } from './rule-declaration.ts';

/** The keywords of a structural schema: JSONSchemaProps of apiextensions.k8s.io/v1, except those that the server always rejects. */
export interface SchemaKeywords {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly nullable?: boolean;
  readonly externalDocs?: { readonly url: string; readonly description?: string };
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly multipleOf?: number;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly allOf?: readonly SchemaKeywords[];
  readonly anyOf?: readonly SchemaKeywords[];
  readonly oneOf?: readonly SchemaKeywords[];
  readonly not?: SchemaKeywords;
  readonly items?: SchemaKeywords;
  readonly properties?: Readonly<Record<string, SchemaKeywords>>;
  readonly additionalProperties?: SchemaKeywords | boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: true;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly {
    readonly rule: string;
    readonly message?: string;
    readonly messageExpression?: string;
    readonly reason?: RuleReason;
    readonly fieldPath?: string;
    readonly optionalOldSelf?: boolean;
  }[];
}
