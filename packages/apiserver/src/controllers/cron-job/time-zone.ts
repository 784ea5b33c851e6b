/** The offset that Intl prints for a time: `GMT`, `GMT-04:00` or, for old times, `GMT-04:56:02`. */
const offsetName = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

const dayMs = 86_400_000;
/** The most days whose offset a zone remembers. */
const daysMax = 4096;

/** Converts between times and the wall clock of one time zone, as Go's package `time` does. */
export class TimeZone {
  static readonly utc = new TimeZone(undefined);
  static readonly #byName = new Map<string, TimeZone>();
  /** Undefined for UTC, which needs no conversion. */
  readonly #format: Intl.DateTimeFormat | undefined;
  /** The offsets at midnight in UTC. */
  readonly #offsetOfDays = new Map<number, number>();

  private constructor(name: string | undefined) {
    if (name === undefined) return;
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  }

  /** Returns the zone of an IANA name such as `Europe/Berlin`; undefined if it is unknown. */
  static named(name: string): TimeZone | undefined {
    let zone = TimeZone.#byName.get(name);
    if (zone !== undefined) return zone;
    try {
      zone = name === 'UTC' ? TimeZone.utc : new TimeZone(name);
    } catch {
      return undefined;
    }
    TimeZone.#byName.set(name, zone);
    return zone;
  }

  /** The wall clock at a time: a Date whose UTC fields it is. */
  wallClock(ms: number): Date {
    return new Date(ms + this.#offsetMs(ms));
  }

  /**
   * The time at which the wall clock shows this time, given as its UTC time. In the gap or the overlap of a transition, it
   * is the time that `time.Date` returns.
   */
  timeOf(wallMs: number): number {
    const offsetMs = this.#offsetMs(wallMs);
    return offsetMs === 0 ? wallMs : wallMs - this.#offsetMs(wallMs - offsetMs);
  }

  /** The time with its offset, in RFC 3339 and whole seconds: `2026-03-08T00:00:00-05:00`. */
  rfc3339(ms: number): string {
    const text = this.wallClock(ms).toISOString().slice(0, 19);
    const minutes = Math.trunc(this.#offsetMs(ms) / 60_000);
    if (minutes === 0) return `${text}Z`;
    const twoDigits = (number: number): string => String(number).padStart(2, '0');
    const size = Math.abs(minutes);
    return `${text}${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
  }

  #offsetMs(ms: number): number {
    const day = Math.floor(ms / dayMs);
    const offsetMs = this.#offsetOfDay(day);
    // Intl takes several microseconds for each time, so it is asked about single times only on the day of a transition.
    return offsetMs === this.#offsetOfDay(day + 1) ? offsetMs : this.#exactOffsetMs(ms);
  }

  #offsetOfDay(day: number): number {
    let offsetMs = this.#offsetOfDays.get(day);
    if (offsetMs === undefined) {
      if (this.#offsetOfDays.size >= daysMax) this.#offsetOfDays.clear();
      offsetMs = this.#exactOffsetMs(day * dayMs);
      this.#offsetOfDays.set(day, offsetMs);
    }
    return offsetMs;
  }

  #exactOffsetMs(ms: number): number {
    if (this.#format === undefined) return 0;
    const name = this.#format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours, minutes, seconds] = offsetName.exec(name) ?? [];
    if (sign === undefined) return 0;
    const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0)) * 1000;
    return sign === '-' ? -size : size;
  }
}
