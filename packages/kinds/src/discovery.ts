/** A group of the API. The core group has the empty string as its name, and `/api` instead of `/apis/NAME` as its path. */
export interface BuiltinGroup {
  readonly name: string;
  /** In the server's order: the first is the preferred one. */
  readonly versions: readonly BuiltinGroupVersion[];
}

export interface BuiltinGroupVersion {
  readonly version: string;
  /** In the server's order, which both forms of discovery share. */
  readonly resources: readonly BuiltinResource[];
}

export interface BuiltinResource {
  /** The last segment of a collection's path: `deployments`. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  /** Absent where the resource cannot be listed. */
  readonly listKind?: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Only legacy discovery publishes it. Absent where the server stores nothing. */
  readonly storageVersionHash?: string;
  /** Whether OpenAPI promises the object as the answer to a delete; for the others it promises a Status. */
  readonly returnsDeletedObject?: true;
  /** Name of the definition in `@evenkeel/kinds/schemas`. The list's definition is this name with `List` appended. */
  readonly definition: string;
  /** In the server's order. Legacy discovery lists each as `resource/subresource` right after its resource. */
  readonly subresources?: readonly BuiltinSubresource[];
}

export interface BuiltinSubresource {
  readonly subresource: string;
  /** Group and version of the kind where they differ from those of the resource: `autoscaling/v1` for scale. */
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  /** Absent for kinds that are only ever sent as query parameters (PodExecOptions). */
  readonly definition?: string;
  /**
   * A connection is handed through (exec, proxy). OpenAPI then has an operation per method: GET and POST for the verbs
   * `create` and `get`; OPTIONS and HEAD as well where there are more verbs, and a second path that ends in `/{path}`.
   */
  readonly connect?: true;
  /** Query parameters of this subresource alone, and their JSON types. */
  readonly queryParameters?: Readonly<Record<string, 'boolean' | 'integer' | 'string'>>;
}

/** Every group, version and resource that a Kubernetes 1.36.3 server has by default, in its own order; core first. */
export { builtinGroups } from './generated/discovery.ts';
