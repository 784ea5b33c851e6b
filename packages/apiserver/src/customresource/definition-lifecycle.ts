import { type Clock, type Condition, StatusError, withCondition } from '@evenkeel/core';
import { copyJson, jsonEqual } from '../apimachinery/index.ts';
import { type ApiObject } from '../kind/api-object.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import type { StoreEvent } from '../store/store-event.ts';
import { nextDefinitionStatus } from './accepted-names.ts';
import {
  cleanupFinalizer,
  type DefinitionStatus,
  definitionsStorageKey,
  isConditionTrue,
  type StoredDefinition,
  storageKeyOf,
} from './custom-definition.ts';
import { storedDefinition } from './definition-strategy.ts';
import { describeCustomKinds } from './describe-custom-kinds.ts';

/** What the lifecycle of definitions needs of the server around it. */
export interface DefinitionHost {
  readonly clock: Clock;
  /** All definitions, as they are stored now. */
  definitions(): readonly ApiObject[];
  /** How many objects are stored under a storage key. */
  countObjects(storageKey: string): number;
  /**
   * Writes `status` and `metadata.finalizers` of a definition through its status subresource, as `kube-apiserver`.
   * `change` answers with its argument where nothing is to be written.
   */
  updateStatus(name: string, change: (current: ApiObject) => ApiObject): Promise<unknown>;
  /** Deletes every object of a definition that is not being deleted already, by the rules of any deletion. */
  deleteObjects(storageKey: string): Promise<unknown>;
  /** Serves these kinds for a definition from now on, instead of those before; none: no longer. */
  serve(definition: string, kinds: readonly KindDescription[]): void;
}

/**
 * What follows from the writes of CustomResourceDefinitions: names are accepted, kinds are served, and with a definition
 * its objects are deleted. The parts of upstream's naming, establishing and finalizing controllers.
 *
 * Guarantees: kinds are served from the moment their definition's `Established` condition is stored, and all that
 * follows from a write has happened once {@link settled} is.
 *
 * Caveats: deletion waits for objects with finalizers without a limit; upstream writes `InstanceDeletionCheck` into the
 * condition after a minute, and waits on.
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

  /** Fulfilled once nothing is left to do but to wait for objects' finalizers. Await it before answering a write. */
  get settled(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  /** Hears of every change in the store: hand it to `ObjectStore.subscribe`. */
  readonly observe = (storageKey: string, event: StoreEvent): void => {
    if (storageKey === definitionsStorageKey) {
      this.#serve(event.deleted ? undefined : storedDefinition(event.current.object), event.current.name);
      this.#wake();
    } else if (event.deleted && this.#terminating.has(storageKey)) this.#wake();
  };

  /** Kinds stay as they are, with all that has been compiled for them, while only other parts of the status change. */
  #serve(definition: StoredDefinition | undefined, name: string): void {
    const before = this.#served.get(name);
    if (definition === undefined) this.#served.delete(name);
    else this.#served.set(name, definition);
    if (definition !== undefined && before !== undefined && isServedAlike(definition, before)) return;
    this.#host.serve(name, definition === undefined ? [] : describeCustomKinds(definition));
  }

  #wake(): void {
    this.#dirty = true;
    if (this.#running !== undefined) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
    });
    // Who awaits `settled` hears of it; nobody may.
    this.#running.catch(() => undefined);
  }

  async #run(): Promise<void> {
    // Not within the write that woke it: who watches must hear of that one first.
    await undefined;
    while (this.#dirty) {
      this.#dirty = false;
      for (const object of this.#host.definitions()) await this.#step(storedDefinition(object));
    }
  }

  /** One write at most; each wakes the lifecycle again. */
  async #step(definition: StoredDefinition): Promise<void> {
    try {
      if (isTerminating(definition)) await this.#terminate(definition);
      else if (this.#nextStatus(definition) !== undefined) {
        await this.#update(definition.metadata.name, (current) => this.#nextStatus(current));
      }
    } catch (error) {
      // It was changed or deleted meanwhile, and that has woken the lifecycle too.
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
    await this.#host.deleteObjects(storageKey);
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
