import { copyJson, jsonEqual } from '@evenkeel/apimachinery/json';
import { ManualClock, SystemRandom } from '@evenkeel/core';
import { type ApiObject } from '../kind/api-object.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import type { StrategyContext } from '../kind/strategy.ts';
import { ObjectStore } from '../store/object-store.ts';
import { StoredServices } from '../webhook/stored-services.ts';
import { WebhookCaller } from '../webhook/webhook-caller.ts';
import {
  type DefinitionSpec,
  type DefinitionStatus,
  definitionsStorageKey,
  storageKeyOf,
} from './custom-definition.ts';
import { type DefinitionHost, DefinitionLifecycle } from './definition-lifecycle.ts';
import { definitionStrategy } from './definition-strategy.ts';
import type { ConversionCalls } from './webhook-converter.ts';

/** A server that knows only definitions and their objects: the rules under test with the real store. */
export class DefinitionServer implements DefinitionHost {
  readonly store = new ObjectStore();
  readonly clock = new ManualClock();
  readonly conversions = conversionCalls(this.store, this.clock);
  readonly served = new Map<string, readonly KindDescription[]>();
  /** The number of changes of the served kinds. */
  serveCount = 0;
  readonly lifecycle = new DefinitionLifecycle(this);

  constructor() {
    this.store.resource(definitionsStorageKey).subscribe(this.lifecycle.serve);
    this.store.subscribe(this.lifecycle.observe);
  }

  async create(definition: object): Promise<ApiObject> {
    const object = copyJson(definition) as ApiObject;
    object.metadata = { ...object.metadata, generation: 1, creationTimestamp: this.#now() };
    definitionStrategy.default?.(object);
    definitionStrategy.prepareForCreate?.(object, {} as StrategyContext);
    const stored = this.store.put(definitionsStorageKey, '', object.metadata.name, object).object;
    await this.lifecycle.settled;
    return stored;
  }

  async delete(name: string): Promise<void> {
    const object = copyJson(this.definition(name));
    object.metadata.deletionTimestamp = this.#now();
    // The generic rules mark a deleted object like this.
    object.metadata.generation = (object.metadata.generation ?? 0) + 1;
    object.metadata.deletionGracePeriodSeconds = 0;
    definitionStrategy.markDeleting?.(object);
    this.store.put(definitionsStorageKey, '', name, object);
    await this.lifecycle.settled;
  }

  definition(name: string): ApiObject {
    const stored = this.store.get(definitionsStorageKey, '', name);
    if (stored === undefined) throw new Error(`there is no definition ${name}`);
    return stored.object;
  }

  has(name: string): boolean {
    return this.store.get(definitionsStorageKey, '', name) !== undefined;
  }

  /** Without times. */
  status(name: string): unknown {
    return withoutTimes(this.definition(name)['status'] as DefinitionStatus);
  }

  definitions(): ApiObject[] {
    return this.store
      .resource(definitionsStorageKey)
      .list('')
      .map(({ object }) => object);
  }

  isHeld(): boolean {
    return false;
  }

  countObjects(storageKey: string): number {
    return this.store.resource(storageKey).size;
  }

  async updateStatus(name: string, change: (current: ApiObject) => ApiObject): Promise<void> {
    const current = this.definition(name);
    const object = change(current);
    if (jsonEqual(object, current)) return;
    const isFinished = object.metadata.deletionTimestamp !== undefined && object.metadata.finalizers === undefined;
    if (isFinished) this.store.remove(definitionsStorageKey, '', name);
    else this.store.put(definitionsStorageKey, '', name, object);
  }

  async deleteObjects(spec: DefinitionSpec): Promise<void> {
    const storageKey = storageKeyOf(spec);
    for (const { namespace, name, object } of this.store.resource(storageKey).list('')) {
      if (object.metadata.finalizers === undefined) this.store.remove(storageKey, namespace, name);
    }
  }

  serve(definition: string, kinds: readonly KindDescription[]): void {
    this.serveCount++;
    this.served.set(definition, kinds);
  }

  #now(): string {
    return new Date(this.clock.now()).toISOString();
  }
}

export function withoutTimes(status: DefinitionStatus | undefined): unknown {
  return {
    ...status,
    conditions: (status?.conditions ?? []).map(({ lastTransitionTime: _, ...condition }) => condition),
  };
}

/** A small definition. `names` and `version` override or add members. */
export function definitionOf(
  plural: string,
  kind: string,
  { names = {}, version = {}, schema = {}, group = 'stable.example.com' }: DefinitionParts = {},
): ApiObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind, ...names },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, ...schema } },
          ...version,
        },
      ],
    },
  };
}

export interface DefinitionParts {
  readonly group?: string;
  readonly names?: object;
  readonly version?: object;
  readonly schema?: object;
}

/** What conversions by webhook need, for tests that convert nothing or register functions. */
export function conversionCalls(store = new ObjectStore(), clock = new ManualClock()): ConversionCalls {
  const random = new SystemRandom();
  return { webhooks: new WebhookCaller({ clock, services: new StoredServices(store, random) }), random };
}
