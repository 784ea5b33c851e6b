import type { Counter, Histogram, MetricsRegistry } from './metrics-registry.ts';

/** `prometheus.DefBuckets`, which controller-runtime's histogram has. */
const latencySeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The status codes whose series exist from the start, as in controller-runtime. */
const usualCodes = [200, 500];

/** Observes the calls of the webhooks of a manager. */
export interface WebhookObserver {
  began(path: string): void;
  /** Called once for each call that began. */
  ended(path: string, status: number, durationMs: number): void;
  /** Called if a call has to wait, because too many are in progress. */
  queued(path: string): void;
  /** Called if a call was not answered before its timeout. */
  expired(path: string): void;
  /** Called if a method of the user threw. */
  threw(): void;
}

interface Series {
  readonly latency: Histogram;
  readonly codes: Map<number, Counter>;
  readonly queued: Counter;
  readonly expired: Counter;
  inFlight: number;
}

/** The metrics of webhooks, with controller-runtime's names (pkg/webhook/internal/metrics, pkg/webhook/admission/metrics). */
export class WebhookMetrics implements WebhookObserver {
  readonly #series: ReadonlyMap<string, Series>;
  readonly #codeOf: (path: string, code: number) => Counter;
  readonly #panics: Counter;

  /** @param paths the paths of all webhooks, which are the values of the label `webhook`. */
  constructor(registry: MetricsRegistry, paths: readonly string[]) {
    const latency = registry.histogram({
      name: 'controller_runtime_webhook_latency_seconds',
      help: 'Histogram of the latency of processing admission requests',
      labels: ['webhook'],
      buckets: latencySeconds,
    });
    const requests = registry.counter({
      name: 'controller_runtime_webhook_requests_total',
      help: 'Total number of admission requests by HTTP status code.',
      labels: ['webhook', 'code'],
    });
    const queued = registry.counter({
      name: 'evenkeel_webhook_queued_requests_total',
      help: 'Total number of webhook requests that waited because too many were in progress',
      labels: ['webhook'],
    });
    const expired = registry.counter({
      name: 'evenkeel_webhook_expired_requests_total',
      help: 'Total number of webhook requests that were not answered before the timeout of the caller',
      labels: ['webhook'],
    });
    this.#panics = registry
      .counter({ name: 'controller_runtime_webhook_panics_total', help: 'Total number of webhook panics' })
      .with();
    this.#codeOf = (webhook, code) => requests.with({ webhook, code: String(code) });
    const series = new Map<string, Series>();
    for (const webhook of paths) {
      const codes = new Map(usualCodes.map((code) => [code, this.#codeOf(webhook, code)]));
      const labels = { webhook };
      series.set(webhook, {
        latency: latency.with(labels),
        codes,
        queued: queued.with(labels),
        expired: expired.with(labels),
        inFlight: 0,
      });
    }
    this.#series = series;
    registry.collected(
      {
        type: 'gauge',
        name: 'controller_runtime_webhook_requests_in_flight',
        help: 'Current number of admission requests being served.',
        labels: ['webhook'],
      },
      () => [...series].map(([webhook, { inFlight }]) => ({ labels: { webhook }, value: inFlight })),
    );
  }

  began(path: string): void {
    const series = this.#series.get(path);
    if (series !== undefined) series.inFlight++;
  }

  ended(path: string, status: number, durationMs: number): void {
    const series = this.#series.get(path);
    if (series === undefined) return;
    series.inFlight--;
    series.latency.observe(durationMs / 1000);
    const code = series.codes.get(status) ?? this.#codeOf(path, status);
    series.codes.set(status, code);
    code.increment();
  }

  queued(path: string): void {
    this.#series.get(path)?.queued.increment();
  }

  expired(path: string): void {
    this.#series.get(path)?.expired.increment();
  }

  threw(): void {
    this.#panics.increment();
  }
}
