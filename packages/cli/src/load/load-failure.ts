import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EvenkeelError } from '@evenkeel/core';
import type { ImportGraph } from './import-graph.ts';

/**
 * Says why a module of the user's did not load, with paths from `folder`. A class that a decorator needed before its
 * module had run is told as the import cycle that it comes from.
 */
export function loadFailure(module: string, error: unknown, graph: ImportGraph, folder: string): EvenkeelError {
  if (error instanceof EvenkeelError) return error;
  const shown = (url: string) => relative(folder, url.startsWith('file:') ? fileURLToPath(url) : url);
  const place = placeOf(error);
  const where = place === undefined ? '' : ` (${shown(place.url)}:${place.line})`;
  const early =
    error instanceof ReferenceError ? /^Cannot access '(.+)' before initialization/.exec(error.message) : null;
  const cycle = early === null || place === undefined ? undefined : graph.cycleThrough(place.url);
  if (early !== null && cycle !== undefined) {
    return new EvenkeelError(
      'import-cycle',
      `${shown(module)}: ${early[1]} is used before its module has run${where}, because these import one another: ` +
        `${cycle.map(shown).join(' -> ')}; hand the class over as a thunk, such as @Type(() => ${early[1]}), or move it to a module of its own`,
      { cause: error },
    );
  }
  const message = error instanceof Error ? error.message : String(error);
  return new EvenkeelError('module-not-loaded', `${shown(module)} did not load: ${message}${where}`, { cause: error });
}

/** Where an error was thrown, from its stack (mapped to the source by Node); the frames of Node itself are skipped. */
function placeOf(error: unknown): { url: string; line: number } | undefined {
  if (!(error instanceof Error)) return undefined;
  for (const line of error.stack?.split('\n') ?? []) {
    const frame = /\(?((?:file:\/\/)?\/[^()]+):(\d+):\d+\)?$/.exec(line);
    if (frame?.[1] === undefined) continue;
    const url = frame[1].startsWith('file:') ? frame[1] : `file://${frame[1]}`;
    return { url, line: Number(frame[2]) };
  }
  return undefined;
}
