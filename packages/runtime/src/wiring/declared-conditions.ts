import 'reflect-metadata';
import { type AnyClass, declarationsOf, type KindClass } from '@evenkeel/core';

/**
 * Whether a kind's status has the standard list of conditions for its controller to set: `@Conditions() conditions` in the
 * class of the `@Status()`. False for a built-in kind, whose conditions are those of its own controller; `unsaid` for a
 * custom kind whose classes do not say so.
 */
export function declaresConditions(kind: KindClass): boolean | 'unsaid' {
  const { customResource, properties } = declarationsOf(kind);
  if (customResource === undefined) return false;
  const declares = [...properties].some(([name, said]) => {
    if (!said.some((property) => property.says === 'status')) return false;
    const type: unknown = Reflect.getMetadata('design:type', kind.prototype as object, name);
    if (typeof type !== 'function') return false;
    const conditions = declarationsOf(type as AnyClass).properties.get('conditions') ?? [];
    return conditions.some((property) => property.says === 'conditions');
  });
  return declares || 'unsaid';
}
