import { isContinuation } from '../terminal.ts';

/** Adds the code of an error or a notice to the last line of its message that does not continue another line. */
export function withCode(text: string, code: string | undefined): string {
  if (code === undefined) return text;
  const lines = text.split('\n');
  const last = lines.findLastIndex((line) => !isContinuation(line));
  return lines.with(last, `${lines[last]} [${code}]`).join('\n');
}

/** Marks each line of a stack as a part of it, because the message at its start may have several lines. */
export function quoted(stack: string): string {
  return stack.replace(/^/gm, '  | ');
}

/**
 * Returns the part of a message that says what to do: `<what failed>: <why>; <fix>`. Undefined if the message has none. Lines of
 * suggested code belong to the fix.
 */
export function fixIn(message: string): string | undefined {
  const [head = '', ...code] = message.split(/\n(?= {4})/);
  const at = head.lastIndexOf('; ');
  return at === -1 ? undefined : [head.slice(at + 2), ...code].join('\n');
}
