/**
 * The paths of keys that stand twice in one object of a JSON text, as the server names them (`data.x`,
 * `spec.containers[0].name`), in order. The text has been parsed before, so it is JSON.
 */
export function duplicateKeys(text: string): string[] {
  const found: string[] = [];
  const open: Level[] = [];
  let level: Level | undefined;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      if (level?.keys !== undefined && level.expectsKey) {
        const raw = text.slice(at + 1, end);
        const key = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
        level.expectsKey = false;
        level.key = key;
        if (level.keys.has(key)) found.push(pathOf(open));
        level.keys.add(key);
      }
      at = end + 1;
      continue;
    }
    if (code === openBrace || code === openBracket) {
      level = { keys: code === openBrace ? new Set() : undefined, expectsKey: code === openBrace, key: '', index: 0 };
      open.push(level);
    } else if (code === closeBrace || code === closeBracket) {
      open.pop();
      level = open.at(-1);
    } else if (code === comma && level !== undefined) {
      if (level.keys === undefined) level.index++;
      else level.expectsKey = true;
    }
    at++;
  }
  return [...new Set(found)];
}

interface Level {
  /** Undefined for an array. */
  readonly keys: Set<string> | undefined;
  expectsKey: boolean;
  key: string;
  index: number;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === quote) break;
  }
  return at;
}

function pathOf(levels: readonly Level[]): string {
  let path = '';
  for (const { keys, key, index } of levels) {
    if (keys === undefined) path += `[${index}]`;
    else path += path === '' ? key : `.${key}`;
  }
  return path;
}
