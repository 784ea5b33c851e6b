import { type KubernetesObject, ManualClock, SeededRandom, SilentLogger } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { refusal, type SentRequest, scriptedClient } from '../reconcile/scripted-client.fixture.ts';
import { ApiEventRecorder, type ApiEventRecorderOptions } from './api-event-recorder.ts';

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const page = Object.assign(new ConfigMap(), {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'page', namespace: 'web', uid: 'u', resourceVersion: '7' },
}) as KubernetesObject;

class Warnings extends SilentLogger {
  readonly lines: string[] = [];

  override warn(message?: string): void {
    this.lines.push(message ?? '');
  }

  override error(message?: string): void {
    this.lines.push(message ?? '');
  }
}

function recorder(
  answer = (request: SentRequest) => ({ status: 200, body: { ...(request.body as object) } }),
  observer?: ApiEventRecorderOptions['observer'],
) {
  const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  const logger = new Warnings();
  const { client, sent } = scriptedClient(answer as Parameters<typeof scriptedClient>[0], { clock });
  const events = new ApiEventRecorder({
    client,
    reportingController: 'nginx',
    reportingInstance: 'nginx-host',
    clock,
    random: new SeededRandom(1),
    logger,
    observer,
  });
  return { events, clock, sent, logger };
}

const seriesIn = (sent: readonly SentRequest[]) =>
  sent.filter(({ method }) => method === 'PATCH').map(({ body }) => (body as { series: object }).series);

