import { isJsonObject, type JsonObject, valueAt } from '@evenkeel/apimachinery/json';
import type { Client, UnstructuredObject } from '@evenkeel/client';
import { type ApiResource, type Clock, ignoreNotFound, messageOf } from '@evenkeel/core';
import { Event, Namespace } from '@evenkeel/kinds';
import type { ScorecardResult } from '@evenkeel/olm';
import { ClusterObjects } from '../../cluster/cluster-objects.ts';
import { commandOf, runCommand } from './kuttl-command.ts';
import { KuttlError } from './kuttl-error.ts';
import type { PlacedObject, Settings } from './kuttl-file.ts';
import type { KuttlStep } from './kuttl-step.ts';
import { differenceOf } from './subset.ts';

/** What all test cases of a suite share. */
export interface KuttlSurroundings {
  readonly client: Client;
  readonly clock: Clock;
  readonly kubeconfig: string;
  /** Whether commands are run, and objects outside of the namespace of the test are written. */
  readonly isTrusted: boolean;
  /** Whether other people use the API server. */
  readonly isShared: boolean;
  /** The namespace of all test cases. Undefined: each has a new one. */
  readonly namespace: string | undefined;
  createNamespace(): Promise<string>;
  readonly timeoutMs: number;
  /** Whether objects and namespaces stay. */
  readonly keeps: boolean;
}

const manager = 'evenkeel-scorecard';
const pollMs = 100;

/** A test case: its steps, one after another, until one fails. */
export class KuttlCase {
  readonly #name: string;
  readonly #folder: string;
  readonly #around: KuttlSurroundings;
  readonly #log: string[] = [];
  readonly #created: { readonly resource: ApiResource; readonly key: Key }[] = [];
  #namespace = '';

  constructor(name: string, folder: string, around: KuttlSurroundings) {
    this.#name = name;
    this.#folder = folder;
    this.#around = around;
  }

