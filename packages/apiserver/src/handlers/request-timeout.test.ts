import { ManualClock } from '@evenkeel/core';
import { ApiServer, administrator } from '../api-server.ts';
import type { ApiRequest, ApiResponse } from '../request/api-request.ts';

const path = '/api/v1/namespaces/default/configmaps';

describe('the body of a request from a socket', () => {
  let clock: ManualClock;
  let server: ApiServer;
  let reads: number;
  beforeEach(async () => {
    clock = new ManualClock();
    reads = 0;
    server = await ApiServer.create({ controllers: false, clock });
  });
  afterEach(() => server.close());

  /** A request whose body never arrives. */
  function slow(more: Partial<ApiRequest> = {}): Promise<ApiResponse> {
    const receive = (): Promise<Uint8Array> => {
      reads++;
      return new Promise(() => undefined);
    };
    return server.handle({ method: 'POST', path, headers: {}, signal: AbortSignal.any([]), receive, ...more });
  }

  it.each([
    ['of an anonymous user', {}, 403],
    ['with an invalid token', { headers: { authorization: 'Bearer nope' } }, 401],
    ['of a user without permission', { user: { name: 'ann', groups: [] } }, 403],
    ['for an unknown resource', { user: administrator, path: '/apis/example.com/v1/things' }, 404],
    ['for a path that is no resource', { user: administrator, path: '/healthz' }, 200],
    ['of a GET', { user: administrator, method: 'GET' }, 200],
    ['with an invalid timeout', { user: administrator, path: `${path}?timeout=1` }, 400],
  ])('is not read %s', async (_, more, status) => {
    expect((await slow(more)).status).toBe(status);
    expect(reads).toBe(0);
  });

  it.each([
    ['after a minute', '', 60_000],
    ['after the timeout of the request', '?timeout=1500ms', 1500],
    ['after a minute, even with a longer timeout', '?timeout=1h', 60_000],
    ['after a minute, if the timeout is negative', '?timeout=-1s', 60_000],
  ])('times out %s', async (_, query, limitMs) => {
    let response: ApiResponse | undefined;
    const answering = slow({ user: administrator, path: path + query }).then((it) => {
      response = it;
    });
    while (reads === 0) await Promise.resolve();
    await clock.advance(limitMs - 1);
    expect(response).toBeUndefined();
    await clock.advance(1);
    await answering;
    expect(response?.status).toBe(504);
    expect(JSON.parse(Buffer.from(response?.body as Uint8Array).toString('utf8'))).toEqual({
      metadata: {},
      status: 'Failure',
      message: 'Timeout: request did not complete within the allotted timeout',
      reason: 'Timeout',
      details: {},
      code: 504,
    });
    expect(clock.pending).toBe(0);
  });

  it('is rejected if it is too long', async () => {
    const response = await slow({ user: administrator, receive: async () => undefined });
    expect(response.status).toBe(413);
    expect(Buffer.from(response.body as Uint8Array).toString('utf8')).toContain(
      'Request entity too large: limit is 3145728',
    );
  });
});
