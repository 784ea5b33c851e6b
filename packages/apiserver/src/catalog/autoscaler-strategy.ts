import type { ApiObject } from '../kind/api-object.ts';
import type { Strategy } from '../kind/strategy.ts';
import { autoscalerInV2 } from './autoscaler-conversion.ts';

/** The strategy of HorizontalPodAutoscaler, which validates objects of v1 as those of v2 that are stored. */
export function autoscalerStrategy(strategy: Strategy): Strategy {
  const { validate, validateUpdate } = strategy;
  return {
    ...strategy,
    validate: (object, context) => validate?.(stored(object), context) ?? [],
    validateUpdate: (object, old, context) => validateUpdate?.(stored(object), stored(old), context) ?? [],
  };
}

function stored(object: ApiObject): ApiObject {
  return object.apiVersion === 'autoscaling/v1' ? autoscalerInV2(object) : object;
}
