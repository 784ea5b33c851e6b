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
  });
  const [error] = document.errors;
  if (error !== undefined) throw new YamlTextError(`yaml: line ${lineOf(error.pos[0])}: ${error.code}`);
  let value: unknown;
  try {
    // The limit on aliases prevents a few bytes from expanding to gigabytes.
    value = document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw new YamlTextError(`yaml: ${(cause as Error).message}`);
  }
  if (isTooDeep(value)) throw new YamlTextError('yaml: exceeded max depth');
  return { value, contents: document.contents, lineOf };
}