describe('ApiEventRecorder', () => {
  it('writes an Event with the object, the reporter and the time', async () => {
    const { events, sent } = recorder();
    events.normal(page, 'Created', 'Created it');
    await turn();
    expect(sent).toMatchObject([
      {
        method: 'POST',
        path: '/apis/events.k8s.io/v1/namespaces/web/events',
        body: {
          metadata: { name: expect.stringMatching(/^page\.[0-9a-f]+$/), namespace: 'web' },
          eventTime: '2026-01-01T00:00:00.000000Z',
          reportingController: 'nginx',
          reportingInstance: 'nginx-host',
          action: 'Reconcile',
          type: 'Normal',
          reason: 'Created',
          note: 'Created it',
          regarding: { apiVersion: 'v1', kind: 'ConfigMap', name: 'page', namespace: 'web', uid: 'u' },
        },
      },
    ]);
  });

  it('passes each Event to the observer, repeated ones too, and logs what the observer throws', async () => {
    const observed: string[] = [];
    const { events, sent, logger } = recorder(undefined, ({ regarding, type, reason, note }) => {
      observed.push(`${type} ${reason} ${regarding.metadata.name}: ${note}`);
      throw new Error('odd');
    });
    events.normal(page, 'Scaled', 'from 1 to 2');
    events.normal(page, 'Scaled', 'from 1 to 2');
    await turn();
    expect(observed).toEqual(['Normal Scaled page: from 1 to 2', 'Normal Scaled page: from 1 to 2']);
    expect(sent.length).toBeGreaterThan(0);
    expect(logger.lines).toEqual(['event observer threw', 'event observer threw']);
  });

  it('starts a series with the second occurrence, and writes later ones together', async () => {
    const { events, clock, sent } = recorder();
    for (let time = 0; time < 5; time++) {
      events.warning(page, 'PageNotFound', 'It is not there');
      await clock.advance(1000);
    }
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'PATCH']);
    await clock.advance(60_000);
    expect(seriesIn(sent)).toEqual([
      { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' },
      { count: 5, lastObservedTime: '2026-01-01T00:00:04.000000Z' },
    ]);
    await clock.advance(600_000);
    expect(sent).toHaveLength(3);
  });

  it('creates a new Event after six minutes without a repetition, and for any difference', async () => {
    const { events, clock, sent } = recorder();
    events.normal(page, 'Scaled', 'from 1 to 2');
    events.normal(page, 'Scaled', 'from 2 to 3');
    await clock.advance(6 * 60_000);
    events.normal(page, 'Scaled', 'from 1 to 2');
    await turn();
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST']);
    expect(new Set(sent.map(({ body }) => (body as KubernetesObject).metadata.name)).size).toBe(3);
  });

  it('writes waiting Events before it stops, and nothing after that', async () => {
    const { events, clock, sent } = recorder();
    for (let time = 0; time < 3; time++) events.normal(page, 'Again', 'and again');
    await turn();
    await events.stop(new AbortController().signal);
    expect(seriesIn(sent).at(-1)).toMatchObject({ count: 3 });
    const before = sent.length;
    events.normal(page, 'Late', 'too late');
    await clock.advance(600_000);
    expect(sent).toHaveLength(before);
  });

  it('logs and drops an Event that the server rejects, and continues', async () => {
    let calls = 0;
    const { events, sent, logger } = recorder((request) =>
      calls++ === 0 ? (refusal(403, 'Forbidden', 'no') as never) : { status: 200, body: request.body as object },
    );
    events.normal(page, 'One', 'one');
    events.normal(page, 'Two', 'two');
    await turn();
    expect(logger.lines).toEqual(['could not write an event']);
    expect(sent).toHaveLength(2);
  });

  it('creates an Event as a series when it is repeated after its first write failed', async () => {
    const made = new Map<string, object>();
    let failing = true;
    const { events, clock, sent, logger } = recorder(({ method, path, body }) => {
      if (failing) return refusal(500, 'InternalError', 'not now') as never;
      const name = method === 'POST' ? (body as KubernetesObject).metadata.name : (path.split('/').at(-1) ?? '');
      const there = made.get(name);
      if (method === 'PATCH' && there === undefined) return refusal(404, 'NotFound', 'none') as never;
      made.set(name, { ...there, ...(body as object) });
      return { status: 200, body: made.get(name) ?? {} };
    });
    events.warning(page, 'PageNotFound', 'It is not there');
    await clock.advance(1000);
    expect(made.size).toBe(0);
    failing = false;
    events.warning(page, 'PageNotFound', 'It is not there');
    await clock.advance(1000);
    expect([...made.values()]).toMatchObject([
      {
        eventTime: '2026-01-01T00:00:00.000000Z',
        note: 'It is not there',
        series: { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' },
      },
    ]);
    const writes = sent.length;
    events.warning(page, 'PageNotFound', 'It is not there');
    await clock.advance(60_000);
    expect(sent.slice(writes).map(({ method }) => method)).toEqual(['PATCH']);
    expect([...made.values()]).toMatchObject([{ series: { count: 3 } }]);
    expect(logger.lines).toEqual(['could not write an event']);
  });

  it('accepts an Event that already exists, and patches it', async () => {
    const answers = [refusal(409, 'AlreadyExists', 'there'), refusal(404, 'NotFound', 'none')];
    answers.push(refusal(409, 'AlreadyExists', 'there'));
    const { events, clock, sent, logger } = recorder(() => (answers.shift() ?? { status: 200, body: {} }) as never);
    events.warning(page, 'PageNotFound', 'It is not there');
    await clock.advance(1000);
    expect(sent.map(({ method }) => method)).toEqual(['POST']);
    events.warning(page, 'PageNotFound', 'It is not there');
    await clock.advance(1000);
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'POST', 'PATCH']);
    expect(logger.lines).toEqual([]);
  });

  it('drops Events while a thousand wait', async () => {
    const { events, sent, logger } = recorder();
    for (let index = 0; index < 1002; index++) events.normal(page, 'Many', String(index));
    for (let index = 0; index < 1200; index++) await turn();
    // One of them was already being written.
    expect(sent).toHaveLength(1001);
    expect(logger.lines).toEqual(['dropped an event: too many wait to be written']);
  });

  it('cuts a note between characters to the kilobyte that the API allows', async () => {
    const { events, sent } = recorder();
    events.normal(page, 'Long', 'ü'.repeat(1000));
    await turn();
    const [note = ''] = sent.map(({ body }) => (body as { note: string }).note);
    expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1024);
    expect(note).toMatch(/^ü+…$/);
  });
});
