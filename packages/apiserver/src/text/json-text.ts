import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  goQuote,
  openBrace,
  openBracket,
  quote,
} from '../apimachinery/index.ts';

/**
 * The paths of duplicate keys in a JSON text, as the server names them (`data.x`, `spec.containers[0].name`), in order.
 * `value` is the parsed text.
 */
export function duplicateKeys(text: string, value: unknown): string[] {
  // Most bodies have none, and counting is several times as fast as remembering every key.
  if (colonsOf(text) === membersOf(value)) return [];
  return [...new Set([...keysOf(text)].filter(({ isRepeated }) => isRepeated).map(({ path }) => path))];
}

/**
 * The strict decoding errors of a JSON text in the order in which Go finds them: duplicate keys, and unknown fields, below which it does not
 * look. `unknown` has the errors of these.
 */
export function strictErrorsInOrder(text: string, unknown: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  let skippedDepth = Number.POSITIVE_INFINITY;
  for (const { path, depth, isRepeated } of keysOf(text)) {
    if (depth > skippedDepth) continue;
    const error = `unknown field ${goQuote(path)}`;
    skippedDepth = unknown.has(error) ? depth : Number.POSITIVE_INFINITY;
    if (isRepeated) found.add(`duplicate field ${goQuote(path)}`);
    if (unknown.has(error)) found.add(error);
  }
  return [...found];
}

interface KeyInText {
  readonly path: string;
  readonly depth: number;
  readonly isRepeated: boolean;
}

/** The keys of all objects in a JSON text, in order. */
function* keysOf(text: string): Generator<KeyInText> {
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
        yield { path: pathOf(open), depth: open.length, isRepeated: level.keys.has(key) };
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
}

/** The number of colons outside of strings in a JSON text: one for each member of an object. */
function colonsOf(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === colon) count++;
  }
  return count;
}

/** The total number of members of all objects in a parsed value. */
function membersOf(value: unknown): number {
  let count = 0;
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const members: unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (members !== next) count += members.length;
    for (const member of members) if (typeof member === 'object' && member !== null) open.push(member);
  }
  return count;
}

/**
 * The maximum nesting depth of a body. The real server accepts 10,000 levels. The functions here that write JSON run out of
 * stack at about 7,000, and useful objects are far below the limit.
 */
export const depthMax = 2000;

/** The character, `[` or `{`, at which a JSON text exceeds the maximum depth; undefined if it does not. */
export function tooDeepAt(text: string, levels = depthMax): string | undefined {
  // Shorter texts cannot exceed it.
  if (text.length <= levels) return undefined;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === closeBrace || code === closeBracket) depth--;
    else if ((code === openBrace || code === openBracket) && ++depth > levels) return text.charAt(at);
  }
  return undefined;
}

/** Whether a parsed value is nested too deeply, or contains itself. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) return true;
    level = level.flatMap((member) => (typeof member === 'object' && member !== null ? Object.values(member) : []));
  }
  return false;
}

interface Level {
  /** Undefined for an array. */
  readonly keys: Set<string> | undefined;
  expectsKey: boolean;
  key: string;
  index: number;
}

function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at > 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at < 0 ? text.length : at;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before - 1) === backslash) before--;
  return (at - before) % 2 === 1;
}

function pathOf(levels: readonly Level[]): string {
  let path = '';
  for (const { keys, key, index } of levels) {
    if (keys === undefined) path += `[${index}]`;
    else path += path === '' ? key : `.${key}`;
  }
  return path;
}
