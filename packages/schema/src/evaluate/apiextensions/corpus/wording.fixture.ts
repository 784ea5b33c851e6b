/**
 * Entries for which our errors have the same paths but other messages, with the reason.
 */
export const differentWords: ReadonlyMap<string, string> = new Map([
  [
    'A rule uses no name that begins with a digit.',
    'after a syntax error the server continues to read macros, and reports one that lacks its argument',
  ],
  [
    'A rule uses no name that cannot be escaped.',
    'after a syntax error the server continues to read macros, and reports one that lacks its argument',
  ],
]);

/** Entries that the server stores in another form than we do, with the reason. */
export const storedOtherwise: ReadonlyMap<string, string> = new Map([
  [
    'A default of an embedded resource may have metadata that are not known.',
    'the server drops them from the default while it validates it, and no user relies on that',
  ],
]);
