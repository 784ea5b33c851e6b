import type { ObjectEvent, Predicate } from '@evenkeel/core';
import { apiVersionOf, groupResourceOf, type Logger, ObjectKey, StatusError } from '@evenkeel/core';
import type { CachedObject, Informer, InformerProblem } from '../cache/index.ts';
import type { EventHandler } from '../handler/event-handler.ts';
import { Trigger } from '../reconcile/trigger.ts';
import type { Enqueue, Source, SourceState } from './source.ts';

export interface KindSourceOptions {
  readonly informer: Informer;
  /** All must let an event pass. */
  readonly predicates: readonly Predicate[];
  readonly handler: EventHandler;
  readonly logger: Logger;
}

/**
 * Events of one kind: informer, predicates, handler. What a predicate or handler throws is logged and costs no other
 * event. While the kind cannot be watched, {@link state} says why, and it goes on by itself when the server answers, serves
 * or grants it. That is logged when it begins, when its reason changes and when it ends; the tries in between are not.
 */
export class KindSource implements Source {
  readonly #options: KindSourceOptions;
  readonly #stopping: (() => void)[] = [];

  constructor(options: KindSourceOptions) {
    this.#options = options;
  }

  get state(): SourceState {
    const { health } = this.#options.informer;
    return { name: this.#name, synced: health.synced, problem: health.problem && this.#explain(health.problem) };
  }

  start(enqueue: Enqueue): void {
    const { informer, logger } = this.#options;
    let told: InformerProblem['reason'] | undefined;
    this.#stopping.push(
      informer.addHandler({
        added: (object, initial) => this.#on({ verb: 'added', object, initial }, enqueue),
        updated: (object, previous) => this.#on({ verb: 'updated', object, previous }, enqueue),
        deleted: (object) => this.#on({ verb: 'deleted', object }, enqueue),
      }),
      informer.onHealth(({ problem }) => {
        if (problem?.reason === told) return;
        told = problem?.reason;
        if (problem === undefined) logger.info('watching again', { resource: this.#name });
        else logger.warn(this.#explain(problem), { resource: this.#name, reason: problem.reason });
      }),
    );
  }

  waitForSync(signal: AbortSignal): Promise<void> {
    return this.#options.informer.waitForSync(signal);
  }

  stop(): void {
    for (const stop of this.#stopping.splice(0)) stop();
  }

  get #name(): string {
    return groupResourceOf(this.#options.informer.resource);
  }

  #on(event: ObjectEvent<CachedObject>, enqueue: Enqueue): void {
    const { informer, handler, logger } = this.#options;
    if (!this.#passes(event)) return;
    let keys: readonly ObjectKey[];
    try {
      keys = handler(event);
    } catch (error) {
      logger.error('an event could not be mapped to keys', { event: describe(informer, event), error });
      return;
    }
    if (keys.length === 0) return;
    const { object } = event;
    const trigger = new Trigger(event.verb, informer.resource.kind, ObjectKey.of(object), {
      ...(event.verb === 'updated' ? { before: event.previous, after: object } : {}),
      resourceVersion: object.metadata.resourceVersion,
    });
    const initial = event.verb === 'added' && event.initial;
    for (const key of keys) enqueue(key, trigger, initial);
  }

  #passes(event: ObjectEvent<CachedObject>): boolean {
    const { informer, predicates, logger } = this.#options;
    return predicates.every((predicate) => {
      try {
        return predicate(event);
      } catch (error) {
        logger.error('a predicate threw; the event passes', { event: describe(informer, event), error });
        return true;
      }
    });
  }

  /** What is wrong with a watch, and what to do. */
  #explain({ reason, error }: InformerProblem): string {
    const { resource } = this.#options.informer;
    const what = `cannot watch ${this.#name}/${resource.version}`;
    const said = error instanceof StatusError ? error.status.message : error instanceof Error ? error.message : '';
    switch (reason) {
      case 'missing':
        return `${what}: the API server does not serve it; apply its CRD ("kubectl apply -f config/crd"), the controller goes on by itself then`;
      case 'forbidden':
        return `${what}: ${said}; grant the verbs list and watch on ${this.#name} to the operator's service account`;
      case 'unauthorized':
        return `${what}: the API server does not accept the operator's credentials; renew the token or certificate of its kubeconfig`;
      case 'unreachable':
        return `${what}: no answer from the API server (${said}); it is tried again`;
      default:
        return `${what}: ${said || `${apiVersionOf(resource)} was refused`}; it is tried again`;
    }
  }
}

function describe({ resource }: Informer, event: ObjectEvent<CachedObject>): string {
  return `${resource.kind} ${ObjectKey.of(event.object)} ${event.verb}`;
}
