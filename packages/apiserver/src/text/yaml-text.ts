import { numberOf } from '../apimachinery/index.ts';
import { isTooDeep } from './json-text.ts';

/** A text that is not YAML, or that would expand to more than is sensible. */
export class YamlTextError extends Error {
  override readonly name = 'YamlTextError';
}

export interface YamlText {
  readonly value: unknown;
  /** The document's node, for the parser's own functions. */
  readonly contents: unknown;
  lineOf(offset: number): number;
}

const longInteger = /\d{16}|0x[\da-f]{13}|0o[0-7]{17}/i;

/** The value with those integers as `bigint` that only an int64 represents, and all others as `number`. Changes it. */
function withNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return numberOf(value);
  const open = typeof value === 'object' && value !== null ? [value] : [];
  const seen = new Set<object>(open);
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    const parts = each as Record<string, unknown>;
    for (const key of Object.keys(parts)) {
      const part = parts[key];
      if (typeof part === 'bigint') parts[key] = numberOf(part);
      else if (typeof part === 'object' && part !== null && !seen.has(part)) open.push(part) && seen.add(part);
    }
  }
  return value;
}

/** Parses YAML, which includes JSON. The parser is loaded with the first text. Throws YamlTextError. */
export async function readYaml(text: string): Promise<YamlText> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lineCounter = new LineCounter();
  const lineOf = (offset: number): number => lineCounter.linePos(offset).line;
  const document = parseDocument(text, {
    lineCounter,
    uniqueKeys: false,
    schema: 'core',
    version: '1.2',
    merge: true,
    logLevel: 'silent',
    // Only then, because it makes every integer a bigint.
    intAsBigInt: longInteger.test(text),
  });
  const [error] = document.errors;
  if (error !== undefined) throw new YamlTextError(`yaml: line ${lineOf(error.pos[0])}: ${error.code}`);
  let value: unknown;
  try {
    // The limit on aliases prevents a few bytes from expanding to gigabytes.
    value = withNumbers(document.toJS({ maxAliasCount: 100 }));
  } catch (cause) {
    throw new YamlTextError(`yaml: ${(cause as Error).message}`);
  }
  if (isTooDeep(value)) throw new YamlTextError('yaml: exceeded max depth');
  return { value, contents: document.contents, lineOf };
}
