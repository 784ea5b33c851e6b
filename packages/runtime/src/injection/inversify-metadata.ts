import 'reflect-metadata';
import { type AnyClass, inheritanceChain } from '@evenkeel/core';

/** The metadata of inversify's decorators at a class that matters here (inversify 8, `ClassMetadata`). */
interface ClassMetadata {
  readonly constructorArguments: readonly (ClassElement | undefined)[];
  readonly properties: ReadonlyMap<string | symbol, unknown>;
  readonly lifecycle: {
    readonly postConstructMethodNames: ReadonlySet<string | symbol>;
    readonly preDestroyMethodNames: ReadonlySet<string | symbol>;
  };
}

interface ClassElement {
  readonly kind: number;
  readonly value?: unknown;
  readonly name?: unknown;
  readonly optional?: boolean;
  readonly tags?: ReadonlyMap<unknown, unknown>;
}

const metadataKey = '@inversifyjs/core/classMetadataReflectKey';
const singleInjection = 1;

/** What inversify's decorators record at each parameter of a constructor: the service of `@inject`, or the type. */
export function injectedServices(target: AnyClass): readonly ({ readonly service: unknown } | undefined)[] {
  return (metadataOf(target)?.constructorArguments ?? []).map(
    (element) => element && { service: unwrapped(element.value) },
  );
}

/**
 * Whether the decorators of a class use more than one service for each parameter: names, tags, lists, optional parameters or
 * injected properties. They need a container of inversify.
 */
export function needsContainer(target: AnyClass): boolean {
  const metadata = metadataOf(target);
  if (metadata === undefined) return false;
  return metadata.properties.size > 0 || metadata.constructorArguments.some((element) => !isPlain(element));
}

function isPlain(element: ClassElement | undefined): boolean {
  if (element === undefined) return true;
  const { kind, name, optional, tags } = element;
  return kind === singleInjection && name === undefined && optional !== true && (tags?.size ?? 0) === 0;
}

/** The identifier in a `LazyServiceIdentifier`, which inversify has for import cycles. */
function unwrapped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { unwrap } = value as { readonly unwrap?: unknown };
  return typeof unwrap === 'function' ? (unwrap.call(value) as unknown) : value;
}

/** The methods with `@postConstruct` and `@preDestroy`, those of base classes first. An overridden method is listed once. */
export function hooksOf(target: AnyClass): {
  readonly postConstruct: readonly (string | symbol)[];
  readonly preDestroy: readonly (string | symbol)[];
} {
  const postConstruct = new Set<string | symbol>();
  const preDestroy = new Set<string | symbol>();
  for (const type of inheritanceChain(target).reverse()) {
    const { lifecycle } = metadataOf(type) ?? {};
    for (const name of lifecycle?.postConstructMethodNames ?? []) postConstruct.add(name);
    for (const name of lifecycle?.preDestroyMethodNames ?? []) preDestroy.add(name);
  }
  return { postConstruct: [...postConstruct], preDestroy: [...preDestroy] };
}

function metadataOf(target: AnyClass): ClassMetadata | undefined {
  return Reflect.getOwnMetadata(metadataKey, target) as ClassMetadata | undefined;
}
