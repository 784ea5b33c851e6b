import 'reflect-metadata';
import { type AnyClass, type ErrorCode, EvenkeelError } from '@evenkeel/core';
import type { Injection, Instances, ServiceKey } from './injection.ts';
import { notConstructible } from './life-cycle.ts';
import { makeSingleton } from './make-value.ts';
import type { WiringContents } from './wiring-contents.ts';

/**
 * Prepares the values of controllers and services, and creates none.
 *
 * If there is a module of inversify, or a class uses its names, tags, lists, optional parameters or injected properties, a
 * container of inversify creates all values. The container is loaded only then, because that takes a fifth of an operator's start
 * time.
 */
export async function createInstances(contents: WiringContents): Promise<Instances> {
  const { plan, modules } = contents;
  const isPlain = [...plan.recipes.values()].every(({ dependencies }) => dependencies !== undefined);
  if (isPlain && modules === undefined) return new PlainInstances(contents);
  const { InversifyInstances } = await import('./inversify-instances.ts');
  return new InversifyInstances(contents);
}

/** The errors that name the class or provider, and the reason. */
const explained: readonly ErrorCode[] = [
  'class-not-constructible',
  'hook-failed',
  'factory-failed',
  'invalid-provider',
];

/**
 * Creates the only value of a class or token. Rejects with `class-not-constructible`, `hook-failed` or `factory-failed`, which
 * names the class or provider.
 */
export async function construct(instances: Instances, key: ServiceKey): Promise<unknown> {
  try {
    return await instances.get(key);
  } catch (error) {
    if (error instanceof EvenkeelError && explained.includes(error.code)) throw error;
    throw notConstructible(key, error);
  }
}

class PlainInstances implements Instances {
  readonly #contents: WiringContents;
  readonly #made = new Map<ServiceKey, Promise<unknown>>();

  constructor(contents: WiringContents) {
    this.#contents = contents;
  }

  get(key: ServiceKey): Promise<unknown> {
    return this.#contents.lifeCycle.waitFor(() => this.#valueOf(key));
  }

  dispose(abort?: AbortSignal): Promise<boolean> {
    return this.#contents.lifeCycle.end(abort);
  }

  #valueOf(key: ServiceKey): Promise<unknown> {
    const made = this.#made.get(key) ?? this.#make(key);
    this.#made.set(key, made);
    return made;
  }

  async #make(key: ServiceKey): Promise<unknown> {
    const { plan, values, lifeCycle } = this.#contents;
    const recipe = plan.recipes.get(key);
    if (recipe === undefined) return values.get(key as AnyClass);
    const injected: unknown[] = [];
    for (const injection of recipe.dependencies ?? []) injected.push(await this.#injected(injection));
    return makeSingleton(recipe, injected, lifeCycle);
  }

  #injected(injection: Injection): unknown {
    if ('service' in injection) return this.#valueOf(injection.service);
    return 'lister' in injection ? this.#contents.listerFor(injection.lister) : injection.value;
  }
}
