import { isNode, LineCounter, parseAllDocuments, type Tags } from 'yaml';

/** The first document of a YAML or JSON file, with the lines of its values. */
export interface YamlDocument {
  readonly value: unknown;
  /** The number of documents in the file that are not empty. */
  readonly count: number;
  /** The line of the value at a path, or of its nearest parent that exists. */
  lineOf(path: readonly (string | number)[]): number;
}

/** The reason why a text is not YAML. */
export interface YamlProblem {
  readonly line: number;
  readonly reason: string;
}

/** With more, a few bytes could become gigabytes ("billion laughs"). */
const aliasesMax = 100;
const depthMax = 200;

/** YAML 1.1 without its times, which Go's parser does not read. */
function withoutTimes(tags: Tags): Tags {
  return tags.filter(
    (tag) => typeof tag === 'string' || (!('format' in tag && tag.format === 'TIME') && !tag.tag.endsWith('timestamp')),
  );
}

/** Parses a file of a bundle. Returns the problem if it is not YAML. */
export function parseYaml(text: string): YamlDocument | YamlProblem {
  const lines = new LineCounter();
  const tooDeep = tooDeepAt(text);
  if (tooDeep !== undefined) return { line: tooDeep, reason: `it is nested more than ${depthMax} levels deep` };
  const parsed = parseAllDocuments(text, {
    version: '1.1',
    merge: true,
    uniqueKeys: false,
    customTags: withoutTimes,
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const documents = [...parsed];
  const [document] = documents;
  if (document === undefined) return { line: 1, reason: 'it is empty' };
  const [error] = document.errors;
  if (error !== undefined) return { line: lines.linePos(error.pos[0]).line, reason: reasonOf(error.message) };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: aliasesMax });
  } catch (cause) {
    return { line: 1, reason: reasonOf((cause as Error).message) };
  }
  return {
    value,
    count: documents.filter(({ contents }) => contents !== null).length,
    lineOf: (path) => {
      for (let length = path.length; length > 0; length--) {
        const node: unknown = document.getIn(path.slice(0, length), true);
        if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
      }
      return isNode(document.contents) && document.contents.range ? lines.linePos(document.contents.range[0]).line : 1;
    },
  };
}

/** The line on which brackets nest too deeply. The parser is recursive, so it cannot find out itself. */
function tooDeepAt(text: string): number | undefined {
  let depth = 0;
  let line = 1;
  for (const character of text) {
    if (character === '\n') line++;
    else if (character === '[' || character === '{') {
      if (++depth > depthMax) return line;
    } else if ((character === ']' || character === '}') && depth > 0) depth--;
  }
  return undefined;
}

/** The parser's message in one line. It reports that indented text is too deep only as a full stack. */
function reasonOf(message: string): string {
  if (message.startsWith('Maximum call stack')) return `it is nested more than ${depthMax} levels deep`;
  return message.split('\n', 1)[0] ?? message;
}
