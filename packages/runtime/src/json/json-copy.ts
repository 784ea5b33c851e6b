/** Values nested deeper than this are copied in pieces: the API server accepts 10,000 levels, which would overflow the stack. */
const deepest = 500;

/**
 * Returns a deep copy of a JSON value, of any depth. Prototypes are not copied. It takes a tenth of the time of
 * `structuredClone`, which matters because each run makes a copy.
 */
export function jsonCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const pieces: Piece[] = [];
  const copy = copyOf(value, 0, pieces);
  for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) fill(piece.copy, piece.of, 0, pieces);
  return copy;
}

/** An empty copy, and the value to copy into it. */
interface Piece {
  readonly copy: object;
  readonly of: object;
}

function copyOf<T>(value: T, depth: number, pieces: Piece[]): T {
  if (typeof value !== 'object' || value === null) return value;
  const copy = Array.isArray(value) ? [] : {};
  if (depth < deepest) fill(copy, value, depth, pieces);
  else pieces.push({ copy, of: value });
  return copy as T;
}

function fill(copy: object, value: object, depth: number, pieces: Piece[]): void {
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) (copy as unknown[]).push(copyOf(item, depth + 1, pieces));
    return;
  }
  for (const key of Object.keys(value)) {
    const item: unknown = copyOf((value as Record<string, unknown>)[key], depth + 1, pieces);
    if (key === '__proto__')
      Object.defineProperty(copy, key, { value: item, enumerable: true, writable: true, configurable: true });
    else (copy as Record<string, unknown>)[key] = item;
  }
}
