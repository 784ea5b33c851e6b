import { Cron } from 'croner';

/** More missed starts than this are not counted: where a clock was off by years there would be millions. */
const mostMissedStarts = 100;

/** The starts that came within a span of time. */
export interface DueStarts {
  readonly latest: Date;
  /** Whether they are more than anybody meant to miss. */
  readonly tooMany: boolean;
}

/** The times that a cron expression names, in whole minutes. */
export class Schedule {
  readonly #cron: Cron;

  /** Throws where the expression or the time zone is none, and where the day it names never comes. */
  constructor(expression: string, timeZone: string) {
    // Without a function to call it starts no timer. Five fields: no seconds, and no single date.
    this.#cron = new Cron(expression, { mode: '5-part', timezone: timeZone });
    this.next(new Date(0));
  }

  /** The first start after a moment. */
  next(after: Date): Date {
    const next = this.#cron.nextRun(after);
    if (next === null) throw new Error(`the day that "${this.#cron.getPattern()}" names never comes`);
    return next;
  }

  /** The starts after one moment and until another; undefined where there are none. */
  due(after: Date, until: Date): DueStarts | undefined {
    let latest: Date | undefined;
    let count = 0;
    for (let start = this.next(after); start <= until; start = this.next(start)) {
      count += 1;
      if (count > mostMissedStarts) return { latest: this.#last(until) ?? start, tooMany: true };
      latest = start;
    }
    return latest && { latest, tooMany: false };
  }

  /** The last start until a moment. */
  #last(until: Date): Date | undefined {
    return this.#cron.previousRuns(1, new Date(until.getTime() + 1))[0];
  }
}
