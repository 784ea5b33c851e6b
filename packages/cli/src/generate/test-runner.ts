import { isJsonObject } from '@evenkeel/apimachinery/json';
import { nearestPackage } from '../load/nearest-package.ts';
import type { TestRunner } from './conversion-test.ts';

/** Vitest, if the nearest package.json lists it; otherwise Jest. */
export function testRunnerOf(folder: string): TestRunner {
  const { dependencies, devDependencies } = nearestPackage(folder) ?? {};
  const listed = [dependencies, devDependencies].flatMap((list) => (isJsonObject(list) ? Object.keys(list) : []));
  return listed.includes('vitest') ? 'vitest' : '@jest/globals';
}
