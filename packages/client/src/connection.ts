/** TLS material and headers that prove who asks. */
export interface Credentials {
  /** Added to each request: `authorization`, `impersonate-user`, ... Names in lower case. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** PEM. Replaces the connection's own. */
  readonly ca?: string | undefined;
  /** PEM of a client certificate. */
  readonly cert?: string | undefined;
  /** PEM of its key. */
  readonly key?: string | undefined;
}

/** Where an API server is and how to be let in. What a kubeconfig's context, or a pod's service account, comes down to. */
export interface Connection {
  /** `https://127.0.0.1:6443`; a path in it is put before each request's. */
  readonly server: string;
  /** PEM of the authorities that the server's certificate is checked with. Default: those Node knows. */
  readonly ca?: string | undefined;
  /** The name the server's certificate must have. Default: the host of `server`. */
  readonly serverName?: string | undefined;
  /** True: the server's certificate is not checked at all. */
  readonly insecureSkipTlsVerify?: boolean;
  /** An http proxy that the connection is tunnelled through: `http://proxy:3128`. */
  readonly proxyUrl?: string | undefined;
  /**
   * Asked before each request, so that what rotates is always the latest. Caches by itself; asked with `renew` after
   * what it gave was not accepted (401, or a certificate that one side did not believe), it gives nothing that it has cached.
   */
  readonly credentials?: (options?: { readonly renew?: boolean }) => Promise<Credentials>;
  /** The namespace that the context, or the pod, is in. Default `default`. */
  readonly namespace?: string;
  /** Where this came from, for messages: a file and its context, or the service account. */
  readonly origin?: string;
}
