import { didYouMean } from '@evenkeel/core';
import { type BuiltInTestName, builtInTests } from './built-in-tests.ts';
import type { ScorecardTestSpec } from './test-result.ts';

/** What runs a test. */
export type TestRunner =
  | { readonly runs: 'built-in'; readonly name: BuiltInTestName }
  /** The test cases in the folder `kuttl` next to the configuration. */
  | { readonly runs: 'kuttl' }
  /** A module of the project, and the name of its export. */
  | { readonly runs: 'module'; readonly file: string; readonly name: string }
  | { readonly runs: 'program'; readonly command: string; readonly arguments: readonly string[] }
  /** The reason, and the fix. */
  | { readonly runs: 'nothing'; readonly problem: string };

/** Returns what runs a test. Images are not run, but those of operator-sdk are known. */
export function runnerOf({ image, entrypoint = [] }: ScorecardTestSpec): TestRunner {
  const [command = '', ...words] = entrypoint;
  if (image === undefined) {
    if (!/\.[cm]?[jt]s$/.test(command)) return { runs: 'program', command, arguments: words };
    return { runs: 'module', file: command, name: words[0] ?? 'default' };
  }
  const name = image.split('/').at(-1)?.split(/[:@]/)[0];
  if (name === 'scorecard-test-kuttl') return { runs: 'kuttl' };
  if (name === 'scorecard-test' || (name === 'operator-sdk' && command === 'scorecard-test')) {
    const [test = ''] = words;
    if (Object.hasOwn(builtInTests, test)) return { runs: 'built-in', name: test as BuiltInTestName };
    const known = Object.keys(builtInTests);
    const fix = didYouMean(test, known) || `; use one of ${known.join(', ')}`;
    return { runs: 'nothing', problem: `unknown test ${JSON.stringify(test)}${fix}` };
  }
  return {
    runs: 'nothing',
    problem: `the image ${image} needs a container, and evenkeel runs none; remove "image" if the entrypoint is a program or a module on this machine, or leave the test out with --selector`,
  };
}
