import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transport, WebhookHost } from '@evenkeel/core';
import { accessOf } from '../rbac/request-access.ts';
import type { OperatorJournal } from './operator-journal.ts';

/** An object, or the objects of a list, that an assertion read. */
export interface ReadTarget {
  /** `deployments.apps` */
  readonly resource: string;
  /** Empty for cluster-scoped objects and for lists of all namespaces. A Namespace is in itself. */
  readonly namespace: string;
  /** Empty for a list. */
  readonly name: string;
}

/** An assertion may start something that reads without end. */
const mostReads = 100;

const current = new AsyncLocalStorage<WatchedReads>();

/** What an assertion read, and the journals of the environments where it did. */
export class WatchedReads {
  readonly #targets = new Map<string, ReadTarget>();
  readonly #journals = new Set<OperatorJournal>();

  get targets(): readonly ReadTarget[] {
    return [...this.#targets.values()];
  }

  get journals(): readonly OperatorJournal[] {
    return [...this.#journals];
  }

  /** Calls a function, and notes what it reads through a transport of {@link watchedTransport}. */
  during<T>(call: () => T): T {
    return current.run(this, call);
  }

  note(journal: OperatorJournal, target: ReadTarget): void {
    if (this.#targets.size >= mostReads) return;
    this.#journals.add(journal);
    this.#targets.set(`${target.resource} ${target.namespace}/${target.name}`, target);
  }
}

/**
 * Returns a transport of tests, whose reads are noted, whose managers are witnessed by a journal, and whose webhooks a host
 * registers.
 */
export function watchedTransport(inner: Transport, journal: OperatorJournal, webhookHost?: WebhookHost): Transport {
  return {
    witness: journal,
    webhookHost,
    request: (request) => {
      const reads = current.getStore();
      const access = reads === undefined || request.method !== 'GET' ? undefined : accessOf(request);
      if (access !== undefined && 'resource' in access) {
        const { resource, group, namespace, name } = access;
        reads?.note(journal, { resource: group === '' ? resource : `${resource}.${group}`, namespace, name });
      }
      return inner.request(request);
    },
    close: () => inner.close(),
  };
}
