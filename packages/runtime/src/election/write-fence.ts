import { type ApiRequest, describeRequest, type Interceptor, isDryRun, isRead } from '@evenkeel/client';
import { EvenkeelError } from '@evenkeel/core';
import type { LeaderElection } from './leader-election.ts';

/**
 * Lets no mutating request begin unless this process leads and its renew deadline has not passed, on the monotonic clock:
 * asked when the request is sent, and again when its connection is there and the first byte would go out. Reads and dry
 * runs pass. It stands last among a client's interceptors.
 *
 * What has begun is aborted when leadership ends, and the server is told (`timeout`, which it keeps for all but watches)
 * not to go on with it beyond the time at which another may lead.
 */
export function writeFence(election: Pick<LeaderElection, 'mayBeginWriteFor' | 'state' | 'ended'>): Interceptor {
  return async (request, next) => {
    if (isRead(request.verb) || isDryRun(request)) return await next(request);
    const { signal } = request;
    const check = (): number => {
      const forMs = election.mayBeginWriteFor;
      if (forMs === 0) throw refused(request, election);
      return forMs;
    };
    const forMs = check();
    return await next({
      ...request,
      query: { ...request.query, timeout: `${Math.floor(forMs)}ms` },
      signal: signal === undefined ? election.ended : AbortSignal.any([signal, election.ended]),
      beforeSend: () => {
        request.beforeSend?.();
        check();
      },
    });
  };
}

function refused(request: ApiRequest, { state }: Pick<LeaderElection, 'state'>): EvenkeelError {
  const why =
    state.role === 'candidate'
      ? `this process does not lead (${state.holder === undefined || state.holder === '' ? 'there is no leader yet' : `${state.holder} leads`}); work that runs on every replica must write with the client that its start() gets`
      : 'this process no longer leads; the new leader repeats it';
  return new EvenkeelError('not-leading', `${describeRequest(request)} was not sent: ${why}`);
}
