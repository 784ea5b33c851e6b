import type { Clock } from '@evenkeel/core';
import { authenticated } from '../authentication/token-authenticator.ts';
import {
  type DefinitionSpec,
  definitionsStorageKey,
  storageKeyOf,
  storageVersionOf,
} from '../customresource/custom-definition.ts';
import { type DefinitionHost, DefinitionLifecycle } from '../customresource/definition-lifecycle.ts';
import type { ConversionCalls } from '../customresource/webhook-converter.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import { deleteObject } from '../registry/delete-object.ts';
import type { ObjectRegistry } from '../registry/object-registry.ts';
import type { WriteRequest } from '../registry/write-request.ts';
import { notFound } from '../status/refusal.ts';
import type { DelayedEvents } from '../store/delayed-events.ts';
import type { WebhookCaller } from '../webhook/webhook-caller.ts';
import type { KindCatalog } from './kind-catalog.ts';

/** The user that writes the status of definitions. */
export const definitionController = authenticated({ name: 'system:apiserver', groups: ['system:masters'] });

/** Limits writes to turns of the event loop that have room for them. */
interface WriteTurns {
  room(): Promise<void> | undefined;
}

/** Starts to serve custom kinds by their definitions. Returns the lifecycle that does it. */
export function serveDefinitions(
  catalog: KindCatalog,
  registry: ObjectRegistry,
  events: DelayedEvents,
  turns: WriteTurns,
  webhooks: WebhookCaller,
): DefinitionLifecycle {
  const lifecycle = new DefinitionLifecycle(new RegistryDefinitionHost(catalog, registry, events, turns, webhooks));
  registry.store.resource(definitionsStorageKey).subscribe(lifecycle.serve);
  events.subscribe(undefined, lifecycle.observe);
  return lifecycle;
}

/** The changes that the lifecycle of definitions makes to the server. They follow the rules of every other write. */
class RegistryDefinitionHost implements DefinitionHost {
  readonly clock: Clock;
  readonly conversions: ConversionCalls;
  readonly #catalog: KindCatalog;
  readonly #registry: ObjectRegistry;
  readonly #events: DelayedEvents;
  readonly #turns: WriteTurns;

  constructor(
    catalog: KindCatalog,
    registry: ObjectRegistry,
    events: DelayedEvents,
    turns: WriteTurns,
    webhooks: WebhookCaller,
  ) {
    this.clock = registry.clock;
    this.conversions = { webhooks, random: registry.random };
    this.#catalog = catalog;
    this.#registry = registry;
    this.#events = events;
    this.#turns = turns;
  }

  definitions(): readonly ApiObject[] {
    const stored = this.#registry.store.resource(definitionsStorageKey).list('');
    return stored.map(({ object }) => object);
  }

  isHeld(name: string): boolean {
    return this.#events.isHeld(definitionsStorageKey, '', name);
  }

  countObjects(storageKey: string): number {
    return this.#registry.store.resource(storageKey).size;
  }

  async updateStatus(name: string, change: (current: ApiObject) => ApiObject): Promise<unknown> {
    const kind = this.#catalog.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
    const rules = kind?.subresources.get('status');
    if (kind === undefined || rules === undefined) return undefined;
    const request = await requestOf(kind, '', name);
    await this.#turns.room();
    return this.#registry.update({ ...request, subresource: { name: 'status', rules } }, (current) => {
      if (current === undefined) throw notFound(kind.names, name);
      return change(current);
    });
  }

  async deleteObjects(spec: DefinitionSpec): Promise<unknown> {
    const storageKey = storageKeyOf(spec);
    const kind =
      this.#catalog.find(spec.group ?? '', storageVersionOf(spec), spec.names?.plural ?? '') ??
      [...this.#catalog.stored()].find((candidate) => candidate.storageKey === storageKey);
    if (kind === undefined) return undefined;
    for (const { namespace, name, object } of this.#registry.store.resource(storageKey).list('')) {
      if (object.metadata.deletionTimestamp !== undefined) continue;
      await this.#turns.room();
      await deleteObject(this.#registry, await requestOf(kind, namespace, name), {});
    }
    return undefined;
  }

  serve(definition: string, kinds: readonly KindDescription[]): void {
    this.#catalog.setCustom(definition, kinds);
  }
}

async function requestOf(kind: KindDescription, namespace: string, name: string): Promise<WriteRequest> {
  return {
    kind,
    codec: await kind.codec(),
    user: definitionController,
    namespace,
    name,
    manager: 'kube-apiserver',
    dryRun: false,
    warn: () => undefined,
  };
}
