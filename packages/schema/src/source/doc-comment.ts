/**
 * The description in a JSDoc comment, by controller-gen's conventions (controller-tools pkg/markers/zip.go,
 * extractDoc): what stands after a line `---` is for maintainers, as are lines that begin with TODO. Block tags
 * (`@deprecated`, `@example`, ...) and all after them are not description; `{@link X}` becomes X. Line breaks stay.
 * Undefined where nothing is left.
 */
export function descriptionOf(comment: string): string | undefined {
  const kept: string[] = [];
  let inFence = false;
  for (const line of linesOf(comment)) {
    const trimmed = line.trim();
    if (trimmed.startsWith('```')) inFence = !inFence;
    if (!inFence) {
      if (trimmed === '---' || isBlockTag(trimmed)) break;
      if (trimmed.startsWith('TODO')) continue;
    }
    kept.push(inFence ? line : withoutLinks(line));
  }
  const text = kept.join('\n').trim();
  return text === '' ? undefined : text;
}

/** The lines between `/**` and the end, without the asterisks and one space after each. */
function linesOf(comment: string): string[] {
  return comment.split(/\r?\n/).map((line) => {
    const start = line.trimStart();
    const text = start.startsWith('*') ? start.slice(1) : start;
    return (text.startsWith(' ') ? text.slice(1) : text).trimEnd();
  });
}

function isBlockTag(line: string): boolean {
  const second = line.charCodeAt(1) | 0x20;
  return line.startsWith('@') && second >= 0x61 && second <= 0x7a;
}

function withoutLinks(line: string): string {
  return line.replace(/\{@link(?:code|plain)? ([^{}|]*)(?:\|([^{}]*))?\}/g, (_, target: string, label?: string) =>
    (label ?? target).trim(),
  );
}
