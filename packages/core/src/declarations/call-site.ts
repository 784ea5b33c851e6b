/** The line of a call in the user's code. */
export interface CallSite {
  readonly file: string;
  readonly line: number;
}

/** Records the line that called a function. V8 formats the stack only when it is read. */
export function recordCall(called: (...values: never[]) => unknown): Error {
  const call = new Error(called.name);
  Error.captureStackTrace(call, called);
  return call;
}

/** Returns the line that {@link recordCall} recorded. */
export function callSite(call: Error): CallSite | undefined {
  const frame = call.stack?.split('\n').find((line) => line.startsWith('    at '));
  const place = frame?.slice(frame.lastIndexOf(' ') + 1).replace(/^\(|\)$/g, '');
  const [, url, line] = /^(.+):(\d+):\d+$/.exec(place ?? '') ?? [];
  if (url === undefined || line === undefined) return undefined;
  return { file: url.startsWith('file://') ? decodeURIComponent(new URL(url).pathname) : url, line: Number(line) };
}

/** Returns ` (/app/site.ts:12)`, for messages, or an empty string if the line is unknown. */
export function placeOfCall(call: Error | undefined): string {
  const { file, line } = (call === undefined ? undefined : callSite(call)) ?? {};
  return file === undefined ? '' : ` (${file}:${line})`;
}
