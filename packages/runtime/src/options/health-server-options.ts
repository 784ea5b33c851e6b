export interface HealthServerOptions {
  /**
   * Where `/healthz` and `/readyz` are answered, for the probes of the kubelet: `:8081`, `127.0.0.1:8081`, `[::1]:8081`; `0`
   * for nowhere. Plain HTTP, because probes have no credentials. Default: nowhere.
   */
  readonly address?: string;
  /**
   * Checks of one's own, by the names under which `/readyz` lists them: one that throws, rejects, or takes longer than 5 s makes
   * the answer a no. They are called with every probe, and change nothing of the manager's health. Default: none.
   */
  readonly readiness?: Readonly<Record<string, (signal: AbortSignal) => unknown>>;
}
