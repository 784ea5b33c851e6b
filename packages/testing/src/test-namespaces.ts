import type { Client } from '@evenkeel/client';
import {
  type ApiResource,
  EvenkeelError,
  groupResourceOf,
  ignoreNotFound,
  messageOf,
  SystemClock,
  type Transport,
} from '@evenkeel/core';
import { Namespace } from '@evenkeel/kinds';
import {
  type FinalizedObject,
  finalizedObjectsIn,
  foreignFinalizers,
  namespacedResources,
  removeFinalizers,
} from './finalized-objects.ts';
import type { OperatorJournal } from './journal/operator-journal.ts';
import { waitFor } from './wait.ts';

export interface TestNamespacesOptions {
  readonly client: Client;
  readonly transport: Transport;
  readonly journal: OperatorJournal;
  /** The time limit for removing all namespaces. */
  readonly timeoutMs: number;
}

/** The part of the time limit in which running operators may remove their finalizers. */
const operatorsPart = 0.6;

/** How long other programs of a cluster may take to remove their finalizers from objects of kinds that the test did not install. */
const foreignMs = 5000;

/** The API server needs a moment before it uses a changed conversion. */
const conversionMs = 3000;

/** An object whose finalizers an operator did not remove, although it ran after the object was deleted. */
interface Neglected {
  readonly object: FinalizedObject;
  /** What the operators did. */
  readonly report: string;
}

/** The namespaces that an environment created on a cluster, and their removal. It changes objects in no other namespace. */
export class TestNamespaces {
  readonly #options: TestNamespacesOptions;
  // The environment may have a clock that only the test advances.
  readonly #clock = new SystemClock();
  /** Whether operators may still use a namespace, by its name. */
  readonly #inUse = new Map<string, boolean>();
  readonly #neglected = new Map<string, Neglected[]>();
  /** The kinds whose objects only the operators under test finalize. */
  readonly #installed: ApiResource[] = [];
  #startMs = 0;

  constructor(options: TestNamespacesOptions) {
    this.#options = options;
  }

  async create(): Promise<string> {
    const { metadata } = await this.#options.client.create(Namespace, { metadata: { generateName: 'test-' } });
    this.#inUse.set(metadata.name, true);
    return metadata.name;
  }

  /** @param resource in the version in which the server stores it, because nothing may convert it any more. */
  addInstalled(resource: ApiResource): void {
    if (resource.namespaced) this.#installed.push(resource);
  }

