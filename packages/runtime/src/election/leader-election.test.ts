import { EvenkeelError, ManualClock, SeededRandom, type TransportRequest } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { candidate as begin, type Candidate, type Fate, LeaseServer } from './election.fixture.ts';

const never = new AbortController().signal;
const map = { metadata: { name: 'x', namespace: 'default' } };

function setting(seed = 1) {
  const clock = new ManualClock();
  const server = new LeaseServer(clock);
  const random = new SeededRandom(seed);
  const candidate = (identity: string, options: Parameters<typeof begin>[4] = {}): Candidate =>
    begin(identity, server, clock, random, options);
  return { clock, server, random, candidate };
}

const codeOf = (value: unknown): unknown => (value instanceof EvenkeelError ? value.code : value);

describe('one candidate', () => {
  it('creates the Lease, leads, and renews it every retry period', async () => {
    const { clock, server, candidate } = setting();
    const a = candidate('a');
    await clock.advance(0);
    expect(a.story).toEqual(['elected']);
    expect(server.lease?.spec).toEqual({
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:00.000000Z',
      leaseTransitions: 0,
    });
    expect(a.notes).toEqual(['Lease nginx: a became leader']);
    await clock.advance(6000);
    expect(server.lease?.spec?.renewTime).toBe('2026-01-01T00:00:06.000000Z');
    expect(server.lease?.spec?.acquireTime).toBe('2026-01-01T00:00:00.000000Z');
    // One update each time, and no read before it.
    expect(server.received.slice(2).map(({ method, atMs }) => `${method} ${atMs}`)).toEqual([
      'PUT 2000',
      'PUT 4000',
      'PUT 6000',
    ]);
  });

  it('takes a held Lease only after it was unchanged for its duration, whatever the times in it are', async () => {
    const { clock, server, candidate } = setting();
    // By the times in it, it expired years ago.
    server.edit({
      holderIdentity: 'old',
      leaseDurationSeconds: 15,
      renewTime: '2020-01-01T00:00:00.000000Z',
      leaseTransitions: 4,
    });
    const a = candidate('a');
    await clock.advance(14_999);
    expect(a.story).toEqual([]);
    expect(a.election.state).toEqual({ role: 'candidate', holder: 'old', problem: undefined });
    // The next attempt follows after at most 2.2 retry periods.
    await clock.advance(1 + 4400);
    expect(a.story).toEqual(['elected']);
    expect(server.lease?.spec).toMatchObject({ holderIdentity: 'a', leaseTransitions: 5 });
    expect(a.logger.lines).toEqual(['standing by: another process leads', 'became leader']);
  });

  it('takes a released Lease at its next attempt', async () => {
    const { clock, server, candidate } = setting();
    server.edit({ holderIdentity: '', leaseDurationSeconds: 1 });
    const a = candidate('a');
    await clock.advance(0);
    expect(a.story).toEqual(['elected']);
  });

  it('waits while a Lease with future times is renewed, and restarts the wait with each renewal', async () => {
    const { clock, server, candidate } = setting();
    server.edit({ holderIdentity: 'b', leaseDurationSeconds: 15, renewTime: '2036-01-01T00:00:00.000000Z' });
    const a = candidate('a');
    for (let at = 0; at < 10; at++) {
      await clock.advance(14_000);
      server.edit({ holderIdentity: 'b', leaseDurationSeconds: 15, renewTime: `2036-01-01T00:01:${10 + at}.000000Z` });
    }
    expect(a.story).toEqual([]);
  });

  it('logs why it cannot take the Lease, once until the server responds', async () => {
    const { clock, candidate } = setting();
    let away = true;
    const a = candidate('a', { fate: () => (away ? new Error('ECONNREFUSED') : {}) });
    await clock.advance(4400);
    const line = 'could not take the lease default/nginx: ECONNREFUSED; retrying';
    expect(a.election.state.problem).toBe(line);
    expect(a.logger.lines).toEqual([line]);
    away = false;
    await clock.advance(4400);
    expect(a.election.state).toEqual({ role: 'leader', holder: 'a', problem: undefined });
  });

  it('repeats the reason after 1, 2, 4, ... minutes, and logs when the problem is over', async () => {
    const { clock, server, candidate } = setting();
    server.edit({ holderIdentity: 'b', leaseDurationSeconds: 3600, renewTime: '2026-01-01T00:00:00.000000Z' });
    let away = true;
    const a = candidate('a', { fate: () => (away ? new Error('ECONNREFUSED') : {}) });
    const linesAfter = async (minutes: number): Promise<number> => {
      await clock.advance(minutes * 60_000);
      return a.logger.lines.length;
    };
    expect(await linesAfter(0.9)).toBe(1);
    expect(await linesAfter(0.2)).toBe(2);
    expect(await linesAfter(2)).toBe(3);
    expect(await linesAfter(4 + 8)).toBe(5);
    expect(server.received).toEqual([]);
    away = false;
    expect(await linesAfter(0.1)).toBe(7);
    expect(a.logger.lines.slice(5)).toEqual(['standing by: another process leads', 'the lease can be used again']);
    away = true;
    await clock.advance(0.1 * 60_000);
    expect(a.logger.lines).toHaveLength(8);
    await a.election.stop(never);
    expect(await linesAfter(60)).toBe(8);
    expect(clock.pending).toBe(0);
  });

  it('does not log that the server is unreachable while other code reports it', async () => {
    const { clock, candidate } = setting();
    let isAwayTold = true;
    let fate: Fate | Error = new Error('ECONNREFUSED');
    const a = candidate('a', { fate: () => fate, isAwayTold: () => isAwayTold });
    await clock.advance(200_000);
    expect(a.logger.lines).toEqual([]);
    const away = 'could not take the lease default/nginx: ECONNREFUSED; retrying';
    expect(a.election.state.problem).toBe(away);
    isAwayTold = false;
    await clock.advance(4400);
    expect(a.logger.lines).toEqual([away]);
    isAwayTold = true;
    // An error response is reported only here.
    fate = { status: 403 };
    await clock.advance(4400);
    expect(a.logger.lines).toHaveLength(2);
    fate = {};
    await clock.advance(4400);
    expect(a.logger.lines.slice(2)).toEqual(['became leader', 'the lease can be used again']);
  });

  it('reports the fix if the server rejects its token', async () => {
    const { clock, candidate } = setting();
    const a = candidate('a', { fate: () => ({ status: 401 }) });
    await clock.advance(20_000);
    expect(a.logger.lines).toEqual([
      "could not take the lease default/nginx: get leases.coordination.k8s.io default/nginx: InternalError; the API server rejects the operator's credentials; renew the token or certificate of its kubeconfig, or use its service account",
    ]);
  });

  it('reports the missing rule and the fix if the Lease is forbidden, and logs again if the reason changes', async () => {
    const { clock, candidate } = setting();
    let refuses = 403;
    const a = candidate('a', { fate: () => (refuses > 0 ? { status: refuses } : {}) });
    await clock.advance(20_000);
    const line =
      'could not take the lease default/nginx: get leases.coordination.k8s.io default/nginx: Forbidden; its service account lacks get, create and update on leases of coordination.k8s.io in default; set "leaderElection: { name: \'nginx\' }" in defineOperator(), run "evenkeel generate" and apply config/rbac; if the roles are for another namespace, pass it with --leader-election-namespace';
    expect(a.logger.lines).toEqual([line]);
    expect(a.election.state.problem).toBe(line);
    refuses = 500;
    await clock.advance(20_000);
    expect(a.logger.lines.slice(1)).toEqual([
      'could not take the lease default/nginx: get leases.coordination.k8s.io default/nginx: InternalError; retrying',
    ]);
    refuses = 0;
    await clock.advance(5000);
    expect(a.logger.lines.slice(2)).toEqual(['became leader', 'the lease can be used again']);
  });

  it('logs no problem if another candidate was faster', async () => {
    const { clock, server, candidate } = setting();
    const [a, b] = [candidate('a'), candidate('b')];
    await clock.advance(0);
    expect(server.received.map(({ from, method }) => `${from} ${method}`)).toEqual([
      'a GET',
      'b GET',
      'a POST',
      'b POST',
    ]);
    expect(b.election.state.problem).toBeUndefined();
    expect([a.logger.lines, b.logger.lines]).toEqual([['became leader'], []]);
    await clock.advance(5000);
    expect(b.logger.lines).toEqual(['standing by: another process leads']);
  });

  it('keeps labels and fields of others in the Lease', async () => {
    const { clock, server, candidate } = setting();
    candidate('a');
    await clock.advance(0);
    server.edit({ ...server.lease?.spec, strategy: 'OldestEmulationVersion' });
    await clock.advance(2000);
    expect(server.lease?.spec).toMatchObject({
      strategy: 'OldestEmulationVersion',
      renewTime: '2026-01-01T00:00:02.000000Z',
    });
  });
});

