/**
 * Entries about which we say the same at the same paths in other words, and why.
 */
export const differentWords: ReadonlyMap<string, string> = new Map([
  [
    'A rule speaks of no name that begins with a digit.',
    'after a syntax error the server goes on to read macros, and tells of one that then lacks its argument',
  ],
  [
    'A rule speaks of no name that cannot be escaped.',
    'after a syntax error the server goes on to read macros, and tells of one that then lacks its argument',
  ],
]);

/** Entries that the server stores in another form than ours, and why. */
export const storedOtherwise: ReadonlyMap<string, string> = new Map([
  [
    'A default of an embedded resource may have metadata that are not known.',
    'while it looks at such a default the server drops them from it, which nobody relies on',
  ],
]);