  async run(steps: readonly KuttlStep[]): Promise<ScorecardResult> {
    const { client, namespace, keeps } = this.#around;
    const isNew = namespace === undefined;
    this.#namespace = namespace ?? (await this.#around.createNamespace());
    try {
      for (const step of steps) {
        const errors = await this.#step(step).catch((error: unknown) => [messageOf(error)]);
        if (errors.length === 0) {
          this.#log.push(`step ${step.index}-${step.name} completed`);
          continue;
        }
        const at = `step ${step.index}-${step.name}`;
        await this.#logEvents();
        return {
          name: this.#name,
          state: 'fail',
          errors: errors.map((error) => `${at}: ${error}`),
          log: this.#log.join('\n'),
        };
      }
      return { name: this.#name, state: 'pass', log: this.#log.join('\n') };
    } finally {
      if (!keeps) {
        for (const { resource, key } of this.#created.toReversed()) await ignoreNotFound(client.delete(resource, key));
        if (isNew) await ignoreNotFound(client.delete(Namespace, this.#namespace));
      }
    }
  }

  async #step(step: KuttlStep): Promise<readonly string[]> {
    // A step may have added kinds.
    const objects = new ClusterObjects(this.#around.client, manager);
    const timeoutMs = step.timeoutMs ?? this.#around.timeoutMs;
    const deadlineMs = this.#around.clock.monotonic() + timeoutMs;
    await this.#delete(step.deletes, objects, deadlineMs);
    for (const command of step.commands) {
      const problem = await this.#command(command, this.#around.timeoutMs);
      if (problem !== undefined) return [problem];
    }
    const rejected: string[] = [];
    for (const placed of step.applies) {
      await this.#write(placed, objects).catch((error: unknown) =>
        rejected.push(`${placed.place}: ${messageOf(error)}`),
      );
    }
    if (rejected.length > 0) return rejected;
    for (;;) {
      const errors = await this.#check(step, objects, timeoutMs);
      if (errors.length === 0 || this.#around.clock.monotonic() >= deadlineMs) return errors;
      await this.#around.clock.sleep(pollMs);
    }
  }

  async #check(step: KuttlStep, objects: ClusterObjects, timeoutMs: number): Promise<string[]> {
    const errors: string[] = [];
    for (const placed of step.asserts) {
      const difference = await this.#difference(placed, objects);
      if (difference !== undefined) errors.push(`${placed.place}: ${difference}`);
    }
    for (const placed of step.errors) {
      const found = await this.#found(placed, objects);
      const match = found.find((object) => differenceOf(withoutNamespace(placed.object), object) === undefined);
      if (match !== undefined) errors.push(`${placed.place}: ${shown(match)} exists, but must not`);
    }
    for (const command of step.assertCommands) {
      const problem = await this.#command(command, timeoutMs);
      if (problem !== undefined) errors.push(problem);
    }
    return errors;
  }

  /** Why no object is as expected. */
  async #difference(placed: PlacedObject, objects: ClusterObjects): Promise<string | undefined> {
    const found = await this.#found(placed, objects);
    let first: string | undefined;
    for (const object of found) {
      const difference = differenceOf(withoutNamespace(placed.object), object);
      if (difference === undefined) return undefined;
      first ??= `${shown(object)}: ${difference}`;
    }
    const { kind, metadata } = placed.object as { kind?: unknown; metadata?: { name?: unknown } };
    return (
      first ??
      `there is no ${kind}${metadata?.name === undefined ? ' with these labels' : ` ${metadata.name}`} in ${this.#namespace}`
    );
  }

  /** The object of that name; without a name, all objects with the labels. */
  async #found({ object }: PlacedObject, objects: ClusterObjects): Promise<readonly UnstructuredObject[]> {
    const { client } = this.#around;
    const resource = await objects.resourceOf(object as never);
    if (resource === undefined) return [];
    const { name, namespace, labels } = metadataOf(object);
    const inNamespace = resource.namespaced ? (namespace ?? this.#namespace) : undefined;
    if (name !== undefined) {
      const live = await ignoreNotFound(client.get(resource, { name, namespace: inNamespace }));
      return live === undefined ? [] : [live];
    }
    const { items } = await client.list(resource, {
      namespace: inNamespace,
      ...(labels === undefined ? {} : { labels }),
    });
    return items.map((item) => ({ ...item, apiVersion: String(object['apiVersion']), kind: resource.kind }));
  }

  /** Creates an object, or merges it into the existing one, as kuttl does. */
  async #write({ object }: PlacedObject, objects: ClusterObjects): Promise<void> {
    const { client } = this.#around;
    const resource = await objects.resourceOf(object as never);
    if (resource === undefined) {
      throw new KuttlError(
        `the API server does not serve ${object['kind']} in ${object['apiVersion']}; install its CRD in an earlier step`,
      );
    }
    const { name, namespace } = metadataOf(object);
    if (name === undefined) throw new KuttlError('metadata.name is missing; add it');
    const key = { name, namespace: resource.namespaced ? (namespace ?? this.#namespace) : undefined };
    this.#checkReach(key, resource);
    const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
    const placed = {
      ...object,
      metadata: { ...metadata, ...(key.namespace === undefined ? {} : { namespace: key.namespace }) },
    };
    const live = await ignoreNotFound(client.get(resource, key));
    if (live === undefined) {
      await client.create(resource, placed as never, { fieldManager: manager });
      this.#created.push({ resource, key });
    } else await client.patch(resource, key, { merge: placed }, { fieldManager: manager });
    this.#log.push(`${resource.kind} ${shownKey(key)} ${live === undefined ? 'created' : 'updated'}`);
  }

  async #delete(references: readonly Settings[], objects: ClusterObjects, deadlineMs: number): Promise<void> {
    const { client, clock } = this.#around;
    const deleted: { readonly resource: ApiResource; readonly key: Key }[] = [];
    for (const reference of references) {
      const [apiVersion = 'v1', kind = '', name] = ['apiVersion', 'kind', 'name'].map((key) => reference.text(key));
      const resource = await objects.resourceOf({ apiVersion, kind });
      if (resource === undefined) continue;
      const namespace = resource.namespaced ? (reference.text('namespace') ?? this.#namespace) : undefined;
      const labels = reference.labels('labels');
      const names =
        name !== undefined
          ? [name]
          : (await client.list(resource, { namespace, ...(labels === undefined ? {} : { labels }) })).items.map(
              ({ metadata }) => metadata.name,
            );
      for (const each of names) {
        const key = { name: each, namespace };
        this.#checkReach(key, resource);
        await ignoreNotFound(client.delete(resource, key));
        deleted.push({ resource, key });
        this.#log.push(`${resource.kind} ${shownKey(key)} deleted`);
      }
    }
    for (const { resource, key } of deleted) {
      while ((await ignoreNotFound(client.get(resource, key))) !== undefined) {
        if (clock.monotonic() >= deadlineMs)
          throw new KuttlError(`${resource.kind} ${shownKey(key)} still exists after its deletion`);
        await clock.sleep(pollMs);
      }
    }
  }

  /** Returns why a command has failed. */
  async #command(settings: Settings, timeoutMs: number): Promise<string | undefined> {
    const { kubeconfig, isTrusted } = this.#around;
    const command = commandOf(settings, this.#namespace, kubeconfig);
    if (!isTrusted)
      return `the command ${JSON.stringify(command.text)} would run with your permissions; read it, and pass --trust-bundle if you trust it`;
    const around = { folder: this.#folder, namespace: this.#namespace, kubeconfig, timeoutMs };
    const { log, problem } = await runCommand(command, around);
    this.#log.push(...log);
    return problem;
  }

  /** On a shared cluster, a bundle that is not trusted may only write in the namespace of its test. */
  #checkReach(key: Key, { kind }: ApiResource): void {
    const { isShared, isTrusted } = this.#around;
    if (!isShared || isTrusted || key.namespace === this.#namespace) return;
    throw new KuttlError(
      `${kind} ${shownKey(key)} is not in the namespace of the test; remove it, or pass --trust-bundle if you trust the bundle`,
    );
  }

  async #logEvents(): Promise<void> {
    const { items } = await this.#around.client.list(Event, { namespace: this.#namespace });
    for (const { type, reason, note, regarding } of items) {
      this.#log.push(`event: ${type} ${regarding?.kind} ${regarding?.name}: ${reason}: ${note}`);
    }
  }
}

interface Key {
  readonly name: string;
  readonly namespace: string | undefined;
}

function metadataOf(object: JsonObject): {
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  readonly labels: Record<string, string> | undefined;
} {
  const metadata = valueAt(object, 'metadata');
  const { name, namespace, labels } = isJsonObject(metadata) ? metadata : {};
  return {
    name: typeof name === 'string' ? name : undefined,
    namespace: typeof namespace === 'string' ? namespace : undefined,
    labels: isJsonObject(labels) ? (labels as Record<string, string>) : undefined,
  };
}

/** The namespace has already selected the objects. */
function withoutNamespace(object: JsonObject): JsonObject {
  const metadata = valueAt(object, 'metadata');
  if (!isJsonObject(metadata)) return object;
  const { namespace: _, ...others } = metadata;
  return { ...object, metadata: others };
}

function shown({ kind, metadata }: UnstructuredObject): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
}

function shownKey({ namespace, name }: Key): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
