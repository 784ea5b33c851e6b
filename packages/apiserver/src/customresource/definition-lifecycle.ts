import { type Clock, type Condition, StatusError, withCondition } from '@evenkeel/core';
import { copyJson, jsonEqual } from '../apimachinery/index.ts';
import { type ApiObject } from '../kind/api-object.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import type { StoreEvent } from '../store/store-event.ts';
import { nextDefinitionStatus } from './accepted-names.ts';
import {
  cleanupFinalizer,
  type DefinitionSpec,
  type DefinitionStatus,
  definitionsStorageKey,
  isConditionTrue,
  type StoredDefinition,
  storageKeyOf,
} from './custom-definition.ts';
import { storedDefinition } from './definition-strategy.ts';
import { describeCustomKinds } from './describe-custom-kinds.ts';
import type { ConversionCalls } from './webhook-converter.ts';

/** The parts of the server that the lifecycle of definitions needs. */
export interface DefinitionHost {
  readonly clock: Clock;
  readonly conversions: ConversionCalls;
  /** Returns all definitions as they are stored now. */
  definitions(): readonly ApiObject[];
  /** Whether the delay after a client's change of a definition has not passed yet. */
  isHeld(name: string): boolean;
  /** Returns the number of objects that are stored under a storage key. */
  countObjects(storageKey: string): number;
  /**
   * Writes `status` and `metadata.finalizers` of a definition through its status subresource, as `kube-apiserver`. If
   * `change` returns its argument, nothing is written.
   */
  updateStatus(name: string, change: (current: ApiObject) => ApiObject): Promise<unknown>;
  /**
   * Deletes all objects of a definition that are not being deleted yet, by the general rules of deletion, and in their
   * storage version if it is served: that needs no conversion webhook.
   */
  deleteObjects(spec: DefinitionSpec): Promise<unknown>;
  /** Replaces the served kinds of a definition. An empty list removes them. */
  serve(definition: string, kinds: readonly KindDescription[]): void;
}

/**
 * Reacts to writes of CustomResourceDefinitions: accepts names, serves kinds, and deletes the objects of a deleted
 * definition. It combines upstream's naming, establishing and finalizing controllers.
 *
 * Guarantees: a kind is served as soon as the `Established` condition of its definition is stored. All consequences of
 * a write are complete once {@link settled} is fulfilled.
 *
 * Caveats: a deletion waits for objects with finalizers without a limit. Upstream also waits, but writes
 * `InstanceDeletionCheck` into the condition after a minute.
 */
export class DefinitionLifecycle {
  readonly #host: DefinitionHost;
  readonly #served = new Map<string, StoredDefinition>();
  readonly #terminating = new Set<string>();
  #dirty = false;
  #running: Promise<void> | undefined;

  constructor(host: DefinitionHost) {
    this.#host = host;
  }

  /** Fulfilled once only finalizers of objects may be pending. Await it before responding to a write. */
  get settled(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  /** Receives every change of a definition during the write, because it changes the served kinds at once. */
  readonly serve = (event: StoreEvent): void => {
    this.#serve(event.deleted ? undefined : storedDefinition(event.current.object), event.current.name);
  };

  /** Receives every change of any object, after the delay of the controllers. */
  readonly observe = (storageKey: string, event: StoreEvent): void => {
    const isDefinition = storageKey === definitionsStorageKey;
    if (isDefinition || (event.deleted && this.#terminating.has(storageKey))) this.#trigger();
  };

  /** Keeps the served kinds and their compiled schemas if only other parts of the status changed. */
  #serve(definition: StoredDefinition | undefined, name: string): void {
    const before = this.#served.get(name);
    if (definition === undefined) this.#served.delete(name);
    else this.#served.set(name, definition);
    if (definition !== undefined && before !== undefined && isServedAlike(definition, before)) return;
    this.#host.serve(name, definition === undefined ? [] : describeCustomKinds(definition, this.#host.conversions));
  }

  #trigger(): void {
    this.#dirty = true;
    if (this.#running !== undefined) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
    });
    // The error is reported to callers that await `settled`. Without such callers it must not become an unhandled
    // rejection.
    this.#running.catch(() => undefined);
  }

  async #run(): Promise<void> {
    // Not during the write that triggered it, because watches must receive that write first.
    await undefined;
    while (this.#dirty) {
      this.#dirty = false;
      for (const object of this.#host.definitions()) {
        if (!this.#host.isHeld(object.metadata.name)) await this.#step(storedDefinition(object));
      }
    }
  }

  /** Makes at most one write; each write triggers the lifecycle again. */
  async #step(definition: StoredDefinition): Promise<void> {
    try {
      if (isTerminating(definition)) await this.#terminate(definition);
      else if (this.#nextStatus(definition) !== undefined) {
        await this.#update(definition.metadata.name, (current) => this.#nextStatus(current));
      }
    } catch (error) {
      // The definition was changed or deleted meanwhile, which triggered the lifecycle too.
      if (!(error instanceof StatusError)) throw error;
    }
  }

  #nextStatus(definition: StoredDefinition): DefinitionStatus | undefined {
    const definitions = () => this.#host.definitions().map(storedDefinition);
    return nextDefinitionStatus(definition, definitions, new Date(this.#host.clock.now()));
  }

  async #terminate(definition: StoredDefinition): Promise<void> {
    const { name } = definition.metadata;
    const storageKey = storageKeyOf(definition.spec);
    await this.#condition(name, inProgress);
    if (!isConditionTrue(definition, 'Established')) {
      await this.#condition(name, neverEstablished, true);
      return;
    }
    this.#terminating.add(storageKey);
    await this.#host.deleteObjects(definition.spec);
    if (this.#host.countObjects(storageKey) > 0) return;
    this.#terminating.delete(storageKey);
    await this.#condition(name, completed, true);
  }

  #condition(name: string, condition: Omit<Condition, 'lastTransitionTime'>, isFinal = false): Promise<unknown> {
    return this.#update(
      name,
      ({ status }) => {
        const now = new Date(this.#host.clock.now());
        return { ...status, conditions: withCondition(status?.conditions ?? undefined, condition, now) };
      },
      isFinal,
    );
  }

  #update(
    name: string,
    nextStatus: (definition: StoredDefinition) => DefinitionStatus | undefined,
    withoutFinalizer = false,
  ): Promise<unknown> {
    return this.#host.updateStatus(name, (current) => {
      const status = nextStatus(storedDefinition(current));
      if (status === undefined) return current;
      const object = copyJson(current);
      object['status'] = status;
      if (withoutFinalizer) {
        const others = (object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer);
        if (others.length > 0) object.metadata.finalizers = others;
        else delete object.metadata.finalizers;
      }
      return object;
    });
  }
}

function isTerminating({ metadata }: StoredDefinition): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(cleanupFinalizer) === true;
}

function isServedAlike(definition: StoredDefinition, before: StoredDefinition): boolean {
  const conditions = ['Established', 'Terminating'];
  return (
    conditions.every((type) => isConditionTrue(definition, type) === isConditionTrue(before, type)) &&
    jsonEqual(definition.status?.acceptedNames, before.status?.acceptedNames) &&
    jsonEqual(definition.spec, before.spec)
  );
}

const inProgress = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
} as const;

const neverEstablished = {
  type: 'Terminating',
  status: 'False',
  reason: 'NeverEstablished',
  message: 'resource was never established',
} as const;

const completed = {
  type: 'Terminating',
  status: 'False',
  reason: 'InstanceDeletionCompleted',
  message: 'removed all instances',
} as const;
