import { ManualClock } from '@evenkeel/core';
import type { CacheUsage } from '../cache/index.ts';
import type { ControllerState } from '../controller/running-controller.ts';
import type { ElectionState } from '../election/leader-election.ts';
import { type HealthFacts, managerHealth, ServerAnswers } from './manager-health.ts';

const minuteMs = 60_000;

const controller = {
  name: 'website',
  synced: true,
  sources: [{ name: 'websites.example.com', synced: true, problem: undefined, degraded: false }],
  running: [],
  looping: [],
  lastRunAt: undefined,
} as unknown as ControllerState;

type Watch = CacheUsage['watches'][number];

const watch: Watch = {
  namespace: undefined,
  synced: true,
  current: true,
  problem: undefined,
  lastHeardMs: 0,
  lastProgressMs: 0,
  lastBookmarkMs: undefined,
  lists: 1,
  restarts: 0,
  restartsUnheard: 0,
};

/** The health after some minutes, in each of which the server has responded to a request. */
async function healthAfter(minutes: number, watches: readonly Partial<Watch>[], facts: Partial<HealthFacts> = {}) {
  const clock = new ManualClock();
  const answers = new ServerAnswers(clock);
  await clock.advance(minutes * minuteMs);
  answers.observer({ request: undefined as never, status: 200, attempts: 1, durationMs: 1 });
  const usage: CacheUsage = {
    resource: 'websites.example.com',
    metadataOnly: false,
    objects: 3,
    bytes: 300,
    watches: watches.map((known) => ({ ...watch, ...known })),
  };
  return managerHealth({
    controllers: [controller],
    usage: [usage],
    lateWrites: 0,
    answers,
    leadership: undefined,
    eventLoop: undefined,
    clock,
    ...facts,
  });
}

describe('managerHealth()', () => {
  it('reports the age of the data of each watch, and the cached objects without internal times', async () => {
    const times = { lastHeardMs: 9 * minuteMs, lastProgressMs: 8 * minuteMs, lastBookmarkMs: 7 * minuteMs };
    const health = await healthAfter(10, [times, { namespace: 'b', lastHeardMs: 10 * minuteMs, restarts: 2 }]);
    expect(health).toMatchObject({ ready: true, live: true, problems: [] });
    const common = { resource: 'websites.example.com', metadataOnly: false, synced: true, problem: undefined };
    expect(health.watches).toEqual([
      {
        ...common,
        namespace: undefined,
        heardAgeMs: minuteMs,
        progressAgeMs: 2 * minuteMs,
        bookmarkAgeMs: 3 * minuteMs,
        restarts: 0,
      },
      {
        ...common,
        namespace: 'b',
        heardAgeMs: 0,
        progressAgeMs: 10 * minuteMs,
        bookmarkAgeMs: undefined,
        restarts: 2,
      },
    ]);
    expect(health.cached).toEqual([{ resource: 'websites.example.com', metadataOnly: false, objects: 3, bytes: 300 }]);
  });

  it('is live but not ready if a source is degraded', async () => {
    const source = { ...controller.sources[0], problem: 'cannot watch', degraded: true } as never;
    const health = await healthAfter(1, [], { controllers: [{ ...controller, sources: [source] }] });
    expect(health).toMatchObject({ ready: false, live: true, problems: ['controller website cannot watch'] });
  });

  it('is not live if a watch has received nothing for ten minutes despite three restarts', async () => {
    expect(await healthAfter(10, [{ restarts: 7, restartsUnheard: 6 }])).toMatchObject({ live: true });
    expect(await healthAfter(10.1, [{ restarts: 7, restartsUnheard: 6, namespace: 'a' }])).toMatchObject({
      live: false,
      problems: [
        'the watch of websites.example.com in a has received nothing for 606 s, although it was restarted 6 times and the API server responds to other requests; restart this process',
      ],
    });
  });

  it('is live if a silent watch had fewer restarts, for example after a long pause of the machine', async () => {
    expect(await healthAfter(19, [{ restarts: 9, restartsUnheard: 1 }])).toMatchObject({ live: true });
    expect(await healthAfter(21, [{ restarts: 9, restartsUnheard: 1 }])).toMatchObject({ live: false });
  });

  it('is live as long as the server does not respond to any request', async () => {
    const clock = new ManualClock();
    const answers = new ServerAnswers(clock);
    answers.observer({ request: undefined as never, status: 200, attempts: 1, durationMs: 1 });
    await clock.advance(24 * 60 * minuteMs);
    answers.observer({ request: undefined as never, status: undefined, attempts: 1, durationMs: 1 });
    expect(await healthAfter(0, [{ restartsUnheard: 500 }], { clock, answers })).toMatchObject({
      live: true,
      problems: [],
    });
  });

  it('is neither ready nor live if the Lease was lost, and live if the Lease is unreachable', async () => {
    const state = (role: ElectionState['role'], problem?: string): ElectionState =>
      ({ role, holder: undefined, problem }) as ElectionState;
    expect(await healthAfter(0, [], { leadership: state('lost') })).toMatchObject({ ready: false, live: false });
    expect(await healthAfter(0, [], { leadership: state('candidate', 'no answer') })).toMatchObject({
      ready: false,
      live: true,
      problems: ['no answer'],
    });
  });
});
