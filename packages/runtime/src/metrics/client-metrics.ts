import type { Clock, Transport } from '@evenkeel/core';
import type { Counter, Histogram, MetricsRegistry } from './metrics-registry.ts';

/** controller-runtime, pkg/metrics/client_go_adapter.go. */
const requestSeconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** The way to an API server, measured as client-go measures it: each request that is sent, with those sent again. */
export class ClientMetrics {
  readonly #requests: (code: string, method: string) => Counter;
  readonly #seconds: (verb: string) => Histogram;
  readonly #clock: Clock;

  /** `host`: the label of all of them. */
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

  /** A transport that counts. Durations are those to the beginning of the answer. */
  measured(transport: Transport): Transport {
    return {
      request: async (request) => {
        const startMs = this.#clock.monotonic();
        // As client-go has it where no answer came.
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

/** Finding a series by its labels costs more than counting; there are as many as there are codes and methods. */
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
