/** A line of a file, from a stack. */
export interface StackPlace {
  readonly file: string;
  readonly line: number;
}

/** A frame with a file, also without a function; or the first line of a SyntaxError, which is only the place. */
const framePattern = /(?:^|[\s(])((?:file:\/\/)?\/.+?):(\d+)(?::\d+)?\)?$/;
/** Longer lines and stacks contain a message, which may be of any size. The frames are at the end. */
const longestLine = 4096;
const longestStack = 65_536;
/** Two errors may be the cause of each other. */
const deepestCause = 8;

/** Returns the places of an error's stack, the innermost first. Empty if it has none. */
export function placesOf(error: unknown): StackPlace[] {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return [];
  const places: StackPlace[] = [];
  for (const line of error.stack.slice(-longestStack).split('\n')) {
    const [, place, number] = line.length > longestLine ? [] : (framePattern.exec(line) ?? []);
    if (place !== undefined) places.push({ file: pathOf(place), line: Number(number) });
  }
  return places;
}

/** The places of {@link placesOf} in files that belong neither to Evenkeel nor to another package. */
export function userPlacesOf(error: unknown): StackPlace[] {
  return placesOf(error).filter(({ file }) => !file.includes('/node_modules/') && !isOurs(file));
}

/** Returns the innermost user's place of an error, or else of its cause. Undefined if no stack contains one. */
export function userPlaceOf(error: unknown): StackPlace | undefined {
  let at = error;
  for (let depth = 0; depth < deepestCause && at instanceof Error; depth++) {
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

function isOurs(file: string): boolean {
  // This file is three folders below.
  packages ??= placesOf(new Error())[0]?.file.replace(/(?:[^/]+\/){3}[^/]+$/, '') ?? '';
  return packages !== '' && file.startsWith(packages) && !testFile.test(file);
}

function pathOf(place: string): string {
  return place.startsWith('file:') ? decodeURIComponent(new URL(place).pathname) : place;
}
