import { createRequire } from 'node:module';
import type { AnyClass } from '@evenkeel/core';

/** What class-transformer's decorators say of a property. */
export interface TransformerMetadata {
  /** The class that `@Type(() => X)` names. */
  readonly type?: AnyClass;
  /** How `type` is told apart from its subclasses: `@Type(() => X, { discriminator })`. */
  readonly discriminator?: Discriminator;
  /** Decorators that change what goes over the wire, with what to do instead. */
  readonly refused: readonly { readonly decorator: string; readonly mend: string }[];
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

// class-transformer does not export its storage. It is unmaintained since 0.5.1, so the file will not move; and the
// CommonJS build is the one that Node gives to `import`, whose storage the user's decorators write to.
const { defaultMetadataStorage: storage } = createRequire(import.meta.url)('class-transformer/cjs/storage.js') as {
  defaultMetadataStorage: TransformerStorage;
};

/** class-transformer's `TransformationType.PLAIN_TO_CLASS` and `CLASS_TO_PLAIN`. */
const directions = [0, 1];

/** The properties that class-transformer's decorators stand on, those of base classes too. */
export function transformedPropertiesOf(target: AnyClass): readonly string[] {
  const names = new Set<string>();
  for (let current: unknown = target; typeof current === 'function'; current = Object.getPrototypeOf(current)) {
    for (const byProperty of [
      storage._typeMetadatas,
      storage._transformMetadatas,
      storage._exposeMetadatas,
      storage._excludeMetadatas,
    ]) {
      // Under undefined stands what is said of the whole class.
      for (const name of byProperty.get(current as AnyClass)?.keys() ?? []) if (name !== undefined) names.add(name);
    }
  }
  return [...names];
}

/** Objects are the JSON on the wire: of class-transformer only `@Type` with a class of the API has a meaning. */
export function transformerMetadataOf(target: AnyClass, property: string): TransformerMetadata {
  const refused: { decorator: string; mend: string }[] = [];
  const name = storage.findExposeMetadata(target, property)?.options.name;
  if (name !== undefined && name !== property) {
    refused.push({
      decorator: `@Expose({ name: '${name}' })`,
      mend: `objects are the JSON on the wire: name the property ${name} and remove @Expose`,
    });
  }
  if (storage.findExcludeMetadata(target, property) !== undefined) {
    refused.push({
      decorator: '@Exclude()',
      mend: 'objects are the JSON on the wire: remove the property from the class',
    });
  }
  if (directions.some((direction) => storage.findTransformMetadatas(target, property, direction).length > 0)) {
    refused.push({
      decorator: '@Transform()',
      mend: 'objects are the JSON on the wire: declare the property as it is sent, and convert it in your code',
    });
  }
  const typed = storage.findTypeMetadata(target, property);
  const named = typed?.typeFunction();
  if (named === Date) {
    refused.push({
      decorator: '@Type(() => Date)',
      mend: 'times are strings in RFC 3339: declare it as a string with @IsRFC3339() and make the Date where you need it',
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
    mend: "give it { property: 'type', subTypes: [{ value: A, name: 'a' }, ...] } with the class and the value of each variant",
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
