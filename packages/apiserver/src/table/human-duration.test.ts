import { humanDuration } from './human-duration.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

describe('humanDuration', () => {
  it.each([
    [-3 * second, '<invalid>'],
    [-1.5 * second, '0s'],
    [-0.2 * second, '0s'],
    [0, '0s'],
    [59.9 * second, '59s'],
    [119 * second, '119s'],
    [2 * minute, '2m'],
    [2 * minute + 3 * second, '2m3s'],
    [10 * minute + 59 * second, '10m'],
    [179 * minute, '179m'],
    [3 * hour, '3h'],
    [7 * hour + 59 * minute, '7h59m'],
    [47 * hour, '47h'],
    [2 * day, '2d'],
    [7 * day + 23 * hour, '7d23h'],
    [8 * day + 5 * hour, '8d'],
    [2 * year - hour, '729d'],
    [2 * year + day, '2y1d'],
    [8 * year + 30 * day, '8y'],
  ])('formats %d ms as %s', (milliseconds, text) => {
    expect(humanDuration(milliseconds)).toBe(text);
  });
});
