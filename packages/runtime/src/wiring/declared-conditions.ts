import 'reflect-metadata';
import { type AnyClass, declarationsOf, type KindClass } from '@evenkeel/core';

/**
 * Whether a kind's status has the standard list of conditions, as far as its classes say: `@Conditions() conditions` in the
 * class of the `@Status()`. False for a built-in kind, whose conditions are those of its own controller.
 */
export function declaresConditions(kind: KindClass): boolean {
  const { customResource, properties } = declarationsOf(kind);
  if (customResource === undefined) return false;
  return [...properties].some(([name, said]) => {
    if (!said.some((property) => property.says === 'status')) return false;
    const type: unknown = Reflect.getMetadata('design:type', kind.prototype as object, name);
    if (typeof type !== 'function') return false;
    const conditions = declarationsOf(type as AnyClass).properties.get('conditions') ?? [];
    return conditions.some((property) => property.says === 'conditions');
  });
}
