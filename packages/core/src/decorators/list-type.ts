import { declareProperty, type InstanceMemberDecorator, type ListTypeDeclaration } from '../declarations/property.ts';

/**
 * Sets how server-side apply merges a list, and what must be unique in it.
 * - `atomic`, the server's default: an apply replaces the whole list.
 * - `set`: the items are unique scalars.
 * - `map`: the items are objects, identified by the properties `keys`. These must be scalars, and each must be required or have
 *   a default.
 *
 * A later change of the type breaks existing users of server-side apply.
 */
export function ListType(type: 'atomic' | 'set'): InstanceMemberDecorator;
export function ListType(type: 'map', ...keys: readonly [string, ...string[]]): InstanceMemberDecorator;
export function ListType(type: ListTypeDeclaration['type'], ...keys: readonly string[]): InstanceMemberDecorator {
  return declareProperty({ says: 'listType', type, keys });
}
