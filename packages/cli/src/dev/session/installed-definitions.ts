import type { Client } from '@evenkeel/client';
import { EvenkeelError, ignoreNotFound } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds';
import { applyDefinition } from '@evenkeel/testing/webhook';
import { sessionManager } from '../../cluster/field-manager.ts';
import { servedResource } from '../../cluster/served-resource.ts';
import { checkDefinitions } from '../../deploy/check-definitions.ts';
import type { Narrator } from '../narrator.ts';

const establishedWithinMs = 10_000;

const applying = { fieldManager: sessionManager, force: true } as const;

function isBreaking(error: unknown): boolean {
  return error instanceof EvenkeelError && error.code === 'breaking-definition';
}

/** The CRDs of a session on its API server. */
export class InstalledDefinitions {
  readonly #client: Client;
  readonly #narrator: Narrator;
  /** The installed definitions as JSON, by name. */
  readonly #installed = new Map<string, string>();

  constructor(client: Client, narrator: Narrator) {
    this.#client = client;
    this.#narrator = narrator;
  }

  /** Returns those that are not installed in this form. */
  changedIn(definitions: readonly CustomResourceDefinition[]): readonly CustomResourceDefinition[] {
    return definitions.filter(
      (definition) => this.#installed.get(definition.metadata.name) !== JSON.stringify(definition),
    );
  }

  /** Throws the API server's reason if it would reject one. Changes nothing. */
  async check(definitions: readonly CustomResourceDefinition[]): Promise<void> {
    for (const definition of definitions)
      await applyDefinition(this.#client, definition, { ...applying, dryRun: true });
  }

  /**
   * Compares definitions with those on the cluster that have objects, as `evenkeel install` does. Throws `breaking-definition` for changes
   * that can break these objects, or prints the changes if they are allowed.
   */
  async compare(definitions: readonly CustomResourceDefinition[], allowBreaking: boolean): Promise<void> {
    for (const definition of definitions) {
      const signal = AbortSignal.timeout(establishedWithinMs);
      try {
        const allowed = await checkDefinitions(this.#client, [definition], { allowBreaking, dryRun: true, signal });
        for (const line of allowed) this.#narrator.report('crd', `allowed by --allow-breaking: ${line}`);
      } catch (error) {
        // A list can fail, for example because nothing serves the conversion before the session does. Then there may be objects.
        if (!isBreaking(error) || (await this.#hasObjects(definition).catch(() => true))) throw error;
      }
    }
  }

  async #hasObjects({ metadata }: CustomResourceDefinition): Promise<boolean> {
    const live = await ignoreNotFound(this.#client.get(CustomResourceDefinition, metadata.name));
    const resource = live === undefined ? undefined : servedResource(live);
    if (resource === undefined) return false;
    return (await this.#client.list(resource, { limit: 1 })).items.length > 0;
  }

  /** Applies definitions, and waits until their kinds are served. */
  async install(definitions: readonly CustomResourceDefinition[]): Promise<void> {
    for (const definition of definitions) {
      const { name } = definition.metadata;
      await applyDefinition(this.#client, definition, applying);
      await this.#untilEstablished(name);
      const done = this.#installed.has(name) ? 'generated and changed' : 'generated and installed';
      this.#installed.set(name, JSON.stringify(definition));
      this.#narrator.report('crd', `${done} ${name}`);
    }
  }

  /** Forgets those that are not in `definitions`, and returns their names. They stay on the server with their objects. */
  forgetOthers(definitions: readonly CustomResourceDefinition[]): readonly string[] {
    const names = new Set(definitions.map(({ metadata }) => metadata.name));
    const others = [...this.#installed.keys()].filter((name) => !names.has(name));
    for (const name of others) this.#installed.delete(name);
    return others;
  }

  async #untilEstablished(name: string): Promise<void> {
    const signal = AbortSignal.timeout(establishedWithinMs);
    const events = this.#client.watch(CustomResourceDefinition, { fields: { 'metadata.name': name }, signal });
    for await (const event of events) {
      if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue;
      const conditions = event.object.status?.conditions ?? [];
      const rejected = conditions.find(({ type, status }) => type === 'NamesAccepted' && status === 'False');
      if (rejected !== undefined) {
        throw new EvenkeelError(
          'not-converged',
          `${name}: the cluster rejects its names: ${rejected.message}; change the names, or delete the CRD that uses them`,
        );
      }
      if (conditions.some(({ type, status }) => type === 'Established' && status === 'True')) return;
    }
  }
}
