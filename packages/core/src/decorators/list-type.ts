import { declareProperty, type InstanceMemberDecorator, type ListTypeDeclaration } from '../declarations/property.ts';

/**
 * How server-side apply merges a list, and what must be unique in it. `atomic`, the server's default, replaces it whole;
 * `set` has unique scalars; `map` has objects that are the same where the properties `keys` are equal, which must be
 * scalars, each required or with a default. It cannot change later without surprising those who apply.
 */
export function ListType(type: 'atomic' | 'set'): InstanceMemberDecorator;
export function ListType(type: 'map', ...keys: readonly [string, ...string[]]): InstanceMemberDecorator;
export function ListType(type: ListTypeDeclaration['type'], ...keys: readonly string[]): InstanceMemberDecorator {
  return declareProperty({ says: 'listType', type, keys });
}
