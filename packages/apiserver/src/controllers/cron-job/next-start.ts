import type { CronFields, CronSchedule } from '../../strategy/batch/cron-schedule.ts';
import type { TimeZone } from './time-zone.ts';

const secondMs = 1000;
const minuteMs = 60_000;
const hourMs = 3_600_000;

/**
 * The first start of a schedule after a time; undefined if there is none within five years, such as for 31 February. At
 * transitions of the time zone, it is the start that upstream's library returns (robfig/cron 3.0.1, `spec.go` and
 * `constantdelay.go`): a start in the gap is skipped.
 */
export function nextStart(schedule: CronSchedule, afterMs: number, zone: TimeZone): number | undefined {
  const wholeMs = Math.floor(afterMs / secondMs) * secondMs;
  if ('everyMs' in schedule) return wholeMs + schedule.everyMs;
  const { minutes, hours, days, months, weekdays } = schedule;
  // A field such as "," is valid and selects nothing. The search would try every minute of five years.
  if ([minutes, hours, days, months, weekdays].some(({ size }) => size === 0)) return undefined;
  return new Search(schedule, wholeMs + secondMs, zone).start();
}

/** Moves forward field by field until all fields match. */
class Search {
  readonly #fields: CronFields;
  readonly #zone: TimeZone;
  #ms: number;
  /** Whether the time was moved. Its smaller fields are then at their start. */
  #isMoved = false;

  constructor(fields: CronFields, fromMs: number, zone: TimeZone) {
    this.#fields = fields;
    this.#zone = zone;
    this.#ms = fromMs;
  }

  start(): number | undefined {
    const lastYear = this.#wall.getUTCFullYear() + 5;
    while (this.#wall.getUTCFullYear() <= lastYear) {
      // A field that starts again changes the fields before it, which then must be matched again.
      if (!(this.#matchMonth() && this.#matchDay() && this.#matchHour() && this.#matchMinute())) continue;
      const surplusMs = this.#ms % minuteMs;
      if (surplusMs === 0) return this.#ms;
      this.#isMoved = true;
      this.#ms += minuteMs - surplusMs;
    }
    return undefined;
  }

  /** The methods that match a field return false if it started again. */
  #matchMonth(): boolean {
    while (!this.#fields.months.has(this.#wall.getUTCMonth() + 1)) {
      if (!this.#isMoved) this.#moveTo(Date.UTC(this.#wall.getUTCFullYear(), this.#wall.getUTCMonth()));
      this.#addDate(1, 0);
      if (this.#wall.getUTCMonth() === 0) return false;
    }
    return true;
  }

  #matchDay(): boolean {
    while (!this.#isDay()) {
      if (!this.#isMoved) this.#moveTo(Math.floor(this.#wall.getTime() / (24 * hourMs)) * 24 * hourMs);
      this.#addDate(0, 1);
      // Midnight may not exist on the day of a transition.
      const hour = this.#wall.getUTCHours();
      if (hour !== 0) this.#ms += (hour > 12 ? 24 - hour : -hour) * hourMs;
      if (this.#wall.getUTCDate() === 1) return false;
    }
    return true;
  }

  #matchHour(): boolean {
    while (!this.#fields.hours.has(this.#wall.getUTCHours())) {
      if (!this.#isMoved) this.#moveTo(Math.floor(this.#wall.getTime() / hourMs) * hourMs);
      this.#ms += hourMs;
      if (this.#wall.getUTCHours() === 0) return false;
    }
    return true;
  }

  #matchMinute(): boolean {
    while (!this.#fields.minutes.has(this.#wall.getUTCMinutes())) {
      this.#isMoved = true;
      this.#ms = (Math.floor(this.#ms / minuteMs) + 1) * minuteMs;
      if (this.#wall.getUTCMinutes() === 0) return false;
    }
    return true;
  }

  #isDay(): boolean {
    const { days, weekdays, needsBothDays } = this.#fields;
    const isDay = days.has(this.#wall.getUTCDate());
    const isWeekday = weekdays.has(this.#wall.getUTCDay());
    return needsBothDays ? isDay && isWeekday : isDay || isWeekday;
  }

  get #wall(): Date {
    return this.#zone.wallClock(this.#ms);
  }

  #moveTo(wallMs: number): void {
    this.#isMoved = true;
    this.#ms = this.#zone.timeOf(wallMs);
  }

  /** Adds to the wall clock, as Go's `AddDate`. */
  #addDate(months: number, days: number): void {
    const wall = this.#wall;
    wall.setUTCMonth(wall.getUTCMonth() + months, wall.getUTCDate() + days);
    this.#ms = this.#zone.timeOf(wall.getTime());
  }
}
