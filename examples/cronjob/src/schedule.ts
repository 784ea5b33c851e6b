import { Cron } from 'croner';

/** The maximum number of missed starts to count: if a clock was off by years, there would be millions. */
const mostMissedStarts = 100;

/** The starts within a period. */
export interface DueStarts {
  readonly latest: Date;
  /** Whether there are too many, so that a mistake is likely. */
  readonly tooMany: boolean;
}

/** The time zone of a schedule without one. */
export const defaultTimeZone = 'Etc/UTC';

/** The times of a cron expression, in whole minutes. */
export class Schedule {
  readonly #cron: Cron;

  /** Throws for an invalid expression or time zone, and for a date that never occurs. */
  constructor(expression: string, timeZone = defaultTimeZone) {
    // Without a callback, it starts no timer. Five fields: no seconds, and no single dates.
    this.#cron = new Cron(expression, { mode: '5-part', timezone: timeZone });
    this.next(new Date(0));
  }

  /** Returns the first start after a time. */
  next(after: Date): Date {
    const next = this.#cron.nextRun(after);
    if (next === null) throw new Error(`"${this.#cron.getPattern()}" is a date that never occurs`);
    return next;
  }

  /** Returns the starts after one time and until another; undefined if there are none. */
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

  /** Returns the last start until a time. */
  #last(until: Date): Date | undefined {
    return this.#cron.previousRuns(1, new Date(until.getTime() + 1))[0];
  }
}

/** Returns why an expression is invalid; undefined if it is valid. */
export function expressionProblem(expression: string): string | undefined {
  return problemOf(() => new Schedule(expression));
}

export function isTimeZone(name: string): boolean {
  return problemOf(() => new Schedule('* * * * *', name)) === undefined;
}

function problemOf(create: () => Schedule): string | undefined {
  try {
    create();
    return undefined;
  } catch (error) {
    // Without the name of croner's class.
    return (error as Error).message.replace(/^Cron[A-Za-z]*: /, '');
  }
}
