/** A JSON value as Go's `fmt.Fprint` prints it, and lists and objects as `json.Marshal` does. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<no value>';
  if (typeof value === 'number') return goNumber(value);
  return typeof value === 'object' ? goJson(value) : String(value);
}

/** `%v` of an int64 or float64: an exponent from 1e21 on and below 1e-4, of two digits at least. */
function goNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return BigInt(value).toString();
  const [digits = '', exponent] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 21) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** Compact, with sorted keys, and escaped for HTML. */
function goJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.keys(value)
      .sort(byBytes)
      .map((key) => `${goJson(key)}:${goJson((value as Record<string, unknown>)[key])}`);
    return `{${members.join(',')}}`;
  }
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null';
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function byBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
