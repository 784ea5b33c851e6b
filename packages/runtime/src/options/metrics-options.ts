export interface MetricsOptions {
  /**
   * Where `/metrics` is answered: `:8443`, `127.0.0.1:8080`, `[::1]:8080`; `0` for nowhere, and then nothing is measured.
   * Default: nowhere.
   */
  readonly address?: string;
  /**
   * Whether it is HTTPS, and only for those who have a token and may `get` the nonResourceURL `/metrics`, which is asked of
   * the API server: the operator needs `create` on `tokenreviews` and `subjectaccessreviews`. Default: true, except at a
   * loopback address. False elsewhere lets everybody read who reaches the port.
   */
  readonly secure?: boolean;
  /**
   * A directory with `tls.crt` and `tls.key`, as a Secret of type `kubernetes.io/tls` is mounted; looked at every 10 s.
   * Default: a certificate that the process makes itself, which encrypts, but which nobody can check.
   */
  readonly certificates?: string;
}
