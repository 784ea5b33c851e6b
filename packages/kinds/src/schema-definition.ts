/**
 * The key under which a class, or a node of a schema graph, carries the name of its definition in the API server's
 * OpenAPI, such as `io.k8s.api.core.v1.PodTemplateSpec`. A registered symbol, so that two copies of the package agree.
 */
export const schemaDefinition: unique symbol = Symbol.for('evenkeel.schemaDefinition') as never;
