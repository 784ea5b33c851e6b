import { type ApiRequest, describeRequest, type Interceptor, isDryRun, isRead } from '@evenkeel/client';
import { EvenkeelError } from '@evenkeel/core';
import type { FenceExemption } from './fence-exemption.ts';
import type { LeaderElection } from './leader-election.ts';

/**
 * Returns an interceptor that rejects mutating requests unless this process leads and its renew deadline has not passed on the
 * monotonic clock. It checks this when the request is sent, and again when the connection is established, before the first
 * byte. Reads and dry runs pass. It must be the last interceptor of a client.
 *
 * Active requests are aborted when the leadership ends. Their `timeout` parameter, which the server enforces for everything but
 * watches, makes the server give up before another process may lead.
 *
 * @param exemption code that is not restricted. Default: none.
 */
export function writeFence(
  election: Pick<LeaderElection, 'mayBeginWriteFor' | 'state' | 'ended'>,
  exemption?: FenceExemption,
): Interceptor {
  return async (request, next) => {
    if (isRead(request.verb) || isDryRun(request) || exemption?.isActive === true) return await next(request);
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
