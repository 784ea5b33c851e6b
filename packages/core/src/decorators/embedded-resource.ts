import type { AnyClass } from '../declarations/class-reference.ts';
import {
  type ClassThunk,
  declareProperty,
  type EmbeddedResourceOptions,
  type InstanceMemberDecorator,
} from '../declarations/property.ts';

/**
 * A whole Kubernetes object as a value: the API server demands apiVersion and kind and checks its metadata. With a class
 * (or a thunk of it) it has that class's properties; without one it may be of any kind, and all of it is kept.
 */
export function EmbeddedResource(
  type?: AnyClass | ClassThunk,
  options: EmbeddedResourceOptions = {},
): InstanceMemberDecorator {
  return declareProperty({ says: 'embeddedResource', ...(type === undefined ? {} : { type }), ...options });
}
