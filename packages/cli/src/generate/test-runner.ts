import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import type { TestRunner } from './conversion-test.ts';

/** Vitest, if the nearest package.json lists it; otherwise Jest. */
export function testRunnerOf(folder: string): TestRunner {
  for (let at = folder; ; at = dirname(at)) {
    const listed = dependenciesIn(join(at, 'package.json'));
    if (listed !== undefined) return listed.includes('vitest') ? 'vitest' : '@jest/globals';
    if (dirname(at) === at) return '@jest/globals';
  }
}

function dependenciesIn(path: string): readonly string[] | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  try {
    const parsed: unknown = JSON.parse(text);
    if (!isJsonObject(parsed)) return [];
    return [parsed['dependencies'], parsed['devDependencies']].flatMap((list) =>
      isJsonObject(list) ? Object.keys(list) : [],
    );
  } catch {
    // The check of the project's settings reports it.
    return [];
  }
}
