import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { conditionSchema } from './conditions-schema.ts';

export const conditionDefinition = 'io.k8s.apimachinery.pkg.apis.meta.v1.Condition';
export const intOrStringDefinition = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString';
export const objectMetaDefinition = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
export const quantityDefinition = 'io.k8s.apimachinery.pkg.api.resource.Quantity';

/** Types whose schema in a CRD differs from the API server's OpenAPI. */
const specialTypes: ReadonlyMap<string, () => StructuralSchema> = new Map([
  [conditionDefinition, conditionSchema],
  [intOrStringDefinition, intOrStringSchema],
  [objectMetaDefinition, objectMetaSchema],
  [quantityDefinition, quantitySchema],
]);

export function specialSchemaOf(definition: string): StructuralSchema | undefined {
  return specialTypes.get(definition)?.();
}

/** A port by number or name, a count or a percentage. */
export function intOrStringSchema(): StructuralSchema {
  return { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };
}

/** A quantity. The pattern is controller-gen's (pkg/crd/known_types.go), from the grammar in apimachinery's quantity.go. */
export function quantitySchema(): StructuralSchema {
  return {
    ...intOrStringSchema(),
    pattern:
      '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
  };
}

/** The metadata of a template, as controller-gen's option generateEmbeddedObjectMeta writes it. */
export function objectMetaSchema(): StructuralSchema {
  return {
    type: 'object',
    properties: {
      annotations: { type: 'object', additionalProperties: { type: 'string' } },
      finalizers: { type: 'array', items: { type: 'string' } },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      name: { type: 'string' },
      namespace: { type: 'string' },
    },
  };
}
