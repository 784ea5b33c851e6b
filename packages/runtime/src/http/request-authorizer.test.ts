import { type LogKeys, ManualClock, SilentLogger } from '@evenkeel/core';
import { type Answer, refusal, scriptedClient } from '../reconcile/scripted-client.fixture.ts';
import type { HttpAnswer } from './http-handler.ts';
import { getRequest } from './request.fixture.ts';
import { authorized } from './request-authorizer.ts';

/** `good` may read, `poor` may not, the review of `odd` fails; all other tokens are invalid. */
function scraped(answer: (kind: string, spec: Record<string, unknown>) => Answer) {
  const clock = new ManualClock();
  const lines: { readonly message: string; readonly keys: LogKeys }[] = [];
  const logger = Object.assign(new SilentLogger(), {
    error: (message: string, keys: LogKeys = {}) => lines.push({ message, keys }),
  });
  const { client, sent } = scriptedClient(({ body }) => {
    const { kind, spec } = body as { kind: string; spec: Record<string, unknown> };
    return answer(kind, spec);
  });
  const handler = authorized(() => ({ status: 200, body: 'secret' }), { client, clock, logger });
  const ask = (authorization?: string, path = '/metrics'): Promise<HttpAnswer> | HttpAnswer =>
    handler(getRequest(path, { authorization }));
  return { ask, sent, clock, lines };
}

const users: Readonly<Record<string, object>> = {
  good: { username: 'ann', uid: '1', groups: ['team'], extra: { scope: ['a'] } },
  poor: { username: 'bob' },
};

function byTheBook(kind: string, spec: Record<string, unknown>): Answer {
  if (kind === 'TokenReview') {
    const user = users[String(spec['token'])];
    return {
      status: 201,
      body: {
        kind,
        apiVersion: 'authentication.k8s.io/v1',
        metadata: {},
        status: user === undefined ? { user: {} } : { authenticated: true, user },
      },
    };
  }
  return {
    status: 201,
    body: { kind, apiVersion: 'authorization.k8s.io/v1', metadata: {}, status: { allowed: spec['user'] === 'ann' } },
  };
}

describe('authorized()', () => {
  it('passes a request with a token and the permission, and checks the user of the token', async () => {
    const { ask, sent } = scraped(byTheBook);
    expect(await ask('Bearer good')).toEqual({ status: 200, body: 'secret' });
    expect(sent.map(({ body }) => (body as { spec: unknown }).spec)).toEqual([
      { token: 'good' },
      {
        user: 'ann',
        uid: '1',
        groups: ['team'],
        extra: { scope: ['a'] },
        nonResourceAttributes: { path: '/metrics', verb: 'get' },
      },
    ]);
  });

  it.each([
    [undefined],
    ['Bearer '],
    ['Basic good'],
    ['good'],
    ['Bearer none'],
    ['Bearer good more'],
    ['Bearer good\n'],
  ])('responds with 401 to %j, without calling the handler', async (authorization) => {
    const { ask } = scraped(byTheBook);
    expect(await ask(authorization)).toEqual({
      status: 401,
      body: 'Unauthorized\n',
      headers: { 'www-authenticate': 'Bearer' },
    });
  });

  it('sends no request for a malformed token', async () => {
    const { ask, sent } = scraped(byTheBook);
    await ask(undefined);
    await ask('Bearer {}');
    expect(sent).toEqual([]);
  });

  it('responds with 403 without the permission, and to a path that another permission is for', async () => {
    const { ask, sent } = scraped(byTheBook);
    expect(await ask('Bearer poor')).toEqual({ status: 403, body: 'bob may not get /metrics\n' });
    await ask('Bearer good');
    await ask('Bearer good', '/other');
    expect(
      sent.map(
        ({ body }) => (body as { spec: { nonResourceAttributes?: { path: string } } }).spec.nonResourceAttributes?.path,
      ),
    ).toEqual([...[undefined, '/metrics', undefined, '/metrics', '/other']]);
  });

  it('caches a token for one minute, a permission for five minutes, and a denial for 30 s', async () => {
    const { ask, sent, clock } = scraped(byTheBook);
    const asked = async (authorization: string): Promise<string[]> => {
      const from = sent.length;
      await ask(authorization);
      return sent.slice(from).map(({ body }) => (body as { kind: string }).kind);
    };
    expect(await asked('Bearer good')).toEqual(['TokenReview', 'SubjectAccessReview']);
    expect(await asked('Bearer poor')).toEqual(['TokenReview', 'SubjectAccessReview']);
    await clock.advance(29_999);
    expect([await asked('Bearer good'), await asked('Bearer poor')]).toEqual([[], []]);
    await clock.advance(1);
    expect([await asked('Bearer good'), await asked('Bearer poor')]).toEqual([[], ['SubjectAccessReview']]);
    await clock.advance(30_000);
    expect(await asked('Bearer good')).toEqual(['TokenReview']);
    await clock.advance(239_999);
    expect(await asked('Bearer good')).toEqual(['TokenReview']);
    await clock.advance(1);
    expect(await asked('Bearer good')).toEqual(['SubjectAccessReview']);
  });

  it('responds with 500 if a review fails, and repeats the review for the next request', async () => {
    let isAway = true;
    const { ask, lines } = scraped((kind, spec) =>
      isAway ? refusal(403, 'Forbidden', 'tokenreviews is forbidden') : byTheBook(kind, spec),
    );
    expect(await ask('Bearer good')).toEqual({ status: 500, body: 'Authentication failed\n' });
    expect(lines).toEqual([
      {
        message: expect.stringContaining('grant create on tokenreviews.authentication.k8s.io'),
        keys: { error: expect.anything() },
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain('good');
    isAway = false;
    expect(await ask('Bearer good')).toEqual({ status: 200, body: 'secret' });
  });

  it('treats a review that both allows and denies as a denial', async () => {
    const { ask } = scraped((kind, spec) => {
      const { status, body } = byTheBook(kind, spec);
      if (kind === 'TokenReview') return { status, body };
      return { status, body: { ...(body as object), status: { allowed: true, denied: true } } };
    });
    expect(await ask('Bearer good')).toMatchObject({ status: 403 });
  });

  it('limits the reviews of unknown tokens, and still serves a token that was valid before', async () => {
    const { ask, sent, clock } = scraped(byTheBook);
    await ask('Bearer good');
    const statuses = async (count: number, from: number): Promise<Record<number, number>> => {
      const seen: Record<number, number> = {};
      for (let index = 0; index < count; index++) {
        const { status } = await ask(`Bearer unknown-${from + index}`);
        seen[status] = (seen[status] ?? 0) + 1;
      }
      return seen;
    };
    expect(await statuses(2000, 0)).toEqual({ 401: 19, 429: 1981 });
    expect(await ask('Bearer next')).toEqual({
      status: 429,
      body: 'Too many unknown tokens\n',
      headers: { 'retry-after': '1' },
    });
    const before = sent.length;
    expect(await ask('Bearer good')).toMatchObject({ status: 200 });
    expect(sent).toHaveLength(before);
    await clock.advance(1000);
    expect(await statuses(5, 5000)).toEqual({ 401: 2, 429: 3 });
    await clock.advance(59_000);
    await statuses(100, 6000);
    expect(await ask('Bearer good')).toMatchObject({ status: 200 });
  });
});
