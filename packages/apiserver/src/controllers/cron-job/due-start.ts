import type { CronJob } from '@evenkeel/kinds';
import type { CronSchedule } from '../../strategy/batch/cron-schedule.ts';
import { nextStart } from './next-start.ts';
import type { TimeZone } from './time-zone.ts';

/** Upstream's tolerance for clocks that differ (`nextScheduleDelta`). */
const delayMs = 100;

/** If more starts than this were missed, a mistake is likely. */
const mostMissedStarts = 100;

/** The schedule of a CronJob in its time zone. */
export interface ZonedSchedule {
  readonly schedule: CronSchedule;
  readonly zone: TimeZone;
}

/** What a CronJob missed until now. */
export interface MissedStarts {
  /** The last start before this time is known. */
  readonly sinceMs: number;
  /** The last missed start; undefined if there is none. */
  readonly latestMs: number | undefined;
  readonly count: 'none' | 'few' | 'too many';
}

/**
 * The starts that a CronJob missed. Undefined if the schedule has no starts, such as 31 February.
 * Source: `mostRecentScheduleTime`, `pkg/controller/cronjob/utils.go`; the number is as inexact as there.
 */
export function missedStarts(
  { metadata, spec, status }: CronJob,
  nowMs: number,
  { schedule, zone }: ZonedSchedule,
  deadline: 'with deadline' | 'without deadline',
): MissedStarts | undefined {
  let sinceMs = Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp ?? '');
  if (deadline === 'with deadline' && spec?.startingDeadlineSeconds !== undefined) {
    sinceMs = Math.max(sinceMs, nowMs - spec.startingDeadlineSeconds * 1000);
  }
  const first = nextStart(schedule, sinceMs, zone);
  if (first === undefined) return undefined;
  if (nowMs < first) return { sinceMs, latestMs: undefined, count: 'none' };
  const second = nextStart(schedule, first, zone);
  if (second === undefined) return undefined;
  if (nowMs < second) return { sinceMs, latestMs: first, count: 'none' };
  const periodMs = second - first;
  const number = Math.floor((nowMs - first) / periodMs) + 1;
  let latestMs: number | undefined;
  // One period earlier, because the periods of a schedule may differ.
  let start = nextStart(schedule, first + (number - 2) * periodMs, zone);
  while (start !== undefined && start <= nowMs) {
    latestMs = start;
    start = nextStart(schedule, start, zone);
  }
  return { sinceMs, latestMs, count: number > mostMissedStarts ? 'too many' : 'few' };
}

/** The delay until the next sync. Source: `nextScheduleTimeDuration`. */
export function untilNextStartMs(cronJob: CronJob, nowMs: number, zoned: ZonedSchedule): number | undefined {
  const missed = missedStarts(cronJob, nowMs, zoned, 'without deadline');
  const afterMs = missed?.latestMs ?? (missed?.count === 'none' ? missed.sinceMs : nowMs);
  const next = nextStart(zoned.schedule, afterMs, zoned.zone);
  return next === undefined ? undefined : Math.max(0, next + delayMs - nowMs);
}
