import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { ComparedVersion } from '../diff/compare-versions.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';

/** The part of a version of a CRD that its objects depend on. */
export function comparedVersion({
  schema,
  subresources,
}: CustomResourceDefinition['spec']['versions'][number]): ComparedVersion {
  return {
    schema: (schema?.openAPIV3Schema ?? {}) as StructuralSchema,
    hasStatus: subresources?.status !== undefined,
    scale: subresources?.scale,
  };
}
