import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import type { HttpHandler } from './http-handler.ts';

/** Serves `/metrics` in Prometheus' text format 0.0.4, which every scraper supports. */
export function metricsHandler(registry: MetricsRegistry): HttpHandler {
  return ({ path }) =>
    path === '/metrics'
      ? { status: 200, body: registry.text(), contentType: 'text/plain; version=0.0.4; charset=utf-8' }
      : { status: 404, body: '404 page not found\n' };
}
