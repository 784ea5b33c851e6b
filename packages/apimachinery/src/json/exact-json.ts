/** The error for a number in JSON that is outside the range of a float64. */
export class JsonRangeError extends Error {
  override readonly name = 'JsonRangeError';
  /** The number as written. */
  readonly source: string;

  constructor(source: string) {
    super(`json: cannot unmarshal number ${source} into Go value of type float64`);
    this.source = source;
  }
}

/**
 * At least one of these two expressions matches each text with a number that `JSON.parse` may change. They also match some other
 * texts, such as those with a uid. Together, they take a tenth of the time of parsing. V8 searches for 16 separate `\d` eight times
 * as fast as for `\d{16}`.
 */
const longNumber = /\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d/;
const largeExponent = /\d[eE]\+?\d{3}/;
/** Is slower, but matches hardly any other texts. */
const mayChange = /[:,[]\s*-?(?:\d{16}|[\d.]+[eE]\+?\d{3})/;

/** Matches each text with a number that is written as a float, such as `1.0`, and few others. */
const floatLiteral = /(?:"\s*:|[,[])\s*-?\d+[.eE]/;

interface ParseWithSource {
  parse(
    text: string,
    reviver: (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  /** Missing in a runtime that does not show the source of numbers. */
  rawJSON?(text: string): unknown;
}

const exact = JSON as unknown as ParseWithSource;

/**
 * Parses JSON as Go does: an integer that a `number` cannot represent, but an int64 can, becomes a `bigint`. All other numbers
 * are `number`, with the precision of a float64. As fast as `JSON.parse` for texts without such numbers.
 *
 * Integers nested in thousands of levels become a `number` too, and all integers do in a runtime that does not show their source.
 *
 * Throws SyntaxError as `JSON.parse`, and {@link JsonRangeError} for a number such as `1e400`. With `allowsRange`, such a number is
 * infinite, and {@link floatSourceOf} returns it as written. `literals` keeps numbers as they are written, instead of `floatSourceOf`.
 */
export function parseJson(text: string, { allowsRange = false, literals }: ParseOptions = {}): unknown {
  const mayHaveLong = longNumber.test(text) || largeExponent.test(text);
  const isPlain = !floatLiteral.test(text) && !(mayHaveLong && mayChange.test(text));
  if (isPlain || exact.rawJSON === undefined) return JSON.parse(text);
  try {
    return exact.parse(text, function (key, value, { source }) {
      if (typeof value !== 'number' || source === undefined) return value;
      if (!allowsRange && !Number.isFinite(value)) throw new JsonRangeError(source);
      const isFloat = !/^-?\d+$/.test(source);
      const number = isFloat || Number.isSafeInteger(value) ? value : int64Or(BigInt(source), value);
      if (literals !== undefined) return literals.valueOf(source, number);
      // An integer beyond an int64 is a float, too.
      if (isFloat || (typeof number === 'number' && !Number.isSafeInteger(number))) {
        noteFloat(this as object, key, source);
      }
      return number;
    });
  } catch (error) {
    // A reviver needs more of the stack, and fails from about 3000 levels on.
    if (error instanceof RangeError) return JSON.parse(text);
    throw error;
  }
}

interface ParseOptions {
  readonly allowsRange?: boolean;
  readonly literals?: { valueOf(source: string, value: number | bigint): number | bigint | symbol };
}

const floatSources = new WeakMap<object, Map<string, string>>();

/** Makes {@link floatSourceOf} return how a member is written. */
export function noteFloat(holder: object, key: string, source: string): void {
  const sources = floatSources.get(holder) ?? new Map<string, string>();
  sources.set(key, source);
  floatSources.set(holder, sources);
}

/**
 * The number as written, if a member of an object or array of {@link parseJson} was written as a float: Go rejects `1.0` for an
 * integer. Integers beyond an int64 count as floats. Copies of the object do not have it.
 */
export function floatSourceOf(holder: object, key: string | number): string | undefined {
  return floatSources.get(holder)?.get(String(key));
}

/** The integer if an int64 can represent it and a `number` cannot; else as a `number`. */
export function numberOf(integer: bigint): number | bigint {
  const value = Number(integer);
  return Number.isSafeInteger(value) ? value : int64Or(integer, value);
}

function int64Or(integer: bigint, value: number): number | bigint {
  return BigInt.asIntN(64, integer) === integer ? integer : value;
}

/**
 * The JSON of a value of {@link parseJson}: `JSON.stringify`, which alone cannot write a `bigint`. `indent` is the number of spaces
 * of each level. Default: all on one line.
 */
export function stringifyJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    // Only values with a bigint pay for the replacer.
    return JSON.stringify(value, (_, part: unknown) => writableNumber(part), indent);
  }
}

/** For replacers of `JSON.stringify`: the value, or what writes the digits of a `bigint` or of a literal, which is a symbol. */
export function writableNumber(value: unknown): unknown {
  if (exact.rawJSON === undefined) return value;
  if (typeof value === 'bigint') return exact.rawJSON(value.toString());
  return typeof value === 'symbol' ? exact.rawJSON(value.description ?? '') : value;
}
