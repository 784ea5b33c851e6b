/** The longest timeout of an admission webhook; of a conversion too. */
const longestMs = 30_000;

/**
 * Returns the milliseconds of the parameter `timeout` with which the API server calls, such as `10s`; at most 30 s. Undefined for
 * anything that the API server does not send.
 */
export function callTimeoutMs(text: string | null): number | undefined {
  const [, digits, unit] = /^(\d{1,9})(ms|s|m)$/.exec(text ?? '') ?? [];
  if (digits === undefined) return undefined;
  const unitMs = { ms: 1, s: 1000, m: 60_000 }[unit as 'ms' | 's' | 'm'];
  const timeoutMs = Number(digits) * unitMs;
  return timeoutMs === 0 ? undefined : Math.min(timeoutMs, longestMs);
}
