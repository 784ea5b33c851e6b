/** JSON with numbers whose source is known: ES proposal "JSON.parse source text access", in V8 since 11.4. */
interface SourceJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON?(text: string): unknown;
}

const { parse, rawJSON } = JSON as unknown as SourceJson;

/** Only such texts can contain integers that JavaScript cannot represent. */
const longNumber = /\d{16}/;

/**
 * Parses JSON. Integers that JavaScript cannot represent become bigints, so that a conversion does not round an int64. They stay
 * numbers in a runtime that does not show the source of numbers.
 */
export function parseExactJson(text: string): unknown {
  if (rawJSON === undefined || !longNumber.test(text)) return JSON.parse(text);
  return parse(text, (_key, value, { source = '' }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value,
  );
}

/** The JSON of a value, with bigints as integers. */
export function exactJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError) || rawJSON === undefined) throw error;
    return JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'bigint' ? rawJSON(String(inner)) : inner,
    );
  }
}
