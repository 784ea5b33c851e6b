import { isError } from './is-error.ts';

/** A line of a file, from a stack. */
export interface StackPlace {
  readonly file: string;
  readonly line: number;
}

/** A frame of a stack. */
export interface StackFrame extends StackPlace {
  /** The frame as V8 prints it: `at async SiteController.reconcile (file:///app/dist/site.controller.js:40:5)`. */
  readonly text: string;
}

/** A frame with a file, also without a function; or the first line of a SyntaxError, which is only the place. */
const framePattern = /(?:^|[\s(])((?:file:\/\/)?\/.+?):(\d+)(?::\d+)?\)?$/;
/** Longer lines and stacks contain a message, which may be of any size. The frames are at the end. */
const longestLine = 4096;
const longestStack = 65_536;
/** Two errors may be the cause of each other. */
const deepestCause = 8;
/** Between a request and the user's code are the frames of the client, of the context and of the helpers of a run. */
const callersKept = 30;

/**
 * Replaces the stack of an error by that of the calling code, with the async functions that await it. An error that is
 * created in the callback of a socket has no other trace of them.
 */
export function takeCallers(error: Error): void {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = callersKept;
  try {
    Error.captureStackTrace(error);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * Returns the frames of an error's stack with a file, the innermost first. Empty if it has none. The message is skipped,
 * because it may contain text that looks like a frame.
 */
export function framesOf(error: unknown): StackFrame[] {
  if (!isError(error) || typeof error.stack !== 'string') return [];
  const { stack, message } = error;
  const at = stack.indexOf(message);
  const [header = ''] = stack.slice(0, Math.max(at, 0)).slice(0, longestLine).split('\n');
  const frames: StackFrame[] = [];
  for (const line of [
    header,
    ...stack
      .slice(at < 0 ? 0 : at + message.length)
      .slice(-longestStack)
      .split('\n'),
  ]) {
    const [, place, number] = line.length > longestLine ? [] : (framePattern.exec(line) ?? []);
    if (place !== undefined) frames.push({ file: pathOf(place), line: Number(number), text: line.trim() });
  }
  return frames;
}

/** Returns the places of {@link framesOf}. */
export function placesOf(error: unknown): StackPlace[] {
  return framesOf(error).map(({ file, line }) => ({ file, line }));
}

/**
 * The frames of {@link framesOf} in files that belong neither to Evenkeel nor to another package. Undefined in a bundle
 * without source maps: the file of a frame does not show whose code it is.
 */
export function userFramesOf(error: unknown): StackFrame[] | undefined {
  const packages = foundPackages();
  if (packages === undefined) return undefined;
  const isOurs = (file: string): boolean => file.startsWith(packages) && !testFile.test(file);
  return framesOf(error).filter(({ file }) => !file.includes('/node_modules/') && !isOurs(file));
}

/** The places of {@link userFramesOf}; none in a bundle. */
export function userPlacesOf(error: unknown): StackPlace[] {
  return (userFramesOf(error) ?? []).map(({ file, line }) => ({ file, line }));
}

/** Returns the innermost user's place of an error, or else of its cause. Undefined if no stack contains one. */
export function userPlaceOf(error: unknown): StackPlace | undefined {
  let at = error;
  for (let depth = 0; depth < deepestCause && isError(at); depth++) {
    const [place] = userPlacesOf(at);
    if (place !== undefined) return place;
    at = at.cause;
  }
  return undefined;
}

/** Evenkeel's own tests are users of it. */
const testFile = /\.(?:test|fixture)\.ts$/;

/** The folder of all packages of Evenkeel, which is not in node_modules in its own repository, or if it is linked. */
let packages: string | undefined;

function foundPackages(): string | undefined {
  // The bundles of a package are in its dist.
  const here = /^(.*\/(?:packages|@evenkeel)\/)core\/(?:src\/errors\/stack-places\.ts|dist\/[\w-]+\.js)$/;
  packages ??= here.exec(framesOf(new Error())[0]?.file ?? '')?.[1];
  return packages;
}

function pathOf(place: string): string {
  return place.startsWith('file:') ? decodeURIComponent(new URL(place).pathname) : place;
}
