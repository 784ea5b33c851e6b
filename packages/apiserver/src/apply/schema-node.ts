/**
 * A node of a kind's schema: OpenAPI v3 as the server publishes it, or a custom resource's structural schema, with
 * references already followed, so that nodes may form a graph. Only what patching and applying read is named.
 */
export interface SchemaNode {
  type?: string;
  format?: string;
  properties?: Readonly<Record<string, SchemaNode>>;
  additionalProperties?: SchemaNode | boolean;
  items?: SchemaNode;
  required?: readonly string[];
  default?: unknown;
  'x-kubernetes-list-type'?: string;
  'x-kubernetes-list-map-keys'?: readonly string[];
  'x-kubernetes-map-type'?: string;
  'x-kubernetes-patch-strategy'?: string;
  'x-kubernetes-patch-merge-key'?: string;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-embedded-resource'?: boolean;
}
