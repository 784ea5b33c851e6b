/** A suite or a test case that cannot be run as it is. The message has the file and the fix. */
export class KuttlError extends Error {
  override readonly name = 'KuttlError';
}
