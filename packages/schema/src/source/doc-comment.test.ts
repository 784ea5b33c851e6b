import { descriptionOf } from './doc-comment.ts';

describe('descriptionOf()', () => {
  it.each([
    [' One line. ', 'One line.'],
    ['\n * Two\n * lines.\n ', 'Two\nlines.'],
    ['\n * One.\n *\n * Two.\n ', 'One.\n\nTwo.'],
    ['\n *   - indented\n ', '- indented'],
    ['\n * For users.\n * ---\n * For maintainers.\n ', 'For users.'],
    ['\n * Kept.\n * TODO: not kept\n * Kept too.\n ', 'Kept.\nKept too.'],
    ['\n * Kept.\n * @deprecated use another\n * instead\n ', 'Kept.\n\nDeprecated: use another\ninstead'],
    ['\n * @deprecated\n ', 'Deprecated: do not use it.'],
    ['\n * Kept.\n * @example\n * foo()\n * @default 5\n * @see {@link X}\n ', 'Kept.'],
    ['\n * Kept.\n * @example\n * foo()\n * @deprecated Gone.\n ', 'Kept.\n\nDeprecated: Gone.'],
    ['\n * Kept.\n * @remarks More of it.\n *\n * And more.\n * @since 2\n ', 'Kept.\n\nMore of it.\n\nAnd more.'],
    ['\n * Kept.\n * @internal\n * not kept\n * @deprecated nor this\n ', 'Kept.'],
    ['\n * Kept.\n * ---\n * @deprecated not kept\n ', 'Kept.'],
    ['\n * Größe in „GiB“ — 量.\n ', 'Größe in „GiB“ — 量.'],
    ['\n * mail@example.com and @ stay\n ', 'mail@example.com and @ stay'],
    ['\n * See {@link Foo} and {@link Bar | the bar}.\n ', 'See Foo and the bar.'],
    ['\n * ```\n * ---\n *   TODO\n * @x {@link Y}\n * ```\n ', '```\n---\n  TODO\n@x {@link Y}\n```'],
    ['\n * A step: `*\\/15`.\n ', 'A step: `*/15`.'],
    ['\r\n * Windows\r\n * lines.\r\n ', 'Windows\nlines.'],
    [' @internal ', undefined],
    ['', undefined],
  ])('%j', (comment, description) => {
    expect(descriptionOf(comment)).toBe(description);
  });
});
