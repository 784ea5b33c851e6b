/** V8's messages for writes to frozen objects, with the name of the property. */
const frozenWrites = [
  /^Cannot assign to read only property '([^']{1,256})'/,
  /^Cannot add property ([^,]{1,256}), object is not extensible/,
  /^Cannot delete property '([^']{1,256})'/,
];

/** Returns the property that a failed write to a frozen object was for. Undefined for other errors. */
export function frozenPropertyOf(error: unknown): string | undefined {
  if (!(error instanceof TypeError)) return undefined;
  return frozenWrites.map((pattern) => pattern.exec(error.message)?.[1]).find((name) => name !== undefined);
}
