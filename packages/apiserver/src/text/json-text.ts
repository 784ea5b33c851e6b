import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
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
const maxDepth = 2000;

/** The character, `[` or `{`, at which a JSON text exceeds the maximum depth; undefined if it does not. */
export function tooDeepAt(text: string, depthMax = maxDepth): string | undefined {
  // Shorter texts cannot exceed it.
  if (text.length <= depthMax) return undefined;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === closeBrace || code === closeBracket) depth--;
    else if ((code === openBrace || code === openBracket) && ++depth > depthMax) return text.charAt(at);
  }
  return undefined;
}

/** Whether a parsed value is nested too deeply, or contains itself. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
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