describe('a leader', () => {
  it('reads and renews the Lease again after a conflict', async () => {
    const { clock, server, candidate } = setting();
    const a = candidate('a');
    await clock.advance(0);
    server.edit({ ...server.lease?.spec });
    await clock.advance(2000);
    expect(server.received.slice(2).map(({ method }) => method)).toEqual(['PUT', 'GET', 'PUT']);
    expect(a.election.mayBeginWriteFor).toBe(15_000);
  });

  it('remains leader if the response is lost after the commit', async () => {
    const { clock, server, candidate } = setting();
    let fate: Fate = {};
    const a = candidate('a', { fate: () => fate });
    await clock.advance(1999);
    fate = { lost: 'answer' };
    await clock.advance(1);
    fate = {};
    // The attempt is aborted after half the renew deadline.
    await clock.advance(7000);
    expect(a.story).toEqual(['elected']);
    expect(a.election.mayBeginWriteFor).toBeGreaterThan(5000);
    expect(server.lease?.spec).toMatchObject({ holderIdentity: 'a', leaseTransitions: 0 });
  });

  it('remains leader if the server is unreachable for less than the renew deadline', async () => {
    const { clock, candidate } = setting();
    let away = false;
    const a = candidate('a', { fate: () => (away ? new Error('ECONNREFUSED') : {}) });
    await clock.advance(2000);
    away = true;
    await clock.advance(7000);
    expect(a.election.mayBeginWriteFor).toBe(8000);
    away = false;
    await clock.advance(1000);
    expect(a.story).toEqual(['elected']);
    expect(a.election.mayBeginWriteFor).toBe(15_000);
  });

  it('loses the Lease if the server is unreachable for longer, and is not a candidate again', async () => {
    const { clock, server, candidate } = setting();
    let away = false;
    const a = candidate('a', { fate: () => (away ? new Error('ECONNREFUSED') : {}) });
    await clock.advance(2000);
    away = true;
    await clock.advance(9999);
    expect(a.election.mayBeginWriteFor).toBe(5001);
    await clock.advance(1);
    expect(a.story.map(codeOf)).toEqual(['elected', 'leadership-lost']);
    expect(String(a.story[1])).toContain('the lease default/nginx is lost: no renewal succeeded within 10000 ms');
    expect(a.election.ended.aborted).toBe(true);
    away = false;
    const sent = server.received.length;
    await clock.advance(60_000);
    expect(server.received).toHaveLength(sent);
    expect(a.election.mayBeginWriteFor).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('loses the Lease at once if it has another holder', async () => {
    const { clock, server, candidate } = setting();
    const a = candidate('a');
    await clock.advance(0);
    server.edit({ holderIdentity: 'b', leaseDurationSeconds: 15 });
    await clock.advance(2000);
    expect(a.story.map(codeOf)).toEqual(['elected', 'leadership-lost']);
    expect(String(a.story[1])).toContain('it is held by b');
    expect(server.lease?.spec?.holderIdentity).toBe('b');
  });

  it('counts its deadline from the sending of a renewal, not from its response', async () => {
    const { clock, candidate } = setting();
    let fate: Fate = {};
    const a = candidate('a', { fate: () => fate });
    await clock.advance(1999);
    fate = { backMs: 4000 };
    await clock.advance(1 + 4000);
    expect(a.election.mayBeginWriteFor).toBe(11_000);
  });
});

describe('the fence', () => {
  const writes = (server: LeaseServer) => server.received.filter(({ path }) => path.includes('/configmaps'));

  it('passes writes of a leader, with a timeout for the server', async () => {
    const { clock, server, candidate } = setting();
    const a = candidate('a');
    await clock.advance(3000);
    const written = a.client.create(ConfigMap, map);
    await clock.advance(0);
    await written;
    expect(writes(server).map(({ path }) => path)).toEqual([
      '/api/v1/namespaces/default/configmaps?fieldManager=a&timeout=14000ms',
    ]);
  });

  it('rejects writes of a process that does not lead, names the leader, and passes reads and dry runs', async () => {
    const { clock, server, candidate } = setting();
    candidate('a');
    await clock.advance(0);
    const b = candidate('b');
    await clock.advance(0);
    await expect(b.client.create(ConfigMap, map)).rejects.toMatchObject({
      code: 'not-leading',
      message:
        'create configmaps default/x was not sent: this process does not lead (a leads); work that runs on every replica must write with the client that its start() gets',
    });
    const passing = [
      b.client.get(ConfigMap, 'default/x'),
      b.client.create(ConfigMap, map, { dryRun: true }),
      b.client.delete(ConfigMap, 'default/x', { dryRun: true }),
    ];
    await clock.advance(0);
    await Promise.all(passing);
    expect(writes(server).map(({ from, method }) => `${from} ${method}`)).toEqual(['b GET', 'b POST', 'b DELETE']);
  });

  it('starts no write after the deadline in a process that was paused, whatever runs first when it resumes', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const { clock, server, candidate } = setting(seed);
      const a = candidate('a');
      await clock.advance(2000);
      const outcomes: string[] = [];
      // The next write of a reconcile, due while the process is paused.
      a.clock.schedule(500, () => {
        a.client.create(ConfigMap, map).then(
          () => outcomes.push('written'),
          (error: EvenkeelError) => outcomes.push(error.code),
        );
      });
      a.clock.pause();
      await clock.advance(60_000);
      a.clock.resume(new SeededRandom(seed));
      await clock.advance(0);
      expect({ seed, outcomes }).toEqual({ seed, outcomes: ['not-leading'] });
      expect(writes(server)).toEqual([]);
      expect(a.story.map(codeOf)).toEqual(['elected', 'leadership-lost']);
    }
  });

  it('checks again when the connection is established', async () => {
    const { clock, candidate } = setting();
    let last: TransportRequest | undefined;
    const fate = (request: TransportRequest): Fate => {
      last = request;
      return request.path.includes('/configmaps') ? { lost: 'request' } : {};
    };
    const a = candidate('a', { fate });
    await clock.advance(0);
    a.client.create(ConfigMap, map).catch(() => undefined);
    await clock.advance(0);
    const { beforeSend } = last as TransportRequest;
    expect(beforeSend).not.toThrow();
    a.clock.pause();
    await clock.advance(10_000);
    expect(beforeSend).toThrow('create configmaps default/x was not sent: this process no longer leads');
  });

  it('aborts active requests if the leadership is lost during a reconcile', async () => {
    const { clock, candidate } = setting();
    let away = false;
    const fate = (): Fate | Error => (away ? { lost: 'answer' } : {});
    const a = candidate('a', { fate });
    await clock.advance(0);
    away = true;
    const outcomes: unknown[] = [];
    a.client.create(ConfigMap, map).catch((error: unknown) => outcomes.push(codeOf(error)));
    await clock.advance(9999);
    expect(outcomes).toEqual([]);
    await clock.advance(1);
    expect(outcomes).toEqual(['leadership-lost']);
  });
});

