import type { Clock, Transport } from '@evenkeel/core';
import type { Counter, Histogram, MetricsRegistry } from './metrics-registry.ts';

/** controller-runtime, pkg/metrics/client_go_adapter.go. */
const requestSeconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** Metrics of requests to an API server, like those of client-go: each sent request counts, including retries. */
export class ClientMetrics {
  readonly #requests: (code: string, method: string) => Counter;
  readonly #seconds: (verb: string) => Histogram;
  readonly #clock: Clock;

  /** @param host the value of the label `host` of all series. */
  constructor(registry: MetricsRegistry, clock: Clock, host: string) {
    this.#clock = clock;
    const requests = registry.counter({
      name: 'rest_client_requests_total',
      help: 'Number of HTTP requests, partitioned by status code, method, and host.',
      labels: ['code', 'method', 'host'],
    });
    const seconds = registry.histogram({
      name: 'rest_client_request_duration_seconds',
      help: 'Request latency in seconds. Broken down by verb and host.',
      labels: ['verb', 'host'],
      buckets: requestSeconds,
    });
    this.#requests = remembered((code, method) => requests.with({ code, method, host }));
    this.#seconds = remembered((verb) => seconds.with({ verb, host }));
  }

  /** Returns a transport that counts requests. A duration ends when the response starts. */
  measured(transport: Transport): Transport {
    return {
      request: async (request) => {
        const startMs = this.#clock.monotonic();
        // client-go's value if there is no response.
        let code = '<error>';
        try {
          const response = await transport.request(request);
          code = String(response.status);
          return response;
        } finally {
          this.#requests(code, request.method).increment();
          this.#seconds(request.method).observe((this.#clock.monotonic() - startMs) / 1000);
        }
      },
      close: () => transport.close(),
    };
  }
}

/** Caches series, because finding one by its labels takes longer than counting. There are few: one for each code and method. */
function remembered<S>(find: (first: string, second: string) => S): (first: string, second?: string) => S {
  const found = new Map<string, S>();
  return (first, second = '') => {
    const key = `${first} ${second}`;
    let series = found.get(key);
    if (series === undefined) {
      series = find(first, second);
      found.set(key, series);
    }
    return series;
  };
}
