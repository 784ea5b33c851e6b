import type { AnyClass } from '../declarations/class-declarations.ts';
import { type ClassThunk, declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

export interface EmbeddedResourceOptions {
  /**
   * Writes name, namespace, labels, annotations and finalizers of the metadata into the schema, so that documentation
   * and CEL rules know them. The API server keeps and checks the metadata of an embedded resource either way.
   */
  metadata?: true;
}

export interface EmbeddedResourceDeclaration extends EmbeddedResourceOptions {
  readonly says: 'embeddedResource';
  readonly type?: AnyClass | ClassThunk;
}

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
