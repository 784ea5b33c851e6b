import { createRequire } from 'node:module';
import type { AnyClass } from '@evenkeel/core';

/** The class-transformer decorators of a property. */
export interface TransformerMetadata {
  /** The class in `@Type(() => X)`. */
  readonly type?: AnyClass;
  /** How to distinguish the subclasses of `type`: `@Type(() => X, { discriminator })`. */
  readonly discriminator?: Discriminator;
  /** Decorators that change the serialized object, with the fix. */
  readonly refused: readonly { readonly decorator: string; readonly fix: string }[];
}

/** The option of `@Type` of the same name. */
export interface Discriminator {
  /** The property whose value names the class. */
  readonly property: string;
  readonly subTypes: readonly { readonly name: string; readonly value: AnyClass }[];
}

type ByProperty = ReadonlyMap<AnyClass, ReadonlyMap<string | undefined, unknown>>;

interface TransformerStorage {
  readonly _typeMetadatas: ByProperty;
  readonly _transformMetadatas: ByProperty;
  readonly _exposeMetadatas: ByProperty;
  readonly _excludeMetadatas: ByProperty;
  findTypeMetadata(
    target: AnyClass,
    property: string,
  ): { typeFunction(): unknown; options: { discriminator?: unknown } } | undefined;
  findExposeMetadata(target: AnyClass, property: string): { options: { name?: string } } | undefined;
  findExcludeMetadata(target: AnyClass, property: string): object | undefined;
  findTransformMetadatas(target: AnyClass, property: string, direction: number): readonly object[];
}

// class-transformer does not export its storage. It is unmaintained since 0.5.1, so the file will not move. Node loads the
// CommonJS build for `import`, so the user's decorators write to the storage of this file.
const { defaultMetadataStorage: storage } = createRequire(import.meta.url)('class-transformer/cjs/storage.js') as {
  defaultMetadataStorage: TransformerStorage;
};

/** class-transformer's `TransformationType.PLAIN_TO_CLASS` and `CLASS_TO_PLAIN`. */
const directions = [0, 1];

/** The properties with class-transformer decorators, including those of base classes. */
export function transformedPropertiesOf(target: AnyClass): readonly string[] {
  const names = new Set<string>();
  for (let current: unknown = target; typeof current === 'function'; current = Object.getPrototypeOf(current)) {
    for (const byProperty of [
      storage._typeMetadatas,
      storage._transformMetadatas,
      storage._exposeMetadatas,
      storage._excludeMetadatas,
    ]) {
      // The key undefined has the decorators of the class itself.
      for (const name of byProperty.get(current as AnyClass)?.keys() ?? []) if (name !== undefined) names.add(name);
    }
  }
  return [...names];
}

/**
 * The supported and rejected decorators of a property. Objects are exactly their JSON, so only `@Type` with a class is
 * supported.
 */
export function transformerMetadataOf(target: AnyClass, property: string): TransformerMetadata {
  const refused: { decorator: string; fix: string }[] = [];
  const name = storage.findExposeMetadata(target, property)?.options.name;
  if (name !== undefined && name !== property) {
    refused.push({
      decorator: `@Expose({ name: '${name}' })`,
      fix: `objects are exactly their JSON; name the property ${name} and remove @Expose`,
    });
  }
  if (storage.findExcludeMetadata(target, property) !== undefined) {
    refused.push({
      decorator: '@Exclude()',
      fix: 'objects are exactly their JSON; remove the property from the class',
    });
  }
  if (directions.some((direction) => storage.findTransformMetadatas(target, property, direction).length > 0)) {
    refused.push({
      decorator: '@Transform()',
      fix: 'objects are exactly their JSON; declare the property as it is in the JSON, and convert it in your code',
    });
  }
  const typed = storage.findTypeMetadata(target, property);
  const named = typed?.typeFunction();
  if (named === Date) {
    refused.push({
      decorator: '@Type(() => Date)',
      fix: 'times are RFC 3339 strings; declare it as a string with @IsRFC3339(), and create a Date in your code',
    });
    return { refused };
  }
  if (typeof named !== 'function') return { refused };
  const type = named as AnyClass;
  if (typed?.options.discriminator === undefined) return { type, refused };
  const discriminator = discriminatorOf(typed.options.discriminator);
  if (discriminator !== undefined) return { type, discriminator, refused };
  refused.push({
    decorator: '@Type() with this discriminator',
    fix: "pass { property: 'type', subTypes: [{ value: A, name: 'a' }, ...] } with the class and the value of each variant",
  });
  return { refused };
}

function discriminatorOf(option: unknown): Discriminator | undefined {
  const { property, subTypes } = (option ?? {}) as { readonly property?: unknown; readonly subTypes?: unknown };
  if (typeof property !== 'string' || property === '' || !Array.isArray(subTypes)) return undefined;
  const named = subTypes.filter(
    (subType): subType is Discriminator['subTypes'][number] =>
      typeof subType?.name === 'string' && typeof subType.value === 'function',
  );
  const isWhole = named.length > 0 && named.length === subTypes.length;
  const isUnique = new Set(named.map(({ name }) => name)).size === named.length;
  return isWhole && isUnique ? { property, subTypes: named } : undefined;
}
