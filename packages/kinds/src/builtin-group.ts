/** An API group. The name of the core group is the empty string, and its path is `/api` instead of `/apis/NAME`. */
export interface BuiltinGroup {
  readonly name: string;
  /** In the server's order: the first is the preferred one. */
  readonly versions: readonly BuiltinGroupVersion[];
}

export interface BuiltinGroupVersion {
  readonly version: string;
  /** In the server's order, as in both forms of discovery. */
  readonly resources: readonly BuiltinResource[];
}

export interface BuiltinResource {
  /** The last segment of a collection's path: `deployments`. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  /** Absent if the resource cannot be listed. */
  readonly listKind?: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Only in legacy discovery. Absent if the server does not store the resource. */
  readonly storageVersionHash?: string;
  /** Whether the response to a delete is the object according to OpenAPI; otherwise it is a Status. */
  readonly returnsDeletedObject?: true;
  /** The name of the definition in `@evenkeel/kinds/schemas`. The list's definition is this name with the suffix `List`. */
  readonly definition: string;
  /** In the server's order. Legacy discovery lists each as `resource/subresource` right after its resource. */
  readonly subresources?: readonly BuiltinSubresource[];
}

export interface BuiltinSubresource {
  readonly subresource: string;
  /** The group and version of the kind if they differ from those of the resource: `autoscaling/v1` for scale. */
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  /** Absent for kinds that are sent only as query parameters (PodExecOptions). */
  readonly definition?: string;
  /**
   * Whether the subresource proxies a connection (exec, proxy). OpenAPI then has an operation for each method: GET and
   * POST for the verbs `create` and `get`; if there are more verbs, also OPTIONS and HEAD, and a second path that ends
   * in `/{path}`.
   */
  readonly connect?: true;
  /** The query parameters of only this subresource, with their JSON types. */
  readonly queryParameters?: Readonly<Record<string, 'boolean' | 'integer' | 'string'>>;
}
