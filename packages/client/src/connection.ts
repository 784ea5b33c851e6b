/** TLS certificates and headers that authenticate the client. */
export interface Credentials {
  /** Headers added to each request: `authorization`, `impersonate-user`, ... Names in lower case. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** PEM. Replaces the connection's own. */
  readonly ca?: string | undefined;
  /** PEM of a client certificate. */
  readonly cert?: string | undefined;
  /** PEM of its key. */
  readonly key?: string | undefined;
}

/** The address of an API server and the credentials for it, from a kubeconfig's context or a pod's service account. */
export interface Connection {
  /** `https://127.0.0.1:6443`; a path in it is a prefix of all request paths. */
  readonly server: string;
  /** PEM of the authorities that sign the server's certificate. Default: Node's. */
  readonly ca?: string | undefined;
  /** The name the server's certificate must have. Default: the host of `server`. */
  readonly serverName?: string | undefined;
  /** If true, the server's certificate is not checked. */
  readonly insecureSkipTlsVerify?: boolean;
  /** An HTTP proxy through which the connection is tunnelled: `http://proxy:3128`. */
  readonly proxyUrl?: string | undefined;
  /**
   * Called before each request, so that rotated credentials are current. It may cache. With `renew`, after the last
   * credentials were rejected (401, or a certificate that one side did not trust), it must not return cached ones.
   */
  readonly credentials?: (options?: { readonly renew?: boolean }) => Promise<Credentials>;
  /** The namespace of the context or the pod. Default: `default`. */
  readonly namespace?: string;
  /** The name of the context in the kubeconfig. Undefined for the service account of a pod. */
  readonly context?: string;
  /** The source for messages: a file and its context, or the service account. */
  readonly origin?: string;
}
