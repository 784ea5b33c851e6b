import { dns1123Subdomain, qualifiedName } from '@evenkeel/apimachinery/name-form';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';

/** A list of conditions, merged by `type`. */
export function conditionsSchema(): StructuralSchema {
  return {
    type: 'array',
    items: conditionSchema(),
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
  };
}

/**
 * One condition. Limits and patterns are those of `metav1.Condition` (k8s.io/apimachinery pkg/apis/meta/v1/types.go).
 * controller-gen writes them too; the API server's OpenAPI does not have them.
 */
export function conditionSchema(): StructuralSchema {
  return {
    type: 'object',
    description: 'One aspect of the state, and since when it holds.',
    properties: {
      type: {
        type: 'string',
        description: 'The aspect, in CamelCase, such as Available.',
        maxLength: 316,
        pattern: `^(${dns1123Subdomain}/)?(${qualifiedName})$`,
      },
      status: {
        type: 'string',
        description: 'Whether it holds.',
        enum: ['True', 'False', 'Unknown'],
      },
      reason: {
        type: 'string',
        description: 'Why, as one word for programs.',
        minLength: 1,
        maxLength: 1024,
        pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
      },
      message: {
        type: 'string',
        description: 'Why, as a sentence for people; may be empty.',
        maxLength: 32768,
      },
      lastTransitionTime: {
        type: 'string',
        description: 'When the status last changed.',
        format: 'date-time',
      },
      observedGeneration: {
        type: 'integer',
        description: 'The metadata.generation from which this was concluded.',
        format: 'int64',
        minimum: 0,
      },
    },
    required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
  };
}
