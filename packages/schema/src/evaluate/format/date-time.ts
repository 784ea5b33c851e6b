/** A valid calendar date, `2026-02-28`. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  return month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const timeOfDay = /^(\d{2}):(\d{2}):(\d{2})(?:[^\n]\d+)?(?:z|[+-]\d{2}:\d{2})$/u;

/**
 * A date, a `T` and a time with a zone. As upstream (kube-openapi pkg/validation/strfmt/time.go), it accepts any character
 * before the fraction, rejects leap seconds, and ignores everything after a second `T`.
 */
export function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t', 2);
  const match = isDate(date) ? timeOfDay.exec(time) : null;
  if (match === null) return false;
  const [hour = '', minute = '', second = ''] = match.slice(1);
  return hour <= '23' && minute <= '59' && second <= '59';
}
