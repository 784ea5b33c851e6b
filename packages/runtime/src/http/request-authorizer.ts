import { createHash } from 'node:crypto';
import { type Client, review } from '@evenkeel/client';
import { type Clock, isForbidden, type Logger } from '@evenkeel/core';
import { TokenReview } from '@evenkeel/kinds/authentication/v1';
import { SubjectAccessReview, type SubjectAccessReviewSpec } from '@evenkeel/kinds/authorization/v1';
import { CallLimit } from './call-limit.ts';
import type { HttpAnswer, HttpHandler, HttpRequest } from './http-handler.ts';
import { ResultCache } from './result-cache.ts';

/** As in controller-runtime (pkg/metrics/filters), a token is cached for 1 min, a permission for 5 min, a denial for 30 s. */
const tokenMs = 60_000;
const allowMs = 300_000;
const denyMs = 30_000;
const reviewTimeoutMs = 10_000;
/** The most entries of each cache. There are only a few scrapers, and a client that tries many tokens must not fill the memory. */
const mostResults = 1000;
/**
 * Anyone who reaches the port can send tokens, and each new token needs a TokenReview. A scraper sends the same token for an
 * hour or so, so a few new tokens per second suffice for all scrapers of a cluster.
 */
const newTokenLimit = { perSecond: 2, burst: 20 };

const neededPermissions =
  'grant create on tokenreviews.authentication.k8s.io and subjectaccessreviews.authorization.k8s.io to the operator in a ClusterRole';

type User = Pick<SubjectAccessReviewSpec, 'user' | 'groups' | 'uid' | 'extra'>;

/** The API server was not asked about a token. */
class TooManyTokens extends Error {}

export interface RequestAuthorizerOptions {
  /** May create TokenReviews and SubjectAccessReviews. */
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Passes a request to `handler` if it has a valid token of the cluster, and the user may `get` the path as a nonResourceURL.
 * Responds with 401 without a valid token, 403 without the permission, and 500 if the API server cannot check them. Stores tokens
 * only as digests.
 *
 * It requests at most two TokenReviews per second, and 20 at once, for tokens that were never valid; the response to further such
 * tokens is 429. Tokens that were valid before are not limited, so that a client with many tokens does not lock out a scraper.
 */
export function authorized(handler: HttpHandler, { client, clock, logger }: RequestAuthorizerOptions): HttpHandler {
  const users = new ResultCache<User | undefined>(clock, mostResults);
  const rights = new ResultCache<boolean>(clock, mostResults);
  const newTokens = new CallLimit(clock, newTokenLimit);
  /** Digests of tokens that were valid. */
  const provenTokens = new Set<string>();
  const userOf = (token: string): Promise<User | undefined> => {
    const digest = createHash('sha256').update(token).digest('base64');
    return users.get(
      digest,
      () => tokenMs,
      () => {
        if (!provenTokens.has(digest) && !newTokens.take()) throw new TooManyTokens();
        return reviewToken(token).then((user) => {
          provenTokens.delete(digest);
          if (user !== undefined) {
            const [oldest] = provenTokens;
            if (provenTokens.size >= mostResults && oldest !== undefined) provenTokens.delete(oldest);
            provenTokens.add(digest);
          }
          return user;
        });
      },
    );
  };
  const reviewToken = async (token: string): Promise<User | undefined> => {
    const { authenticated, user } = await limited(clock, (signal) =>
      review(client, TokenReview, { token }, { signal }),
    );
    if (authenticated !== true || user?.username === undefined) return undefined;
    const { username, groups, uid, extra } = user;
    return {
      user: username,
      ...(groups === undefined ? {} : { groups }),
      ...(uid === undefined ? {} : { uid }),
      ...(extra === undefined ? {} : { extra }),
    };
  };
  const may = (user: User, path: string): Promise<boolean> =>
    rights.get(
      JSON.stringify([user, path]),
      (allowed) => (allowed ? allowMs : denyMs),
      async () => {
        const spec = { ...user, nonResourceAttributes: { path, verb: 'get' } };
        const { allowed, denied } = await limited(clock, (signal) =>
          review(client, SubjectAccessReview, spec, { signal }),
        );
        return allowed && denied !== true;
      },
    );
  const rejectionOf = async (request: HttpRequest): Promise<HttpAnswer | undefined> => {
    const token = /^Bearer ([\w.~+/=-]+)$/i.exec(request.header('authorization') ?? '')?.[1];
    const user = token === undefined ? undefined : await userOf(token);
    if (user === undefined) {
      return { status: 401, body: 'Unauthorized\n', headers: { 'www-authenticate': 'Bearer' } };
    }
    if (await may(user, request.path)) return undefined;
    return { status: 403, body: `${user.user} may not get ${request.path}\n` };
  };
  return async (request) => {
    let rejection: HttpAnswer | undefined;
    try {
      rejection = await rejectionOf(request);
    } catch (error) {
      if (error instanceof TooManyTokens) {
        return { status: 429, body: 'Too many unknown tokens\n', headers: { 'retry-after': '1' } };
      }
      const fix = isForbidden(error) ? `; ${neededPermissions}` : '';
      logger.error(`the API server cannot authenticate and authorize a request for metrics${fix}`, { error });
      return { status: 500, body: 'Authentication failed\n' };
    }
    return rejection ?? handler(request);
  };
}

async function limited<T>(clock: Clock, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timeout = new AbortController();
  const timer = clock.schedule(
    reviewTimeoutMs,
    () => timeout.abort(new Error(`the API server did not respond within ${reviewTimeoutMs} ms`)),
    { unref: true },
  );
  try {
    return await ask(timeout.signal);
  } finally {
    timer.cancel();
  }
}
