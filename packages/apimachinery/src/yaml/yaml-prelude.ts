/** The part of a YAML text before its first content. */
export interface YamlPrelude {
  /** The offset and the number of lines before the first content or directive. */
  readonly skipped: number;
  readonly skippedLines: number;
  /** Why the text cannot be read; undefined if its start is valid. */
  readonly error: string | undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what the check is about
const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;

/**
 * Reads the comments, empty lines and directives at the start of a YAML text. It skips comments and empty lines, because the parser
 * takes seconds for a megabyte of them. It checks directives, because the parser accepts more of them than Go's. It also reports
 * control characters in the whole text.
 *
 * Source: `reader.go`, `scanner.go` and `parser.go` of `sigs.k8s.io/yaml/goyaml.v2`.
 */
export function yamlPrelude(text: string): YamlPrelude {
  if (controlCharacter.test(text)) {
    return { skipped: 0, skippedLines: 0, error: 'control characters are not allowed' };
  }
  const start = skipBlankLines(text, { at: text.startsWith('\ufeff') ? 1 : 0, lines: 0 });
  return { skipped: start.at, skippedLines: start.lines, error: directiveError(text, start) };
}

interface Place {
  readonly at: number;
  readonly lines: number;
}

function skipBlankLines(text: string, start: Place): Place {
  const blankLine = /[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n)/y;
  let { at, lines } = start;
  for (;;) {
    blankLine.lastIndex = at;
    if (!blankLine.test(text)) return { at, lines };
    at = blankLine.lastIndex;
    lines++;
  }
}

function directiveError(text: string, start: Place): string | undefined {
  const seen = new Set<string>();
  let place = start;
  while (text.charAt(place.at) === '%') {
    const { at, lines } = place;
    const end = text.indexOf('\n', at);
    const line = text.slice(at + 1, end < 0 ? undefined : end);
    const [name = '', value = ''] = line.trimEnd().split(/[ \t]+/);
    // The scanner counts lines from one, and the parser from zero. Neither prints the line zero.
    const scanner = lines === 0 ? '' : `line ${lines + 1}: `;
    const parser = lines === 0 ? '' : `line ${lines}: `;
    if (name !== 'YAML' && name !== 'TAG') return `${scanner}found unknown directive name`;
    if (name === 'YAML' && seen.has(name)) return `${parser}found duplicate %YAML directive`;
    if (name === 'YAML' && value !== '1.1') return `${parser}found incompatible YAML document`;
    if (name === 'TAG' && seen.has(value)) return `${parser}found duplicate %TAG directive`;
    seen.add(name === 'TAG' ? value : name);
    if (end < 0) return undefined;
    place = skipBlankLines(text, { at: end + 1, lines: lines + 1 });
  }
  return undefined;
}
