/** The server for the metrics, and who may read them. */
export interface MetricsOptions {
  /**
   * The listen address of `/metrics`: `:8443`, `127.0.0.1:8080` or `[::1]:8080`. `0` disables the server, and then nothing is
   * measured. Default: disabled.
   */
  readonly address?: string;
  /**
   * Uses HTTPS, and accepts only clients that have a token and may `get` the nonResourceURL `/metrics`. The API server checks
   * both, so the operator needs `create` on `tokenreviews` and `subjectaccessreviews`. Default: true, except at a loopback
   * address. With false, every client that can reach the port can read the metrics.
   */
  readonly secure?: boolean;
  /**
   * A directory with `tls.crt` and `tls.key`, such as a mounted Secret of type `kubernetes.io/tls`. It is read again every
   * 10 s. Default: the process creates its own certificate, which encrypts, but which clients cannot verify.
   */
  readonly certificates?: string;
}
