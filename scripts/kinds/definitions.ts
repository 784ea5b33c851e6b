import type { OpenApiSchema } from './recordings.ts';

/** A definition without descriptions. Each reference is the bare name of another definition. */
export interface Definition extends Omit<OpenApiSchema, 'allOf' | 'properties' | 'items' | 'additionalProperties'> {
  properties?: Record<string, Definition>;
  items?: Definition;
  additionalProperties?: Definition;
}

/** `io.k8s.api.apps.v1` of `io.k8s.api.apps.v1.Deployment`. */
export function packageOf(definitionName: string): string {
  return definitionName.slice(0, definitionName.lastIndexOf('.'));
}

/** `Deployment` of `io.k8s.api.apps.v1.Deployment`. */
export function baseNameOf(definitionName: string): string {
  return definitionName.slice(definitionName.lastIndexOf('.') + 1);
}

export function normaliseDefinition(schema: OpenApiSchema): Definition {
  const { description: _, allOf, $ref, properties, items, additionalProperties, ...rest } = schema;
  if (allOf !== undefined && (allOf.length !== 1 || allOf[0]?.$ref === undefined)) {
    throw new Error(`allOf is more than a reference: ${JSON.stringify(allOf)}`);
  }
  const reference = $ref ?? allOf?.[0]?.$ref;
  return {
    ...(reference !== undefined && { $ref: reference.slice(reference.lastIndexOf('/') + 1) }),
    ...rest,
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, node]) => [name, normaliseDefinition(node)]),
      ),
    }),
    ...(items !== undefined && { items: normaliseDefinition(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: normaliseDefinition(additionalProperties) }),
  };
}

/** Returns the names of the definitions that a definition refers to. */
export function referencesOf(definition: Definition): Set<string> {
  const names = new Set<string>();
  const visit = (node: Definition | undefined): void => {
    if (node === undefined) return;
    if (node.$ref !== undefined) names.add(node.$ref);
    for (const property of Object.values(node.properties ?? {})) visit(property);
    visit(node.items);
    visit(node.additionalProperties);
  };
  visit(definition);
  return names;
}
