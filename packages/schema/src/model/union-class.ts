import type { AnyClass } from '@evenkeel/core';
import type { ClassSource } from '../source/source-file.ts';
import type { ApiClass, ApiProperty } from './api-class.ts';
import type { Discriminator } from './class-transformer.ts';

/**
 * One class with the properties of all classes of a union with a discriminator, because a structural schema has one type for
 * each property. CEL rules restrict each variant to its properties.
 */
export function unionClass(
  base: AnyClass,
  { property, subTypes }: Discriminator,
  variants: readonly ApiClass[],
  source: ClassSource | undefined,
): ApiClass {
  const properties = new Map<string, ApiProperty>();
  for (const variant of variants) {
    for (const own of variant.properties) if (!properties.has(own.name)) properties.set(own.name, own);
  }
  const declared = properties.get(property);
  const location = declared?.location ?? (source === undefined ? undefined : { file: source.file, line: source.line });
  properties.set(property, {
    name: property,
    className: base.name,
    ...(declared?.description === undefined ? {} : { description: declared.description }),
    ...(location === undefined ? {} : { location }),
    type: { is: 'values', values: subTypes.map(({ name }) => name) },
    isOptional: false,
    isRequired: true,
    constraints: [],
    says: declared?.says ?? [],
  });
  return {
    type: base,
    name: base.name,
    ...(source?.description === undefined ? {} : { description: source.description }),
    ...(source === undefined ? {} : { location: { file: source.file, line: source.line } }),
    properties: [...properties.values()].sort((left, right) => (left.name < right.name ? -1 : 1)),
    says: [],
    union: {
      discriminator: property,
      variants: variants.map((variant, index) => ({ value: subTypes[index]?.name ?? '', class: variant })),
    },
  };
}
