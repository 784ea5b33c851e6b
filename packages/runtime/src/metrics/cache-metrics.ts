import type { Clock } from '@evenkeel/core';
import type { CacheUsage } from '../cache/cache.ts';
import type { CollectedSample, MetricsRegistry } from './metrics-registry.ts';

/** What a scrape asks of the caches. */
export interface MeasuredCaches {
  readonly usage: readonly CacheUsage[];
  /** Own writes that no cache had seen in time. */
  readonly late: number;
}

/**
 * What the caches hold, and how old it may be: one series for each kind and form (`whole` or `metadata`), whose watches are
 * taken together, the oldest for its age.
 */
export function addCacheMetrics(registry: MetricsRegistry, clock: Clock, caches: MeasuredCaches): void {
  const collect = (
    type: 'counter' | 'gauge',
    name: string,
    help: string,
    read: (usages: readonly CacheUsage[]) => number | undefined,
  ): void =>
    registry.collected({ type, name: `evenkeel_informer_${name}`, help, labels: ['resource', 'form'] }, () =>
      byKindAndForm(caches.usage).flatMap((usages): CollectedSample[] => {
        const [{ resource = '', metadataOnly = false } = {}] = usages;
        const value = read(usages);
        return value === undefined ? [] : [{ labels: { resource, form: metadataOnly ? 'metadata' : 'whole' }, value }];
      }),
    );
  const oldest = (times: readonly (number | undefined)[]): number | undefined => {
    const known = times.filter((time) => time !== undefined);
    return known.length === 0 ? undefined : Math.max(0, clock.monotonic() - Math.min(...known)) / 1000;
  };
  collect('gauge', 'objects', 'Objects that are cached', (usages) => sum(usages.map(({ objects }) => objects)));
  collect('gauge', 'bytes', 'About how much memory the cached objects take', (usages) =>
    sum(usages.map(({ bytes }) => bytes)),
  );
  collect('gauge', 'synced', 'Whether all that was there has been seen once', (usages) =>
    watchesOf(usages).every(({ synced }) => synced) ? 1 : 0,
  );
  collect(
    'gauge',
    'progress_age_seconds',
    'How long ago an event, a bookmark or a list last came; absent before the first',
    (usages) => oldest(watchesOf(usages).map(({ lastProgressMs }) => lastProgressMs)),
  );
  collect(
    'gauge',
    'bookmark_age_seconds',
    'How long ago the last bookmark came, of which servers send one a minute; absent before the first',
    (usages) => oldest(watchesOf(usages).map(({ lastBookmarkMs }) => lastBookmarkMs)),
  );
  collect('counter', 'relists_total', 'How often all objects were asked for again after the first time', (usages) =>
    sum(watchesOf(usages).map(({ lists }) => Math.max(0, lists - 1))),
  );
  collect('counter', 'restarts_total', 'Watches that were given up because nothing came on them', (usages) =>
    sum(watchesOf(usages).map(({ restarts }) => restarts)),
  );
  registry.collected(
    {
      type: 'counter',
      name: 'evenkeel_late_writes_total',
      help: 'Own writes that the cache had not seen after 5 s, so that the next reconcile went on without them',
    },
    () => [{ value: caches.late }],
  );
}

function byKindAndForm(usage: readonly CacheUsage[]): CacheUsage[][] {
  const groups = Object.groupBy(usage, ({ resource, metadataOnly }) => `${resource} ${metadataOnly}`);
  return Object.values(groups).flatMap((group) => (group === undefined ? [] : [group]));
}

function watchesOf(usages: readonly CacheUsage[]): CacheUsage['watches'] {
  return usages.flatMap(({ watches }) => watches);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
