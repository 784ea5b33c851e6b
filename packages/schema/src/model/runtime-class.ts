import 'reflect-metadata';
import type { AnyClass } from '@evenkeel/core';
import { type Discriminator, transformerMetadataOf } from './class-transformer.ts';

/** The class of a property's value, or of the elements of its lists and maps, as the running program knows it. */
export interface RuntimeClass {
  readonly type: AnyClass;
  readonly discriminator?: Discriminator;
}

/**
 * What the running program knows of the class below a property; undefined where it is none, or only the TypeScript names
 * it.
 *
 * @param isMarked whether `@ValidateNested()` stands there.
 */
export function runtimeClassOf(owner: AnyClass, property: string, isMarked: boolean): RuntimeClass | undefined {
  const designType = designTypeOf(owner, property);
  const { type: named, discriminator } = transformerMetadataOf(owner, property);
  if (named === undefined || valueTypes.has(named)) {
    if (typeof designType !== 'function' || valueTypes.has(designType)) return undefined;
    return { type: designType as AnyClass };
  }
  // What is neither a class nor marked may be a map or an interface; a wrong guess would find fault with good objects.
  if (designType === Object && !isMarked) return undefined;
  return { type: named, ...(discriminator === undefined ? {} : { discriminator }) };
}

/** What the compiler recorded of the type of a property. */
export function designTypeOf(type: AnyClass, property: string): unknown {
  return Reflect.getMetadata('design:type', type.prototype as object, property);
}

/** What `design:type` says of a property whose values are of no class of the user's. */
const valueTypes: ReadonlySet<unknown> = new Set([
  ...[Object, Array, String, Number, Boolean, BigInt, Symbol, Function],
  ...[Date, Map, Set, Promise],
]);
