import { noteFloat, writableNumber } from './exact-json.ts';
import { isJsonObject, type JsonObject, setKey } from './json-value.ts';

/**
 * The numbers of a JSON text whose value does not show how they are written, such as `2.0` or `1e400`. While a patch is applied, a
 * symbol stands for each of them: Go applies patches to texts, so that `2.0` and `2` differ.
 */
export class NumberLiterals {
  readonly #symbols = new Map<string, symbol>();

  get isEmpty(): boolean {
    return this.#symbols.size === 0;
  }

  /** The first number that is no float64. */
  get outOfRange(): string | undefined {
    return [...this.#symbols.keys()].find((source) => !Number.isFinite(Number(source)));
  }

  /** The value for a number, which is the number itself if its text follows from it. */
  valueOf(source: string, value: number | bigint): number | bigint | symbol {
    if (String(value) === source && (typeof value === 'bigint' || isExact(value))) return value;
    const symbol = this.#symbols.get(source) ?? Symbol(source);
    this.#symbols.set(source, symbol);
    return symbol;
  }
}

function isExact(value: number): boolean {
  return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
}

/** A copy with numbers in place of the literals. `floatSourceOf` returns how they are written. */
export function numbersOf(value: unknown): unknown {
  if (typeof value === 'symbol') return Number(value.description);
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) setNumber(items, String(items.length), item);
    return items;
  }
  if (!isJsonObject(value)) return value;
  const object: JsonObject = {};
  for (const key of Object.keys(value)) setNumber(object, key, value[key]);
  return object;
}

function setNumber(holder: object, key: string, value: unknown): void {
  setKey(holder as JsonObject, key, numbersOf(value));
  if (typeof value === 'symbol') noteFloat(holder, key, value.description ?? '');
}

/** The JSON of a value with literals. */
export function stringifyLiterals(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => writableNumber(part));
}
