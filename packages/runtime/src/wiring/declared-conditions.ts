import 'reflect-metadata';
import { type AnyClass, declarationsOf, type KindClass } from '@evenkeel/core';

/**
 * Whether the controller of a kind may set the standard list of conditions in the status: `@Conditions() conditions` in the
 * class of the `@Status()`. False for a built-in kind, whose conditions belong to Kubernetes' controller; `unsaid` for a
 * custom kind whose classes do not declare conditions.
 */
export function declaresConditions(kind: KindClass): boolean | 'unsaid' {
  const { customResource, properties } = declarationsOf(kind);
  if (customResource === undefined) return false;
  const declares = [...properties].some(([name, declarations]) => {
    if (!declarations.some((property) => property.says === 'status')) return false;
    const type: unknown = Reflect.getMetadata('design:type', kind.prototype as object, name);
    if (typeof type !== 'function') return false;
    const conditions = declarationsOf(type as AnyClass).properties.get('conditions') ?? [];
    return conditions.some((property) => property.says === 'conditions');
  });
  return declares || 'unsaid';
}
