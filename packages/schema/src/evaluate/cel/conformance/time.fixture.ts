import type { ConformanceRow } from './subject.fixture.ts';

/** Timestamps and durations. */
export const time: readonly ConformanceRow[] = [
  ["self.dt < timestamp('2025-01-01T00:00:00Z')", true, 3, 4],
  ["self.date < timestamp('2025-01-01T00:00:00Z')", true, 3, 4],
  ['self.date.getFullYear() == 2024', true, 4, 4],
  ['self.date.getMonth() == 1', true, 4, 4],
  ['self.date.getDate() == 29', true, 4, 4],
  ['self.date.getDayOfMonth() == 28', true, 4, 4],
  ['self.date.getDayOfYear() == 59', true, 4, 4],
  ['self.date.getDayOfWeek() == 4', true, 4, 4],
  ['self.dt.getHours() == 10', true, 4, 4],
  ["self.dt.getHours('+02:00') == 12", true, 4, 4],
  ["self.dt.getHours('-02:30') == 8", true, 4, 4],
  ["self.dt.getMinutes('-02:30') == 4", true, 4, 4],
  ["self.dt.getHours('America/New_York') == 6", true, 4, 4],
  ["self.dt.getHours('Nope/Nope') == 6", 'unknown time zone Nope/Nope', null, 4],
  ["self.dt.getHours('02:00') == 12", true, 4, 4],
  ['self.dt.getMinutes() == 34', true, 4, 4],
  ['self.dt.getSeconds() == 56', true, 4, 4],
  ['self.dt.getMilliseconds() == 789', true, 4, 4],
  ["self.dt.getDate('Asia/Tokyo') == 10", true, 4, 4],
  ["self.dt.getDayOfWeek('Pacific/Auckland') == 0", true, 4, 4],
  ["self.dur == duration('90m')", true, 3, 4],
  ["self.dur > duration('1h')", true, 3, 4],
  ['self.dur.getHours() == 1', true, 4, 4],
  ['self.dur.getMinutes() == 90', true, 4, 4],
  ['self.dur.getSeconds() == 5400', true, 4, 4],
  ['self.dur.getMilliseconds() == 5400000', true, 4, 4],
  ["duration('1s') + duration('1s') == duration('2s')", true, 2, 5],
  ["duration('2s') - duration('1s') == duration('1s')", true, 2, 5],
  ['self.dt + self.dur > self.dt', true, 8, 8],
  ['self.dur + self.dt > self.dt', true, 8, 8],
  ['self.dt - self.dur < self.dt', true, 8, 8],
  ["self.dt - self.dt == duration('0s')", true, 6, 7],
  ["duration('1h1m1.5s') == duration('3661.5s')", true, 1, 3],
  [
    "duration('x') == duration('1s')",
    { refused: "ERROR: <input>:1:10: invalid duration argument\n | duration('x') == duration('1s')\n | .........^" },
  ],
  ["duration(self.s) == duration('1s')", "type conversion error from 'string' to 'google.protobuf.Duration'", null, 5],
  [
    "timestamp('x') == timestamp(1)",
    { refused: "ERROR: <input>:1:11: invalid timestamp argument\n | timestamp('x') == timestamp(1)\n | ..........^" },
  ],
  ["timestamp(0) == timestamp('1970-01-01T00:00:00Z')", true, 1, 3],
  [
    'timestamp(253402300800) == timestamp(0)',
    {
      refused:
        'ERROR: <input>:1:11: invalid timestamp argument\n | timestamp(253402300800) == timestamp(0)\n | ..........^',
    },
  ],
  ["int(timestamp('1970-01-01T00:01:00Z')) == 60", true, 1, 3],
  ["int(duration('1s')) == 1000000000", true, 1, 3],
  ["timestamp('2023-01-01T00:00:00.123456789Z').getMilliseconds() == 123", true, 2, 3],
  ["timestamp('9999-12-31T23:59:59Z') + duration('1s') == timestamp(0)", 'timestamp overflow', null, 5],
  ["duration('9223372036s') + duration('9223372036s') == duration('1s')", 'integer overflow', null, 5],
  [
    "-duration('1s') == duration('-1s')",
    {
      refused:
        "ERROR: <input>:1:1: found no matching overload for '-_' applied to '(duration)'\n | -duration('1s') == duration('-1s')\n | ^",
    },
  ],
  [
    "duration(1000000000) == duration('1s')",
    {
      refused:
        "ERROR: <input>:1:10: invalid duration argument\n | duration(1000000000) == duration('1s')\n | .........^",
    },
  ],
  ["duration('1.5h').getMinutes() == 90", true, 2, 3],
  ["duration('-1.5h').getHours() == -1", true, 2, 3],
  ["duration('1us') < duration('1ms')", true, 1, 3],
];
