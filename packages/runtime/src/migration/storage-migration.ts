import type { Client } from '@evenkeel/client';
import {
  Clock,
  type ConcreteClass,
  type Duration,
  durationMs,
  EvenkeelError,
  groupResourceOf,
  type KindClass,
  Logger,
  Rbac,
  resourceOf,
} from '@evenkeel/core';
import type { ManagerRunnable } from '../runnable/manager-runnable.ts';
import type { StorageMigrationReport } from './migration-report.ts';

/** The options of {@link storageMigration}. */
export interface StorageMigrationOptions {
  /** The maximum number of requests per second. Default: 100. */
  readonly qps?: number;
  /** When to look again for a new storage version, and when to try again after a failure. Default `'10m'`. */
  readonly interval?: Duration;
  /**
   * Whether to migrate although objects lose fields that they have in their old version and not in the storage version. Otherwise
   * the migration of such a kind is not started, and a warning lists the fields. Default: false.
   */
  readonly allowDataLoss?: boolean;
}

/**
 * Returns a runnable that stores all objects of a custom kind in the storage version of its CRD, as `evenkeel migrate` does. It
 * runs in the leader, at its start and then every ten minutes; usually it only reads the CRD. It logs what it does. A failure
 * never stops the manager: it is logged and repeated.
 *
 * The class declares the permissions that it needs, so `evenkeel generate` adds them to the operator's roles: to list, get and
 * patch all objects of the kind, and to write the status of this one CRD.
 *
 * ```ts
 * defineOperator({ ..., runnables: [storageMigration(Shop)] });
 * ```
 *
 * Throws `missing-custom-resource` for a class that is not a kind.
 */
export function storageMigration(
  kind: KindClass,
  options: StorageMigrationOptions = {},
): ConcreteClass<ManagerRunnable> {
  const resource = resourceOf(kind);
  const name = groupResourceOf(resource);
  const { qps, interval = '10m', allowDataLoss = false } = options;
  const intervalMs = durationMs(interval);
  if (intervalMs === 0 || (qps !== undefined && !(qps > 0))) {
    throw new EvenkeelError(
      'invalid-option',
      `storageMigration(${kind.name}): ${intervalMs === 0 ? 'interval' : 'qps'} must be greater than zero; pass such a value, or omit it`,
    );
  }
  class StorageMigration implements ManagerRunnable {
    readonly name = `storage migration of ${name}`;
    readonly #stopping = new AbortController();
    readonly #logger: Logger;
    readonly #clock: Clock;
    #work: Promise<void> = Promise.resolve();

    constructor(logger: Logger, clock: Clock) {
      this.#logger = logger.child({ definition: name });
      this.#clock = clock;
    }

    async start(_failed: (error: unknown) => void, client: Client): Promise<void> {
      this.#work = this.#repeat(client);
    }

    async stop(): Promise<void> {
      this.#stopping.abort(new Error('the manager stops'));
      await this.#work;
    }

    async #repeat(client: Client): Promise<void> {
      const { signal } = this.#stopping;
      // Most operators never migrate, so they do not load it.
      const { migrateStorage } = await import('./migrate-storage.ts');
      const clock = this.#clock;
      while (!signal.aborted) {
        try {
          const report = await migrateStorage(client, name, {
            allowDataLoss,
            signal,
            clock,
            ...(qps === undefined ? {} : { qps }),
          });
          this.#log(report);
        } catch (error) {
          if (signal.aborted) return;
          const code = error instanceof EvenkeelError ? { code: error.code } : {};
          this.#logger.warn('cannot migrate stored objects; trying again', { error, ...code, afterMs: intervalMs });
        }
        await clock.sleep(intervalMs, signal).catch(() => undefined);
      }
    }

    #log({ outcome, storageVersion, rewritten, failed, failures, losses, unchecked }: StorageMigrationReport): void {
      if (outcome === 'migrated') {
        this.#logger.info('migrated stored objects', { storageVersion, rewritten });
      } else if (outcome === 'failed') {
        const [first] = failures;
        this.#logger.warn('cannot rewrite some stored objects; trying again', {
          ...{ storageVersion, rewritten, failed, object: first?.object, error: first?.message, afterMs: intervalMs },
        });
      } else if (outcome === 'refused') {
        this.#logger.warn(
          'does not migrate stored objects, because they would lose fields; set allowDataLoss to allow it',
          { storageVersion, fields: losses.map(({ field }) => field), unchecked, code: 'lossy-migration' },
        );
      }
    }
  }
  Object.defineProperty(StorageMigration, 'name', { value: `storageMigration(${kind.name})` });
  Reflect.defineMetadata('design:paramtypes', [Logger, Clock], StorageMigration);
  const { group, plural } = resource;
  const crds = { group: 'apiextensions.k8s.io', plural: 'customresourcedefinitions', namespaced: false };
  const onServer = { group: 'storagemigration.k8s.io', plural: 'storageversionmigrations', namespaced: false };
  const reason = `the storage migration of ${kind.name}`;
  const names = [name];
  for (const declare of [
    // A migration is about all namespaces, even if the operator is restricted to some.
    Rbac({ group, plural, namespaced: false }, ['list', 'get', 'patch'], { reason }),
    Rbac(crds, ['get'], { names, reason }),
    Rbac(crds, ['patch'], { names, subresource: 'status', reason }),
    Rbac(onServer, ['create'], { reason }),
    Rbac(onServer, ['get', 'delete'], { names, reason }),
  ]) {
    declare(StorageMigration);
  }
  return StorageMigration;
}