  /**
   * Deletes a namespace that no operator uses any more, and does not wait until it is gone. First removes the finalizers of the kinds
   * of the test, because the namespace controller pauses if it finds some. Steps that fail are repeated when the environment is closed.
   */
  async release(name: string): Promise<void> {
    const { client } = this.#options;
    if (!this.#inUse.has(name)) {
      throw new EvenkeelError(
        'invalid-option',
        `releaseNamespace(${JSON.stringify(name)}): this environment did not create that namespace; pass a result of createNamespace()`,
      );
    }
    await this.#free(name, this.#installed, (object) => {
      if (object.isDeleting) this.#neglect(name, object, '');
    }).catch(() => undefined);
    const isDeleted = await ignoreNotFound(client.delete(Namespace, name)).then(
      () => true,
      () => false,
    );
    if (isDeleted) this.#inUse.set(name, false);
  }

  /** Deletes all namespaces, and waits for those whose objects an operator can still finalize. */
  async deleteServed(isServed: (namespace: string) => boolean): Promise<void> {
    const { client, journal, timeoutMs } = this.#options;
    this.#startMs = this.#clock.monotonic();
    const timeout = `${Math.ceil(timeoutMs * operatorsPart)}ms` as const;
    const remove = async ([name, isInUse]: [string, boolean]): Promise<void> => {
      if (!isInUse) return;
      this.#inUse.set(name, false);
      await ignoreNotFound(client.delete(Namespace, name));
      if (!isServed(name)) return;
      const wait = await waitFor(() => this.#requireGone([name]), { timeout }, [journal]);
      if ('value' in wait) return;
      for (const object of await this.#remaining(name)) {
        if (foreignFinalizers(object).length > 0) this.#neglect(name, object, wait.report);
      }
    };
    await settled([...this.#inUse].map(remove));
  }

  /**
   * Removes the finalizers that nothing removes any more, after the operators and their webhooks have ended. Rejects with
   * `namespace-not-removed` if a namespace remains, or if an operator did not remove its finalizers while it ran.
   */
  async removeAll(): Promise<void> {
    const { timeoutMs } = this.#options;
    // Stopping operators may have taken some of the time.
    const leastMs = this.#clock.monotonic() + timeoutMs * (1 - operatorsPart);
    const endMs = Math.max(leastMs, this.#startMs + timeoutMs);
    const within = async (limitMs: number, step: () => Promise<unknown>): Promise<boolean> => {
      const timeout = `${Math.max(1, Math.ceil(Math.min(limitMs, endMs - this.#clock.monotonic())))}ms` as const;
      return 'value' in (await waitFor(step, { timeout }, []));
    };
    const names = [...this.#inUse.keys()];
    let rest = await this.#existing(names);
    await within(conversionMs, () => settled(rest.map((name) => this.#free(name, this.#installed))));
    if (!(await within(foreignMs, () => this.#requireGone(names)))) {
      rest = await this.#existing(names);
      const resources = await this.#allResources();
      // A kind that cannot be listed must not prevent the removal of other objects.
      const frees = rest.flatMap((name) => resources.map((resource) => this.#free(name, [resource])));
      await settled(frees).catch(() => undefined);
      await within(Number.POSITIVE_INFINITY, () => this.#requireGone(names));
    }
    rest = await this.#existing(names);
    await settled([
      ...rest.map(async (name) => {
        throw await this.#notRemoved(name);
      }),
      ...[...this.#neglected].map(async ([name, objects]) => {
        throw neglectedError(name, objects);
      }),
    ]);
  }

  /** Removes the finalizers of all objects of some kinds. Then changes the namespace, so that its controller checks it at once. */
  async #free(
    name: string,
    resources: readonly ApiResource[],
    each: (object: FinalizedObject) => void = () => undefined,
  ): Promise<void> {
    const { client } = this.#options;
    const objects = await finalizedObjectsIn(client, name, resources);
    objects.filter((object) => foreignFinalizers(object).length > 0).forEach(each);
    await settled(objects.map((object) => ignoreNotFound(removeFinalizers(client, name, object))));
    if (objects.length === 0 && resources !== this.#installed) return;
    const annotations = { 'evenkeel.dev/emptied': String(this.#clock.monotonic()) };
    await ignoreNotFound(client.patch(Namespace, name, { merge: { metadata: { annotations } } }));
  }

  #neglect(name: string, object: FinalizedObject, report: string): void {
    this.#neglected.set(name, [...(this.#neglected.get(name) ?? []), { object, report }]);
  }

  async #requireGone(names: readonly string[]): Promise<void> {
    const [first] = await this.#existing(names);
    if (first !== undefined) throw new Error(`namespace ${first} still exists`);
  }

  async #existing(names: readonly string[]): Promise<string[]> {
    if (names.length === 0) return [];
    const { client } = this.#options;
    if (names.length > listedFrom) {
      const { items } = await client.list(Namespace);
      return items.map(({ metadata }) => metadata.name).filter((name) => names.includes(name));
    }
    const read = await Promise.all(names.map((name) => ignoreNotFound(client.get(Namespace, name))));
    return read.flatMap((namespace) => (namespace === undefined ? [] : [namespace.metadata.name]));
  }

  /** The kinds of the test first, in the version in which they are stored. */
  async #allResources(): Promise<ApiResource[]> {
    const { client, transport } = this.#options;
    const installed = new Set(this.#installed.map(groupResourceOf));
    const others = await namespacedResources(client, transport);
    return [...this.#installed, ...others.filter((resource) => !installed.has(groupResourceOf(resource)))];
  }

  /** Returns the objects with finalizers, except of kinds that cannot be listed. */
  async #remaining(name: string): Promise<FinalizedObject[]> {
    const resources = await this.#allResources();
    const lists = resources.map((resource) =>
      finalizedObjectsIn(this.#options.client, name, [resource]).catch(() => []),
    );
    return (await Promise.all(lists)).flat();
  }

  async #notRemoved(name: string): Promise<EvenkeelError> {
    const { client, timeoutMs } = this.#options;
    const namespace = await ignoreNotFound(client.get(Namespace, name));
    const objects = await this.#remaining(name);
    const still = `namespace ${name} still exists ${timeoutMs / 1000} s after the environment was closed`;
    if (objects.length === 0) {
      const conditions = namespace?.status?.conditions?.filter(({ status }) => status === 'True') ?? [];
      const why = conditions.map(({ message }) => `: ${message}`).join('');
      return new EvenkeelError(
        'namespace-not-removed',
        `${still}${why}; find out why with: kubectl get namespace ${name} --output=yaml`,
      );
    }
    const shown = objects.map((object) => `${titleOf(object)} has the finalizers ${object.finalizers.join(', ')}`);
    const commands = objects.map(
      ({ resource, name: its }) =>
        `kubectl patch ${groupResourceOf(resource)} ${its} --namespace ${name} --type=merge -p '{"metadata":{"finalizers":null}}'`,
    );
    return new EvenkeelError(
      'namespace-not-removed',
      `${still}: ${shown.join('; ')}; find out what should remove them, or remove them with: ${commands.join(' && ')}`,
    );
  }
}

/** From this number, one request reads all namespaces. */
const listedFrom = 5;

function titleOf({ resource, name }: FinalizedObject): string {
  return `${resource.kind} ${name}`;
}

function neglectedError(namespace: string, neglected: readonly Neglected[]): EvenkeelError {
  const objects = neglected.map(
    ({ object }) => `${titleOf(object)} still had the finalizers ${foreignFinalizers(object).join(', ')}`,
  );
  return new EvenkeelError(
    'namespace-not-removed',
    `namespace ${namespace}: ${objects.join('; ')} after its deletion, although the operators of the test ran; fix the ` +
      'operator that must remove the finalizers, or let the test wait until the object is gone. The environment removed the finalizers ' +
      `after the operators had stopped${neglected[0]?.report ?? ''}`,
  );
}

/** Waits for all, and then rejects with the errors of those that failed. */
async function settled(work: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(work);
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  if (errors.length > 1) throw new AggregateError(errors, errors.map(messageOf).join('\n'));
  if (errors.length === 1) throw errors[0];
}
