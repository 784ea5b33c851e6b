/**
 * What expressions read of an `apiextensions.k8s.io/v1` structural schema. The whole schema fits this type; nothing
 * here depends on the rest of it.
 */
export interface ExpressionSchema {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, ExpressionSchema>>;
  readonly additionalProperties?: ExpressionSchema | boolean;
  readonly items?: ExpressionSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
}
