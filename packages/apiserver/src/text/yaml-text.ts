import { isTooDeep } from './json-text.ts';
import { lengthWithoutComments, yamlPrelude } from './yaml-prelude.ts';
import { yamlScalars } from './yaml-scalars.ts';

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

/** How long the parser runs before other requests get their turn. */
const sliceMs = 10;
const lexemesPerCheck = 500;

/** The limits of the values to which aliases expand, and of aliases. For each alias, the parser searches all nodes for its anchor. */
const aliasedValuesMax = 100_000;
const aliasesMax = 1000;

/**
 * Parses the first document of a YAML text, which includes JSON. The parser is loaded with the first text. Other requests can be
 * served meanwhile. Throws YamlTextError.
 */
export async function readYaml(text: string): Promise<YamlText> {
  const { skipped, skippedLines, error: early } = yamlPrelude(text);
  if (early !== undefined) throw new YamlTextError(`yaml: ${early}`);
  const { LineCounter } = await import('yaml');
  const lineCounter = new LineCounter();
  const lineOf = (offset: number): number => skippedLines + lineCounter.linePos(offset).line;
  const content = text.slice(skipped, lengthWithoutComments(text));
  const document = await firstDocument(content, lineCounter.addNewLine, lineOf);
  if (document === undefined) return { value: null, contents: null, lineOf };
  const [error] = document.errors;
  if (error !== undefined)
    throw new YamlTextError(`yaml: ${messageOf(error.code, lineOf(error.pos[0]), error.message)}`);
  let value: unknown;
  try {
    // The limit on aliases prevents a few bytes from expanding to gigabytes.
    value = document.toJS({ maxAliasCount: aliasedValuesMax });
  } catch (cause) {
    throw new YamlTextError(`yaml: ${aliasMessage((cause as Error).message)}`);
  }
  const infinite = infiniteIn(value);
  if (infinite !== undefined) throw new YamlTextError(`json: unsupported value: ${infinite}`);
  if (isTooDeep(value)) throw new YamlTextError('yaml: exceeded max depth');
  return { value, contents: document.contents, lineOf };
}

/** A number that JSON cannot have, as Go writes it. */
function infiniteIn(value: unknown): string | undefined {
  const open = [value];
  const seen = new Set<unknown>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'number' && !Number.isFinite(next))
      return Number.isNaN(next) ? 'NaN' : next > 0 ? '+Inf' : '-Inf';
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    for (const member of Object.values(next)) if (member !== undefined) open.push(member);
  }
  return undefined;
}

/** Undefined if the text has no document. */
async function firstDocument(text: string, onNewLine: (offset: number) => void, lineOf: (offset: number) => number) {
  const { Composer, Lexer, Parser } = await import('yaml');
  const parser = new Parser(onNewLine);
  onNewLine(0);
  // Errors do not quote the text: that takes time for each, and there may be many.
  const composer = new Composer({
    uniqueKeys: false,
    schema: 'failsafe',
    customTags: yamlScalars,
    version: '1.2',
    merge: true,
    logLevel: 'silent',
    prettyErrors: false,
  });
  const checks = new LexemeChecks(lineOf);
  let lexemes = 0;
  let sliceEnd = performance.now() + sliceMs;
  try {
    for (const lexeme of new Lexer().lex(text)) {
      checks.next(lexeme);
      for (const token of parser.next(lexeme)) {
        for (const document of composer.next(token)) return document;
      }
      if (++lexemes % lexemesPerCheck === 0 && performance.now() > sliceEnd) {
        await new Promise((resolve) => setImmediate(resolve));
        sliceEnd = performance.now() + sliceMs;
      }
    }
    for (const token of parser.end()) {
      for (const document of composer.next(token)) return document;
    }
    for (const document of composer.end()) return document;
    return undefined;
  } catch (cause) {
    if (cause instanceof RangeError) throw new YamlTextError(`yaml: ${excessiveDepth}`);
    throw cause;
  }
}

/**
 * Rejects two kinds of texts early, because the parser would need a long time for them: texts with thousands of levels, and texts with
 * consecutive commas or tags, of which the parser would collect an error each. The lexer marks the start of a document with \u0002, and
 * that of a scalar with \u001f.
 */
class LexemeChecks {
  readonly #lineOf: (offset: number) => number;
  #offset = 0;
  #previous = '';
  #aliases = 0;
  #depth = 0;

  constructor(lineOf: (offset: number) => number) {
    this.#lineOf = lineOf;
  }

  next(lexeme: string): void {
    const isMark = lexeme === '\u0002' || lexeme === '\u0018' || lexeme === '\u001f';
    const first = lexeme.charAt(0);
    if (isMark || ' \t\r\n#'.includes(first)) {
      if (!isMark) this.#offset += lexeme.length;
      return;
    }
    if (lexeme === ',' && (this.#previous === ',' || this.#previous === '[' || this.#previous === '{')) {
      this.#fail('did not find expected node content');
    }
    if (first === '!' && this.#previous === '!') this.#fail('did not find expected key');
    if (first === '*' && ++this.#aliases > aliasesMax) throw new YamlTextError(`yaml: ${excessiveAliasing}`);
    if (lexeme === '[' || lexeme === '{') {
      if (++this.#depth > depthMax) this.#fail(excessiveDepth, 'scanner');
    } else if (lexeme === ']' || lexeme === '}') this.#depth--;
    this.#previous = first === '!' ? first : lexeme;
    this.#offset += lexeme.length;
  }

  /** Go's scanner counts lines from one, and its parser from zero. Neither writes the first line. */
  #fail(what: string, by: 'scanner' | 'parser' = 'parser'): never {
    const line = this.#lineOf(this.#offset);
    const shown = line === 1 ? '' : `line ${by === 'scanner' ? line : line - 1}: `;
    throw new YamlTextError(`yaml: ${shown}${what}`);
  }
}

/** Like `max_flow_level` of Go's scanner. */
const depthMax = 10_000;
const excessiveDepth = `exceeded max depth of ${depthMax}`;

const excessiveAliasing = 'document contains excessive aliasing';

const knownErrors: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'found character that cannot start any token',
  RESOURCE_EXHAUSTION: excessiveDepth,
};

function messageOf(code: string, line: number, message: string): string {
  const alias = unknownAnchor(message);
  if (alias !== undefined) return alias;
  if (code === 'TAG_RESOLVE_FAILED' && /^(?:cannot decode |!!binary )/.test(message)) return message;
  if (/^Missing closing ["']quote/.test(message)) return `line ${line}: found unexpected end of stream`;
  return `line ${line}: ${Object.hasOwn(knownErrors, code) ? knownErrors[code] : code}`;
}

function aliasMessage(message: string): string {
  return message.startsWith('Excessive alias count') ? excessiveAliasing : (unknownAnchor(message) ?? message);
}

function unknownAnchor(message: string): string | undefined {
  const anchor = /^Unresolved alias .*: (.*)$/.exec(message)?.[1];
  return anchor === undefined ? undefined : `unknown anchor '${anchor}' referenced`;
}
