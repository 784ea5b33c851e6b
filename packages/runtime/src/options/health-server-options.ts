/** The server for the probes of the kubelet. */
export interface HealthServerOptions {
  /**
   * The listen address of `/healthz` and `/readyz`, for the kubelet's probes: `:8081`, `127.0.0.1:8081` or `[::1]:8081`. `0`
   * disables the server. It uses plain HTTP, because probes have no credentials. Default: disabled.
   */
  readonly address?: string;
  /**
   * Additional checks of `/readyz`, by name. A check fails if it throws, rejects, or takes longer than 5 s, and then `/readyz`
   * fails. Each probe calls all of them. They do not change the manager's own health. Default: none.
   */
  readonly readiness?: Readonly<Record<string, (signal: AbortSignal) => unknown>>;
}
