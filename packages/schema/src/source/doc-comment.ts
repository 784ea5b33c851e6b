/**
 * The description in a JSDoc comment, by controller-gen's conventions (controller-tools pkg/markers/zip.go,
 * extractDoc): everything after a line `---` is for maintainers, as are lines that start with TODO. Line breaks are kept,
 * and fenced code is not changed.
 *
 * The block tag `@remarks` continues the description, and `@deprecated` becomes a last paragraph `Deprecated: ...`, as in
 * Go. An end of a comment that is written `*\/` loses its backslash. `@internal` ends the description. All other tags (`@example`, `@default`, `@see`, ...) are omitted. `{@link X}`
 * becomes X. Undefined if nothing remains.
 */
export function descriptionOf(comment: string): string | undefined {
  const kept: string[] = [];
  const deprecation: string[] = [];
  let target: string[] | undefined = kept;
  let inFence = false;
  for (const line of linesOf(comment)) {
    const trimmed = line.trim();
    if (trimmed.startsWith('```')) inFence = !inFence;
    if (!inFence) {
      if (trimmed === '---' || /^@internal\b/.test(trimmed)) break;
      if (trimmed.startsWith('TODO')) continue;
      const tag = /^@([a-zA-Z]\w*)\s*(.*)$/.exec(trimmed);
      if (tag !== null) {
        const [, name, text = ''] = tag;
        target = name === 'remarks' ? kept : name === 'deprecated' ? deprecation : undefined;
        if (target === kept) kept.push('');
        target?.push(withoutLinks(text));
        continue;
      }
    }
    target?.push(inFence ? line : withoutLinks(line));
  }
  const text = textOf(kept);
  const reason = textOf(deprecation);
  const paragraphs = [text, ...(deprecation.length === 0 ? [] : [`Deprecated: ${reason || 'do not use it.'}`])];
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n') || undefined;
}

function textOf(lines: readonly string[]): string {
  return lines.join('\n').trim();
}

/** The lines of a comment, without the asterisks and one space after each. */
function linesOf(comment: string): string[] {
  return comment.split(/\r?\n/).map((line) => {
    const start = line.trimStart();
    const text = start.startsWith('*') ? start.slice(1) : start;
    // A comment cannot contain its own end, so authors write it with a backslash.
    return (text.startsWith(' ') ? text.slice(1) : text).trimEnd().replaceAll('*\\/', '*/');
  });
}

function withoutLinks(line: string): string {
  return line.replace(/\{@link(?:code|plain)? ([^{}|]*)(?:\|([^{}]*))?\}/g, (_, target: string, label?: string) =>
    (label ?? target).trim(),
  );
}
