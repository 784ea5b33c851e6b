/** A count, or a percentage of a total, which is rounded by `round`. Source: `GetScaledValueFromIntOrPercent`. */
export function scaledValue(
  value: number | string | undefined,
  total: number,
  round: (value: number) => number,
): number {
  if (typeof value === 'number') return value;
  const percent = Number.parseInt(value ?? '', 10);
  return Number.isNaN(percent) ? 0 : round((percent * total) / 100);
}
