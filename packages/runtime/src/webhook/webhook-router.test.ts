import { ManualClock, SilentLogger, type WebhookAnswer, type WebhookCall } from '@evenkeel/core';
import { MetricsRegistry } from '../metrics/metrics-registry.ts';
import { WebhookMetrics } from '../metrics/webhook-metrics.ts';
import { callOf } from './admission/review.fixture.ts';
import { callTimeoutMs } from './call-timeout.ts';
import type { WebhookRoute } from './webhook-route.ts';
import { WebhookRouter } from './webhook-router.ts';

const path = '/a';
const done: WebhookAnswer = { status: 200, body: 'done', contentType: 'text/plain' };

class ManualRoute implements WebhookRoute {
  readonly path = path;
  readonly maxBodyBytes = 100;
  readonly defaultTimeoutMs = 10_000;
  readonly calls: { readonly call: WebhookCall; readonly answer: (answer?: WebhookAnswer) => void }[] = [];

  handle(call: WebhookCall): Promise<WebhookAnswer> {
    const { promise, resolve } = Promise.withResolvers<WebhookAnswer>();
    this.calls.push({ call, answer: (answer = done) => resolve(answer) });
    return promise;
  }
}

function routed(maxConcurrent = 1) {
  const clock = new ManualClock();
  const registry = new MetricsRegistry();
  const route = new ManualRoute();
  const observer = new WebhookMetrics(registry, [path]);
  const router = new WebhookRouter({ routes: [route], maxConcurrent, clock, logger: new SilentLogger(), observer });
  const call = (query = 'timeout=2s', given: Partial<WebhookCall> = {}) =>
    router.handle(callOf('{}', { path, query: new URLSearchParams(query), ...given }));
  return { clock, registry, route, router, call };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

function metric(registry: MetricsRegistry, name: string): string[] {
  return registry
    .text()
    .split('\n')
    .filter((line) => line.startsWith(name));
}

describe('WebhookRouter', () => {
  it('passes calls to the route of their path, and rejects unknown paths and large bodies', async () => {
    const { router, route, call, registry } = routed();
    expect((await router.handle(callOf('{}', { path: '/b' }))).status).toBe(404);
    expect((await call('', { body: new Uint8Array(101) })).status).toBe(413);
    const answer = call();
    route.calls[0]?.answer();
    expect(await answer).toEqual(done);
    expect(metric(registry, 'controller_runtime_webhook_requests_total')).toEqual([
      'controller_runtime_webhook_requests_total{code="200",webhook="/a"} 1',
      'controller_runtime_webhook_requests_total{code="413",webhook="/a"} 1',
      'controller_runtime_webhook_requests_total{code="500",webhook="/a"} 0',
    ]);
  });

  it('lets excess calls wait in order, and counts them', async () => {
    const { route, call, registry } = routed(2);
    const answers = [call(), call(), call(), call()];
    await settle();
    expect(route.calls).toHaveLength(2);
    expect(metric(registry, 'controller_runtime_webhook_requests_in_flight')).toEqual([
      'controller_runtime_webhook_requests_in_flight{webhook="/a"} 4',
    ]);
    route.calls[0]?.answer();
    await settle();
    expect(route.calls).toHaveLength(3);
    for (let index = 1; index < 4; index++) {
      route.calls[index]?.answer();
      await settle();
    }
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(metric(registry, 'evenkeel_webhook_queued_requests_total')).toEqual([
      'evenkeel_webhook_queued_requests_total{webhook="/a"} 2',
    ]);
  });

  it("ends a waiting call at the caller's timeout, without calling the handler later", async () => {
    const { clock, route, call, registry } = routed();
    const first = call('timeout=10s');
    const second = call('timeout=2s');
    await settle();
    await clock.advance(2000);
    expect((await second).status).toBe(503);
    route.calls[0]?.answer();
    expect((await first).status).toBe(200);
    await settle();
    expect(route.calls).toHaveLength(1);
    expect(metric(registry, 'evenkeel_webhook_expired_requests_total')).toEqual([
      'evenkeel_webhook_expired_requests_total{webhook="/a"} 1',
    ]);
    const third = call();
    route.calls[1]?.answer();
    expect((await third).status).toBe(200);
  });

  it('aborts a handler at the timeout, and keeps its place until it ends', async () => {
    const { clock, route, call } = routed();
    const first = call('timeout=1s');
    const waiting = call('timeout=30s');
    await settle();
    await clock.advance(1000);
    expect((await first).status).toBe(504);
    expect(route.calls[0]?.call.signal.aborted).toBe(true);
    await settle();
    expect(route.calls).toHaveLength(1);
    route.calls[0]?.answer();
    await settle();
    route.calls[1]?.answer();
    expect((await waiting).status).toBe(200);
  });

  it('gives the place of a handler that hangs to others after 30 s', async () => {
    const { clock, route, call } = routed();
    void call('timeout=1s');
    await settle();
    await clock.advance(31_000);
    await settle();
    const next = call();
    route.calls[1]?.answer();
    expect((await next).status).toBe(200);
  });

  it('does not wait for a caller that has gone', async () => {
    const { route, call } = routed();
    const gone = new AbortController();
    const answer = call('timeout=10s', { signal: gone.signal });
    await settle();
    gone.abort(new Error('the client has gone'));
    expect((await answer).status).toBe(504);
    expect(route.calls[0]?.call.signal.aborted).toBe(true);
  });

  it('responds with 500 if a route rejects', async () => {
    const clock = new ManualClock();
    const route: WebhookRoute = {
      ...{ path, maxBodyBytes: 10, defaultTimeoutMs: 1000 },
      handle: () => Promise.reject(new Error('no')),
    };
    const router = new WebhookRouter({ routes: [route], maxConcurrent: 1, clock, logger: new SilentLogger() });
    expect((await router.handle(callOf('{}', { path }))).status).toBe(500);
    expect((await router.handle(callOf('{}', { path }))).status).toBe(500);
  });
});

describe('callTimeoutMs()', () => {
  it.each([
    ['10s', 10_000],
    ['1m', 30_000],
    ['500ms', 500],
    ['0s', undefined],
    ['10', undefined],
    ['1e9s', undefined],
    [null, undefined],
  ])('reads %s as %s', (text, expected) => {
    expect(callTimeoutMs(text)).toBe(expected);
  });
});
