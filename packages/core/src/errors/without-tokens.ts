/** Returns a string without bearer tokens, which an HTTP library may include in its messages. */
export function withoutTokens(text: string): string {
  return text.replace(/\b(bearer)\s+[^\s"',;]+/gi, '$1 (withheld)');
}
