import type { Clock, GroupVersionKind, KubernetesObject, Random } from '@evenkeel/core';
import type { FieldError } from '../apimachinery/index.ts';
import type { UserInfo } from '../request/user-info.ts';
import type { ApiObject } from './api-object.ts';

/** A permission for a resource, whose namespace and name are empty if it is not limited to one. */
export interface ResourcePermission {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** What a strategy may know about the current request. */
export interface StrategyContext {
  /** The user, for kinds that record who wrote them. */
  readonly user: UserInfo;
  readonly clock: Clock;
  readonly random: Random;
  /** Whether nothing of the request will be stored. */
  readonly dryRun: boolean;
  /**
   * Returns another object as it is stored now; undefined if it does not exist. Plurals and groups are those of
   * discovery.
   */
  lookup(
    resource: { group: string; plural: string },
    namespace: string | undefined,
    name: string,
  ): ApiObject | undefined;
  /** Whether the user has a permission. `*` asks for all groups, versions, resources, namespaces or names. */
  allows(access: ResourcePermission): boolean;
  /** The plural of a served kind; undefined if the kind is not served. */
  resourceOf(kind: GroupVersionKind): string | undefined;
  /** Allocates addresses and ports of this server to Services. */
  readonly allocator: ServiceAllocator;
}

/** Cluster IPs and node ports. The pipeline releases what a failed or dry-run request allocated. */
export interface ServiceAllocator {
  /** Allocates the next free address. Throws if none is left. */
  nextClusterIp(): string;
  /**
   * Allocates this address. Returns the reason, in the server's words, if the address is not available; else undefined.
   */
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
 * The rules of one kind, which upstream keeps in `pkg/apis/GROUP/VERSION/defaults.go`, `pkg/apis/GROUP/validation` and
 * `pkg/registry/GROUP/KIND/strategy.go`. Every member is optional. Without a member, the generic rules in
 * `registry/generic-strategy.ts` apply.
 *
 * Flow of a create: decode, `default`, system metadata, `prepareForCreate`, the rules of metadata, `validate`,
 * `canonicalize`, store. Of an update: decode, `default`, (managed fields), `prepareForUpdate`, the rules of metadata,
 * `validateUpdate`, `canonicalize`, store if anything differs.
 *
 * All hooks are synchronous, so nothing else can happen between reading the stored object and storing the new one.
 * Hooks change `object` in place; `old` belongs to the store and must not be changed. A hook must not throw for a
 * user's mistake: it returns field errors, or throws a StatusError where upstream responds with another error than
 * Invalid.
 */
export interface Strategy<T extends KubernetesObject = ApiObject> {
  /** Sets missing fields before validation. Also runs on the result of a patch or an apply. */
  default?(object: T): void;
  /**
   * Clears or sets the fields that users may not set: status, generation and the like. If {@link generation} applies,
   * `metadata.generation` is already 1.
   */
  prepareForCreate?(object: T, context: StrategyContext): void;
  /** The same for an update. The server increases the generation afterwards if {@link generation} requires it. */
  prepareForUpdate?(object: T, old: T, context: StrategyContext): void;
  validate?(object: T, context: StrategyContext): readonly FieldError[];
  /**
   * Whether a create is rejected for its metadata only if {@link validate} finds no errors. Default false: errors of
   * metadata come first, in the same response. Upstream's validation of most kinds starts with metadata. The few others
   * leave it to the generic registry, which checks afterwards.
   */
  readonly metadataLast?: boolean;
  /** Runs instead of {@link validate}. If upstream also validates the object like a new one, call `validate` first. */
  validateUpdate?(object: T, old: T, context: StrategyContext): readonly FieldError[];
  warnings?(object: T, old: T | undefined, context: StrategyContext): readonly string[];
  canonicalize?(object: T): void;
  /**
   * Called after a create, update or delete is stored. `object` undefined means deleted; `old` undefined means created.
   */
  afterStore?(object: T | undefined, old: T | undefined, context: StrategyContext): void;
  /**
   * Whether and when `metadata.generation` increases.
   * - `spec`: it starts at 1 and increases when anything except metadata and status differs (deployments and most other
   *   kinds with a spec).
   * - `never`: the kind has no generation (ConfigMap, Secret).
   * - A function: it starts at 1 and increases when the function returns true.
   * Default: `spec`, but `never` for kinds without a spec.
   */
  readonly generation?: 'spec' | 'never' | ((object: T, old: T) => boolean);
  /** Whether writes to the main resource ignore `status`. Default: whether the kind has a status subresource. */
  readonly statusIsSubresource?: boolean;
  /** Whether a PUT creates a missing object. Default false. */
  readonly allowCreateOnUpdate?: boolean;
  /** Whether a PUT without a resourceVersion is accepted. Default true for built-in kinds, false for custom ones. */
  readonly allowUnconditionalUpdate?: boolean;
  /**
   * Returns the grace period of a deletion in seconds, for kinds that have one (pods): 0 deletes at once. Undefined:
   * the deletion is not graceful. Upstream's `CheckGracefulDelete`.
   */
  gracefulDeletion?(object: T, options: DeleteOptions): number | undefined;
  /**
   * Returns the finalizers that are not in `metadata.finalizers`, such as a namespace's `spec.finalizers`. While there
   * are any, a deleted object is marked as deleting and kept.
   */
  otherFinalizers?(object: T): readonly string[];
  /** Called when the object is marked as deleting, for example to set a phase. */
  markDeleting?(object: T): void;
  /** What happens to dependents if the request does not specify it. Default `DeleteDependents`. */
  readonly garbageCollection?: 'DeleteDependents' | 'OrphanDependents' | 'Unsupported';
  /** The warning for a deletion that does not specify what happens to dependents (see {@link garbageCollection}). */
  readonly deletionWarning?: string;
  /**
   * Returns the errors of a name, in the server's words. Default: the rules of a DNS subdomain. `prefix` is true for a
   * generateName.
   */
  validateName?(name: string, prefix: boolean): readonly string[];
  /**
   * Returns additional keys of `fieldSelector` and their values. `metadata.name` and `metadata.namespace` are always
   * available.
   */
  selectableFields?(object: T): Readonly<Record<string, string>>;
  /** The keys that {@link selectableFields} returns. */
  readonly selectableFieldNames?: readonly string[];
  /**
   * For the strategy of a status: whether it resets all metadata, so that a write to the status owns none of it. Default false
   * for built-in kinds, true for custom ones.
   */
  readonly resetsMetadata?: boolean;
  /** The parts of which a write owns nothing. Default: what it resets. */
  readonly unowned?: readonly ('metadata' | 'spec' | 'status')[];
  /** Strategies of the subresources that contain a part of the object (`status`, `resize`, `ephemeralcontainers`). */
  readonly subresources?: Readonly<Record<string, Strategy<T>>>;
}
