import type { AnyClass } from '../declarations/class-reference.ts';
import {
  type ClassThunk,
  declareProperty,
  type EmbeddedResourceOptions,
  type InstanceMemberDecorator,
} from '../declarations/property.ts';

/**
 * A complete Kubernetes object as a value. The API server requires apiVersion and kind, and checks the metadata. With a class,
 * or a function that returns it, the value has the properties of that class. Without a class, the value may be of any kind,
 * and all of its fields are kept.
 */
export function EmbeddedResource(
  type?: AnyClass | ClassThunk,
  options: EmbeddedResourceOptions = {},
): InstanceMemberDecorator {
  return declareProperty({ says: 'embeddedResource', ...(type === undefined ? {} : { type }), ...options });
}
