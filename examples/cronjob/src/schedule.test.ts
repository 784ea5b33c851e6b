import { Schedule } from './schedule.ts';

const starts = (expression: string, timeZone: string, after: string, count: number): string[] => {
  const schedule = new Schedule(expression, timeZone);
  const found: string[] = [];
  let last = new Date(after);
  while (found.length < count) {
    last = schedule.next(last);
    found.push(last.toISOString().slice(0, 16));
  }
  return found;
};

describe('Schedule', () => {
  it('returns starts after a time, not at it', () => {
    expect(starts('*/15 9 * * 1-5', 'Etc/UTC', '2026-01-02T09:15:00Z', 4)).toEqual([
      '2026-01-02T09:30',
      '2026-01-02T09:45',
      '2026-01-05T09:00',
      '2026-01-05T09:15',
    ]);
    expect(starts('@monthly', 'Etc/UTC', '2026-01-02T00:00:00Z', 1)).toEqual(['2026-02-01T00:00']);
  });

  it('uses its time zone, also on days when the clocks change', () => {
    // 02:30 does not exist on 29 March, and occurs twice on 25 October.
    expect(starts('30 2 * * *', 'Europe/Berlin', '2026-03-28T02:00:00Z', 2)).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ]);
    expect(starts('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
  });

  it('returns the latest start within a period, including its end', () => {
    const schedule = new Schedule('0 * * * *', 'Etc/UTC');
    const due = (after: string, until: string) => schedule.due(new Date(after), new Date(until));
    const latest = new Date('2026-01-01T03:00:00Z');
    expect(due('2026-01-01T00:30:00Z', '2026-01-01T03:00:00Z')).toEqual({ latest, tooMany: false });
    expect(due('2026-01-01T03:00:00Z', '2026-01-01T03:59:59Z')).toBeUndefined();
    expect(due('2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z')).toBeUndefined();
  });

  it('limits the number of counted starts', () => {
    const schedule = new Schedule('* * * * *', 'Etc/UTC');
    const until = new Date('2026-01-01T12:00:30Z');
    const hundred = new Date('2026-01-01T10:20:00Z');
    const latest = new Date('2026-01-01T12:00:00Z');
    expect(schedule.due(hundred, until)).toEqual({ latest, tooMany: false });
    expect(schedule.due(new Date(hundred.getTime() - 1), until)).toEqual({ latest, tooMany: true });
    expect(schedule.due(new Date(0), until)).toEqual({ latest, tooMany: true });
  });

  it.each([
    ['61 * * * *', 'Etc/UTC', /minute: 61/],
    ['* * * * * *', 'Etc/UTC', /exactly 5 parts/],
    ['@reboot', 'Etc/UTC', /not supported/],
    ['0 0 31 2 *', 'Etc/UTC', /^"0 0 31 2 \*" is a date that never occurs$/],
    ['* * * * *', 'Mars/Olympus', /Mars\/Olympus/],
  ])('rejects %s in %s', (expression, timeZone, message) => {
    expect(() => new Schedule(expression, timeZone)).toThrow(message);
  });
});
