/** A line of the user's source. */
export interface CallSite {
  readonly file: string;
  readonly line: number;
}

/** Returns the line of the first frame in the stack of an error; undefined if the stack has none. */
export function callSite(call: Error): CallSite | undefined {
  const frame = call.stack?.split('\n').find((line) => line.startsWith('    at '));
  const place = frame?.slice(frame.lastIndexOf(' ') + 1).replace(/^\(|\)$/g, '');
  const [, url, line] = /^(.+):(\d+):\d+$/.exec(place ?? '') ?? [];
  if (url === undefined || line === undefined) return undefined;
  return { file: url.startsWith('file://') ? decodeURIComponent(new URL(url).pathname) : url, line: Number(line) };
}