describe('a stop', () => {
  it('releases the Lease, so that another candidate leads at its next attempt', async () => {
    const { clock, server, candidate } = setting();
    const a = candidate('a');
    await clock.advance(0);
    const b = candidate('b');
    await clock.advance(100);
    const stopped = a.election.stop(never);
    expect(a.election.mayBeginWriteFor).toBe(0);
    await clock.advance(0);
    await stopped;
    expect(server.lease?.spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
    expect(a.notes).toEqual(['Lease nginx: a became leader', 'Lease nginx: a stopped leading']);
    await clock.advance(4400);
    expect(b.story).toEqual(['elected']);
    expect(a.story).toEqual(['elected']);
  });

  it('releases it even if the response of an active renewal never arrives', async () => {
    const { clock, server, candidate } = setting();
    let fate: Fate = {};
    const a = candidate('a', { fate: () => fate });
    await clock.advance(1999);
    fate = { lost: 'answer' };
    await clock.advance(1);
    fate = {};
    const stopped = a.election.stop(never);
    await clock.advance(0);
    await stopped;
    expect(server.lease?.spec?.holderIdentity).toBe('');
  });

  it('releases it even if an active renewal arrives between its read and its write', async () => {
    const { clock, server, candidate } = setting();
    let fate: Fate = {};
    const a = candidate('a', { fate: ({ method }) => (method === 'GET' ? {} : fate) });
    await clock.advance(1999);
    fate = { thereMs: 10 };
    await clock.advance(1);
    fate = { thereMs: 20 };
    const stopped = a.election.stop(never);
    await clock.advance(20);
    expect(server.lease?.spec?.holderIdentity).toBe('a');
    await clock.advance(20);
    await stopped;
    expect(server.lease?.spec?.holderIdentity).toBe('');
    expect(a.logger.lines).toContain('released the lease');
  });

  it('gives up if the Lease changes each time before it is released', async () => {
    const { clock, server, candidate } = setting();
    let writes = 0;
    const fate = ({ method }: { method: string }): Fate => {
      if (method === 'GET' || writes++ < 1) return {};
      server.edit(server.lease?.spec);
      return {};
    };
    const a = candidate('a', { fate });
    await clock.advance(0);
    const stopped = a.election.stop(never);
    await clock.advance(0);
    await stopped;
    expect(writes).toBe(4);
    expect(a.logger.lines).toContain(
      'could not release the lease; the next leader waits for its end: update leases.coordination.k8s.io default/nginx: Conflict',
    );
  });

  it.each([
    ['releaseOnStop is false', { releaseOnStop: false }, never],
    ['aborted work may still write', {}, AbortSignal.abort()],
  ])('keeps it if %s, so that another candidate waits until it expires', async (_why, options, abort) => {
    const { clock, server, candidate } = setting();
    const a = candidate('a', options);
    await clock.advance(0);
    const b = candidate('b');
    await clock.advance(0);
    await a.election.stop(abort);
    expect(server.lease?.spec?.holderIdentity).toBe('a');
    await clock.advance(14_999);
    expect(b.story).toEqual([]);
    await clock.advance(1 + 4400);
    expect(b.story).toEqual(['elected']);
  });

  it('ends a candidate at once without changing the Lease', async () => {
    const { clock, server, candidate } = setting();
    candidate('a');
    await clock.advance(0);
    const b = candidate('b');
    await clock.advance(0);
    const { resourceVersion } = server.lease?.metadata ?? {};
    await b.election.stop(never);
    expect(b.story).toEqual(['not elected']);
    expect(server.lease?.metadata.resourceVersion).toBe(resourceVersion);
  });

  it('does not hang if the server is unreachable', async () => {
    const { clock, candidate } = setting();
    let fate: Fate = {};
    const a = candidate('a', { fate: () => fate });
    await clock.advance(0);
    fate = { lost: 'request' };
    let ended = false;
    const stopped = a.election.stop(never).then(() => {
      ended = true;
    });
    await clock.advance(9999);
    expect(ended).toBe(false);
    await clock.advance(1);
    await stopped;
    expect(a.logger.lines).toContain(
      'could not release the lease; the next leader waits for its end: no response in time',
    );
  });
});

describe('a candidate that steps in', () => {
  const requestIn = (server: LeaseServer) => server.lease?.metadata.annotations?.['evenkeel.dev/requested-by'];
  const stepIn = { stepIn: true };

  it('asks the leader, waits until it releases the Lease, and gives the Lease back', async () => {
    const { clock, server, candidate } = setting();
    const leader = candidate('leader');
    await clock.advance(0);
    const standby = candidate('standby');
    const run = candidate('run', stepIn);
    await clock.advance(0);
    expect(requestIn(server)).toBe('run');
    expect(server.lease?.spec?.holderIdentity).toBe('leader');
    await clock.advance(2000);
    expect(leader.story.map(codeOf)).toEqual(['elected', 'leadership-requested']);
    // It finishes its runs, which may write, and keeps the Lease meanwhile.
    await clock.advance(60_000);
    expect(leader.election.mayBeginWriteFor).toBeGreaterThan(5000);
    expect([run.story, standby.story]).toEqual([[], []]);
    void leader.election.stop(never);
    await clock.advance(4400);
    expect([run.story, standby.story]).toEqual([['elected'], []]);
    // The next process of the replica stands by, too.
    const next = candidate('next');
    await clock.advance(60_000);
    expect([requestIn(server), next.story]).toEqual(['run', []]);
    void run.election.stop(never);
    await clock.advance(0);
    expect([requestIn(server), server.lease?.spec?.holderIdentity]).toEqual([undefined, '']);
    await clock.advance(4400);
    expect([...standby.story, ...next.story]).toEqual(['elected']);
  });

  it('never takes a Lease that has not expired', async () => {
    const { clock, server, candidate } = setting();
    server.edit({ holderIdentity: 'old', leaseDurationSeconds: 15 });
    const run = candidate('run', stepIn);
    await clock.advance(14_999);
    expect(run.story).toEqual([]);
    expect(server.lease?.spec?.holderIdentity).toBe('old');
    await clock.advance(1 + 4400);
    expect(run.story).toEqual(['elected']);
  });

  it('creates the Lease if there is none', async () => {
    const { clock, server, candidate } = setting();
    const run = candidate('run', stepIn);
    await clock.advance(0);
    expect([run.story, requestIn(server)]).toEqual([['elected'], 'run']);
  });

  it('reports a leader that ignores the request, once', async () => {
    const { clock, server, candidate } = setting();
    const run = candidate('run', stepIn);
    for (let at = 0; at < 60; at++) {
      // An older version: it renews the Lease, and keeps annotations that it does not know.
      server.edit({ holderIdentity: 'old', leaseDurationSeconds: 15, renewTime: `2026-01-01T00:00:${at}Z` });
      await clock.advance(2000);
    }
    expect(run.story).toEqual([]);
    expect(run.logger.lines).toEqual([
      'standing by: another process leads',
      'requested the lease; the leader finishes its runs and releases it',
      'the leader has not released the lease: its runs take long, or its version ignores requests; to stop it, scale its Deployment to 0 replicas',
    ]);
  });

  it('waits until a process that has asked before is finished', async () => {
    const { clock, server, candidate } = setting();
    const first = candidate('first', stepIn);
    await clock.advance(0);
    const second = candidate('second', stepIn);
    await clock.advance(60_000);
    expect([first.story, second.story]).toEqual([['elected'], []]);
    expect(requestIn(server)).toBe('first');
    expect(second.logger.lines).toEqual([
      'standing by: another process leads',
      'standing by: another process has requested the lease',
    ]);
    void first.election.stop(never);
    await clock.advance(4400);
    expect(second.story).toEqual(['elected']);
  });

  it('blocks the others only for the duration of a Lease if it is killed', async () => {
    const { clock, server, candidate } = setting();
    const leader = candidate('leader');
    await clock.advance(0);
    const run = candidate('run', stepIn);
    await clock.advance(2000);
    run.clock.pause();
    void leader.election.stop(never);
    await clock.advance(0);
    const next = candidate('next');
    await clock.advance(14_999);
    expect(next.story).toEqual([]);
    await clock.advance(1 + 4400);
    expect(next.story).toEqual(['elected']);
    expect(requestIn(server)).toBeUndefined();
  });

  it('withdraws its request if it is stopped before it leads', async () => {
    const { clock, server, candidate } = setting();
    server.edit({ holderIdentity: 'old', leaseDurationSeconds: 15 });
    const run = candidate('run', stepIn);
    await clock.advance(0);
    expect(requestIn(server)).toBe('run');
    void run.election.stop(never);
    await clock.advance(0);
    expect(requestIn(server)).toBeUndefined();
    expect(server.lease?.spec?.holderIdentity).toBe('old');
  });

  it('fails if it may not change the Lease, with the fix', async () => {
    const { clock, server, candidate } = setting();
    server.edit({ holderIdentity: 'old', leaseDurationSeconds: 15 });
    const fate = ({ method }: TransportRequest): Fate => (method === 'PUT' ? { status: 403 } : {});
    const run = candidate('run', { ...stepIn, fate });
    await clock.advance(0);
    expect(run.story.map(codeOf)).toEqual(['lease-forbidden', 'not elected']);
    expect(String(run.story[0])).toContain(
      'cannot request the lease default/nginx: update leases.coordination.k8s.io default/nginx: Forbidden; grant get, create and update on leases of coordination.k8s.io in default, or use another kubeconfig',
    );
    await run.election.stop(never);
    expect(clock.pending).toBe(0);
  });
});

describe('several candidates', () => {
  it('lead one after another within the time of the rules', async () => {
    const { clock, candidate } = setting();
    const a = candidate('a');
    await clock.advance(3000);
    const b = candidate('b');
    a.clock.pause();
    // Renewed at 2000, seen by b at 3000.
    await clock.advance(14_999);
    expect(b.story).toEqual([]);
    await clock.advance(1 + 4400);
    expect(b.story).toEqual(['elected']);
    a.clock.resume(new SeededRandom(1));
    await clock.advance(0);
    expect(a.election.mayBeginWriteFor).toBe(0);
  });

  const total = { steppedIn: 0, steppedAside: 0 };
  afterAll(() => {
    // The models would otherwise not have tested it.
    expect(total.steppedIn).toBeGreaterThan(25);
    expect(total.steppedAside).toBeGreaterThan(10);
  });

  // A model with one true clock. Each seed simulates ten minutes of pauses, and of slow and lost requests.
  it.each(Array.from({ length: 25 }, (_, at) => at + 1))(
    'never let two processes write at the same time (seed %i)',
    async (seed) => {
      const { clock, server, random, candidate } = setting(seed);
      const pauseFor = (one: Candidate | undefined, ms: number): void => {
        one?.clock.pause();
        clock.schedule(ms, () => one?.clock.resume(random));
      };
      const living: Candidate[] = [];
      const join = (identity: string): void => {
        const fate = (): Fate | Error => {
          const chance = random.next();
          if (chance < 0.05) return { lost: 'request' };
          if (chance < 0.1) return { lost: 'answer' };
          if (chance < 0.13) return new Error('ECONNREFUSED');
          // The worst moment: the request was executed, and its sender is paused.
          if (chance < 0.18) pauseFor(self, random.integer(30_000));
          const slow = random.next() < 0.1 ? 8000 : 200;
          return { thereMs: random.integer(slow), backMs: random.integer(slow) };
        };
        const stepIn = random.next() < 0.3;
        const self: Candidate = candidate(identity, { fate, stepIn });
        if (stepIn) steppingIn.add(identity);
        living.push(self);
      };
      /** The managers of leaders that are asked to step aside drain for a while. */
      const drain = (one: Candidate): void => {
        draining.add(one);
        clock.schedule(random.integer(30_000), () => void one.election.stop(never));
      };
      const steppingIn = new Set<string>();
      const draining = new Set<Candidate>();
      const leaders = new Set<string>();
      let made = 0;
      for (let step = 0; step < 1200; step++) {
        while (living.length < 3) join(`c${++made}`);
        const at = random.integer(living.length);
        const chance = random.next();
        if (chance < 0.02) pauseFor(living[at], random.integer(40_000));
        else if (chance < 0.03) void living.splice(at, 1)[0]?.election.stop(never);
        await clock.advance(1 + random.integer(1000));
        const writing = living.filter(({ election }) => election.mayBeginWriteFor > 0);
        if (writing.length > 1) throw new Error(`seed ${seed}, step ${step}: ${writing.length} lead at once`);
        if (writing.length === 1) leaders.add(String(server.lease?.spec?.holderIdentity));
        for (const one of living) {
          const isAsked = one.story.some((event) => codeOf(event) === 'leadership-requested');
          if (isAsked && !draining.has(one)) drain(one);
        }
        // A process that has lost or has stopped is started again.
        for (const one of [...living]) {
          const { role } = one.election.state;
          if (role === 'lost' || (role === 'stopped' && draining.has(one))) living.splice(living.indexOf(one), 1);
        }
      }
      total.steppedIn += [...leaders].filter((leader) => steppingIn.has(leader)).length;
      total.steppedAside += draining.size;
      // An election without leaders would also be safe.
      expect(leaders.size).toBeGreaterThan(4);
    },
  );
});
