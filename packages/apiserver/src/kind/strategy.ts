import type { Clock, KubernetesObject, Random } from '@evenkeel/core';
import type { FieldError } from '../apimachinery/index.ts';
import type { ApiObject } from './api-object.ts';

/** What a strategy may know about the request it works for. */
export interface StrategyContext {
  /** The user's name, for kinds that record who wrote them. */
  readonly user: { readonly name: string; readonly groups: readonly string[] };
  readonly clock: Clock;
  readonly random: Random;
  /** True where nothing of the request will be stored. */
  readonly dryRun: boolean;
  /** Reads another object, as it is stored now. Plurals and groups as in discovery; undefined where it is not there. */
  lookup(
    resource: { group: string; plural: string },
    namespace: string | undefined,
    name: string,
  ): ApiObject | undefined;
  /** What this server hands out to Services. */
  readonly allocator: ServiceAllocator;
}

/** Cluster IPs and node ports. What a failed or dry-run request took is given back by the pipeline. */
export interface ServiceAllocator {
  /** Takes the next free address; throws where none is left. */
  nextClusterIp(): string;
  /** Takes this address. The reason where it cannot be had, in the server's words, else undefined. */
  takeClusterIp(address: string): string | undefined;
  releaseClusterIp(address: string): void;
  nextNodePort(): number;
  takeNodePort(port: number): string | undefined;
  releaseNodePort(port: number): void;
}

export interface DeleteOptions {
  gracePeriodSeconds?: number;
  propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  orphanDependents?: boolean;
  preconditions?: { uid?: string; resourceVersion?: string };
  dryRun?: string[];
}

/**
 * What is particular to a kind: the rules that upstream keeps in `pkg/apis/GROUP/VERSION/defaults.go`,
 * `pkg/apis/GROUP/validation` and `pkg/registry/GROUP/KIND/strategy.go`. Every member is optional; what a kind does not
 * say follows the generic rules in `registry/generic-strategy.ts`.
 *
 * Flow of a create: decode, `default`, system metadata, `prepareForCreate`, the rules of metadata, `validate`,
 * `canonicalize`, store. Of an update: decode, `default`, (managed fields), `prepareForUpdate`, the rules of metadata,
 * `validateUpdate`, `canonicalize`, store if anything differs.
 *
 * All hooks are synchronous, so that between reading the stored object and storing the new one nothing else happens.
 * They change `object` in place; `old` belongs to the store and is never changed. A hook must not throw for a user's
 * mistake: it returns field errors, or throws a StatusError where upstream answers with something else than Invalid.
 */
export interface Strategy<T extends KubernetesObject = ApiObject> {
  /** Fills in what the user left out, before validation; also runs on what a patch or an apply made. */
  default?(object: T): void;
  /** Clears or sets what the user may not: status, generation and the like. `metadata.generation` is 1 already where {@link generation} asks for it. */
  prepareForCreate?(object: T, context: StrategyContext): void;
  /** The same for an update. The generation is moved on after it where {@link generation} asks for it. */
  prepareForUpdate?(object: T, old: T, context: StrategyContext): void;
  validate?(object: T, context: StrategyContext): readonly FieldError[];
  /**
   * Whether a create is refused for its metadata only where {@link validate} finds nothing. Default false: what is wrong
   * with metadata comes first, in the same answer. Upstream's validation of most kinds begins with metadata itself; the
   * few others leave it to the generic registry, which looks afterwards.
   */
  readonly metadataLast?: boolean;
  /** Runs instead of {@link validate}; call that first where upstream does. */
  validateUpdate?(object: T, old: T, context: StrategyContext): readonly FieldError[];
  warnings?(object: T, old: T | undefined, context: StrategyContext): readonly string[];
  canonicalize?(object: T): void;
  /** Called once a create, update or delete is stored: `object` undefined means deleted, `old` undefined means created. */
  afterStore?(object: T | undefined, old: T | undefined, context: StrategyContext): void;
  /**
   * Whether and when `metadata.generation` moves. `spec`: it starts at 1 and moves when anything but metadata and
   * status differs (deployments and most others with a spec); `never`: the kind has none (ConfigMap, Secret); a
   * function: 1 on create, then moves where it says true. Default `spec`, but `never` for kinds without a spec.
   */
  readonly generation?: 'spec' | 'never' | ((object: T, old: T) => boolean);
  /** Whether `status` is kept out of writes to the main resource. Default: whether the kind has a status subresource. */
  readonly statusIsSubresource?: boolean;
  /** Whether a PUT to a name that is not there creates it. Default false. */
  readonly allowCreateOnUpdate?: boolean;
  /** Whether a PUT without a resourceVersion is taken. Default true for built-in kinds, false for custom ones. */
  readonly allowUnconditionalUpdate?: boolean;
  /**
   * Grace of a deletion in seconds, for kinds that have one (pods): 0 deletes at once. Undefined: not graceful at all.
   * Upstream's `CheckGracefulDelete`.
   */
  gracefulDeletion?(object: T, options: DeleteOptions): number | undefined;
  /**
   * What holds a deleted object besides `metadata.finalizers`, such as a namespace's `spec.finalizers`: while there is
   * any, the object is marked as deleting and kept.
   */
  otherFinalizers?(object: T): readonly string[];
  /** Called when the object is marked as deleting, such as to set a phase. */
  markDeleting?(object: T): void;
  /** What happens to dependents when the request does not say. Default `DeleteDependents`. */
  readonly garbageCollection?: 'DeleteDependents' | 'OrphanDependents' | 'Unsupported';
  /** What a deletion warns of that leaves to {@link garbageCollection} what happens to dependents. */
  readonly deletionWarning?: string;
  /** What is wrong with a name, in the server's words. Default: the rules of a DNS subdomain. `prefix` is true for a generateName. */
  validateName?(name: string, prefix: boolean): readonly string[];
  /** Extra keys of `fieldSelector` and their values; `metadata.name` and `metadata.namespace` are always there. */
  selectableFields?(object: T): Readonly<Record<string, string>>;
  /** The keys that {@link selectableFields} gives. */
  readonly selectableFieldNames?: readonly string[];
  /** Strategies of the subresources that hold a part of the object (`status`, `resize`, `ephemeralcontainers`). */
  readonly subresources?: Readonly<Record<string, Strategy<T>>>;
}
