import 'reflect-metadata';
import type { AnyClass } from '@evenkeel/core';
import { type Discriminator, transformerMetadataOf } from './class-transformer.ts';

/** The class of a property's value, or of the elements of its lists and maps, at run time. */
export interface RuntimeClass {
  readonly type: AnyClass;
  readonly discriminator?: Discriminator;
}

/**
 * The run-time class of a property's value. Undefined if it is not a class, or if only TypeScript names it.
 *
 * @param isMarked whether the property has `@ValidateNested()`.
 */
export function runtimeClassOf(owner: AnyClass, property: string, isMarked: boolean): RuntimeClass | undefined {
  const designType = designTypeOf(owner, property);
  const { type: named, discriminator } = transformerMetadataOf(owner, property);
  if (named === undefined || valueTypes.has(named)) {
    if (typeof designType !== 'function' || valueTypes.has(designType)) return undefined;
    return { type: designType as AnyClass };
  }
  // An unmarked Object may be a map or an interface; a wrong guess would reject valid objects.
  if (designType === Object && !isMarked) return undefined;
  return { type: named, ...(discriminator === undefined ? {} : { discriminator }) };
}

/** The type of a property that the compiler recorded. */
export function designTypeOf(type: AnyClass, property: string): unknown {
  return Reflect.getMetadata('design:type', type.prototype as object, property);
}

/** The `design:type` of properties whose values are not of a user's class. */
const valueTypes: ReadonlySet<unknown> = new Set([
  ...[Object, Array, String, Number, Boolean, BigInt, Symbol, Function],
  ...[Date, Map, Set, Promise],
]);
