/**
 * The key of a class, or of a node of a schema graph, for the name of its definition in the API server's OpenAPI, such
 * as `io.k8s.api.core.v1.PodTemplateSpec`. It is a registered symbol, so that two copies of the package use the same
 * key.
 */
export const schemaDefinition: unique symbol = Symbol.for('evenkeel.schemaDefinition') as never;
