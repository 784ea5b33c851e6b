import { YamlParser, YamlTextError } from '@evenkeel/apimachinery/yaml';
import { parseYaml } from '../bundle/yaml-document.ts';

/** A document of a catalog file. */
export interface CatalogDocument {
  /** The path of the file in the catalog. */
  readonly file: string;
  readonly format: 'json' | 'yaml';
  /** The document in the text of the file: from here to {@link end}, without separators. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The line of its first character, from 1. */
  readonly line: number;
}

/** The parsed content of a document, or the reason why it has none. */
export type ParsedDocument =
  | { readonly value: unknown; readonly repeatedKeys: readonly string[] }
  | { readonly reason: string; readonly line: number };

/** With more levels, later steps, which are recursive, could fail. */
const depthMax = 200;
const separator = /^---[ \t]*(?:#.*)?(?:\r?\n|$)/gm;

/**
 * Splits a file into its documents: YAML with lines `---` between them, or JSON objects one after another. Both can follow each other.
 *
 * Source: `YAMLOrJSONDecoder` of k8s.io/apimachinery `pkg/util/yaml`.
 */
export function splitDocuments(file: string, text: string): CatalogDocument[] {
  const documents: CatalogDocument[] = [];
  let line = 1;
  let counted = 0;
  const add = (format: CatalogDocument['format'], start: number, end: number): void => {
    for (let at = text.indexOf('\n', counted); at !== -1 && at < start; at = text.indexOf('\n', at + 1)) line++;
    counted = start;
    documents.push({ file, format, start, end, text: text.slice(start, end), line });
  };
  let at = text.startsWith('\ufeff') ? 1 : 0;
  while (at < text.length) {
    const start = skip(/\s*/y, text, at);
    if (text.charAt(start) === '{') {
      const end = endOfJson(text, start);
      add('json', start, end);
      at = end;
      continue;
    }
    separator.lastIndex = at;
    const found = separator.exec(text);
    const end = found === null ? text.length : found.index;
    if (hasContent(text.slice(at, end))) add('yaml', at, end);
    at = found === null ? text.length : separator.lastIndex;
  }
  return documents;
}

/** Parses a document. JSON must be valid; a text that only starts like JSON is read as YAML. */
export function parseDocument({ text, format, line }: CatalogDocument): ParsedDocument {
  if (format === 'json') {
    try {
      return checkedDepth(JSON.parse(text), [], line);
    } catch {
      // Flow mappings of YAML start with a brace too, and the reader of YAML knows the line of an error.
    }
  }
  try {
    const parser = new YamlParser(text);
    for (;;) {
      const document = parser.step();
      if (document === undefined) continue;
      if (document.depth > depthMax) return { reason: tooDeep, line };
      const keys = document.duplicates.map((each) => /key (.*) already/.exec(each)?.[1] ?? each);
      return checkedDepth(document.value, keys, line);
    }
  } catch (error) {
    if (!(error instanceof YamlTextError)) throw error;
    const [, at, reason] = /^(?:yaml|json): (?:line (\d+): )?(.*)$/s.exec(error.message) ?? [];
    return { reason: reason ?? error.message, line: line + Number(at ?? 1) - 1 };
  }
}

const tooDeep = `it is nested more than ${depthMax} levels deep`;

function checkedDepth(value: unknown, repeatedKeys: readonly string[], line: number): ParsedDocument {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) return { reason: tooDeep, line };
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return { value, repeatedKeys };
}

/** Returns the line in the file of the value at a path, or of its nearest parent that exists. */
export function lineInDocument({ text, line }: CatalogDocument, path: readonly (string | number)[]): number {
  const document = parseYaml(text);
  return 'reason' in document ? line : line + document.lineOf(path) - 1;
}

/** The position after the JSON object that starts at a brace; the end of the text if it is not closed. */
function endOfJson(text: string, start: number): number {
  const interesting = /["{}[\]]/g;
  let depth = 0;
  for (interesting.lastIndex = start; ; ) {
    const found = interesting.exec(text);
    if (found === null) return text.length;
    if (found[0] === '"') interesting.lastIndex = skip(/(?:[^"\\]|\\.)*"?/sy, text, interesting.lastIndex);
    else if (found[0] === '{' || found[0] === '[') depth++;
    else if (--depth === 0) return interesting.lastIndex;
  }
}

function hasContent(text: string): boolean {
  return /^[ \t]*[^\s#]/m.test(text);
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return Math.max(pattern.lastIndex, at);
}
