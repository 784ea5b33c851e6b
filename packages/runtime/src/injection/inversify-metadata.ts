import 'reflect-metadata';
import type { AnyClass } from '@evenkeel/core';

/** What inversify's decorators have left at a class, as far as it matters here (inversify 8, `ClassMetadata`). */
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

/** The class that `@inject` asks for at each parameter of a constructor; undefined where it says nothing. */
export function injectedClasses(target: AnyClass): readonly unknown[] {
  return (metadataOf(target)?.constructorArguments ?? []).map((element) => element?.value);
}

/**
 * Whether the decorators ask for more than one instance of a class at each parameter, as names, tags, symbols and injected
 * properties do: that takes a container of inversify.
 */
export function needsContainer(target: AnyClass): boolean {
  const metadata = metadataOf(target);
  if (metadata === undefined) return false;
  return metadata.properties.size > 0 || metadata.constructorArguments.some((element) => !isPlain(element));
}

function isPlain(element: ClassElement | undefined): boolean {
  if (element === undefined) return true;
  const { kind, value, name, optional, tags } = element;
  const isClass = typeof value === 'function' && value.prototype !== undefined;
  return kind === singleInjection && isClass && name === undefined && optional !== true && (tags?.size ?? 0) === 0;
}

/** The methods with `@postConstruct` and `@preDestroy`, of base classes first; one that is overridden stands there once. */
export function hooksOf(target: AnyClass): {
  readonly postConstruct: readonly (string | symbol)[];
  readonly preDestroy: readonly (string | symbol)[];
} {
  const postConstruct = new Set<string | symbol>();
  const preDestroy = new Set<string | symbol>();
  const chain: AnyClass[] = [];
  for (
    let current: unknown = target;
    typeof current === 'function' && current !== Function.prototype;
    current = Object.getPrototypeOf(current)
  ) {
    chain.unshift(current as AnyClass);
  }
  for (const type of chain) {
    const { lifecycle } = metadataOf(type) ?? {};
    for (const name of lifecycle?.postConstructMethodNames ?? []) postConstruct.add(name);
    for (const name of lifecycle?.preDestroyMethodNames ?? []) preDestroy.add(name);
  }
  return { postConstruct: [...postConstruct], preDestroy: [...preDestroy] };
}

function metadataOf(target: AnyClass): ClassMetadata | undefined {
  return Reflect.getOwnMetadata(metadataKey, target) as ClassMetadata | undefined;
}
