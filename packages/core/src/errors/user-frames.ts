/** A frame of a stack. */
export interface StackFrame {
  /** An absolute path or a URL, as in the stack. */
  readonly file: string;
  readonly line: number;
  /** The frame as V8 prints it: `at async SiteController.reconcile (file:///app/dist/site.controller.js:40:5)`. */
  readonly text: string;
}

/** The frames between a request and the user's code are those of the client, the context and the helpers of a run. */
const framesKept = 30;
/** A longer line is not a frame. */
const longestFrame = 2000;

/**
 * Replaces the stack of an error by that of the calling code, with the async functions that await it. An error that is
 * created in the callback of a socket has no other trace of them.
 */
export function takeCallers(error: Error): void {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = framesKept;
  try {
    Error.captureStackTrace(error);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Returns the frames of an error's stack, without those of Node itself. The message may contain anything, and is skipped. */
export function framesOf(error: Error): StackFrame[] {
  const stack = typeof error.stack === 'string' ? error.stack : '';
  const message = stack.indexOf(error.message);
  const frames: StackFrame[] = [];
  for (const line of stack.slice(message < 0 ? 0 : message + error.message.length).split('\n')) {
    if (line.length > longestFrame || !/^\s*at /.test(line)) continue;
    const [, file, at] = /[ (]((?:file:\/\/)?\/.+?):(\d+)(?::\d+)?\)?$/.exec(line) ?? [];
    if (file !== undefined) frames.push({ file, line: Number(at), text: line.trim() });
  }
  return frames;
}

/**
 * Returns the frames that are in files of the user: neither in `node_modules` nor in a package of Evenkeel. Undefined in a
 * bundle without source maps, where all code is in one file.
 */
export function userFrames(error: Error): StackFrame[] | undefined {
  const [own] = framesOf(new Error());
  const packages = /^(.*\/)core\/(?:src|dist)\/errors\/user-frames\.[jt]s$/.exec(own?.file ?? '')?.[1];
  if (packages === undefined) return undefined;
  return framesOf(error).filter(({ file }) => !file.includes('/node_modules/') && !file.startsWith(packages));
}
