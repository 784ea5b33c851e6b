import { readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { messageOf } from '@evenkeel/core';
import type { ScorecardResult } from '@evenkeel/olm';
import { forEachConcurrently } from '../../cluster/for-each-concurrently.ts';
import { KuttlCase, type KuttlSurroundings } from './kuttl-case.ts';
import { KuttlError } from './kuttl-error.ts';
import { isSetting, objectsIn, Settings } from './kuttl-file.ts';
import { stepsIn } from './kuttl-step.ts';

/** Where a suite runs. */
export interface KuttlSuiteOptions
  extends Pick<
    KuttlSurroundings,
    'client' | 'clock' | 'kubeconfig' | 'isTrusted' | 'isShared' | 'namespace' | 'createNamespace' | 'keeps'
  > {
  /** Messages show paths relative to this folder. */
  readonly shownFrom: string;
}

/** The defaults of kuttl. */
const timeoutSeconds = 30;
const parallelCases = 8;

/** Runs the test cases in the folder of a kuttl suite. Each is a result. Never rejects for what is in the folder. */
export async function runKuttlSuite(folder: string, options: KuttlSuiteOptions): Promise<readonly ScorecardResult[]> {
  const { shownFrom } = options;
  try {
    return await runSuite(folder, options);
  } catch (error) {
    return [
      {
        name: 'kuttl',
        state: 'error',
        errors: [error instanceof KuttlError ? error.message : `${relative(shownFrom, folder)}: ${messageOf(error)}`],
      },
    ];
  }
}

async function runSuite(folder: string, options: KuttlSuiteOptions): Promise<readonly ScorecardResult[]> {
  const { shownFrom, isTrusted, keeps, namespace } = options;
  const shown = relative(shownFrom, folder);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new KuttlError(
      `${shown}: the folder does not exist; add it with a folder for each test case, or remove the test`,
    );
  }
  const file = join(folder, 'kuttl-test.yaml');
  const placed = statSync(file, { throwIfNoEntry: false }) === undefined ? [] : objectsIn(file, shownFrom);
  const suite = placed.find((each) => isSetting(each, 'TestSuite'));
  if (placed.length > 0 && suite === undefined) {
    throw new KuttlError(
      `${relative(shownFrom, file)}: it has no TestSuite of kuttl.dev/v1beta1; add one, or remove the file`,
    );
  }
  const settings = suite && new Settings(suite);
  settings?.reject(['crdDir', 'manifestDirs', 'commands'], 'do this in a step of a test case');
  const timeoutMs = (settings?.number('timeout') || timeoutSeconds) * 1000;
  const around = {
    ...options,
    timeoutMs,
    namespace: namespace ?? (settings?.text('namespace') || undefined),
    keeps: keeps || settings?.flag('skipDelete') === true,
  };
  const given = settings?.texts('testDirs') ?? [];
  const folders = given.length === 0 ? [folder] : given.map((each) => resolve(folder, each));
  const cases = folders.flatMap((each) => casesIn(each, folder, shownFrom));
  if (cases.length === 0)
    throw new KuttlError(`${shown}: it has no test case; add a folder with steps such as 00-install.yaml`);
  const limits = { shownFrom, root: folder, readsElsewhere: isTrusted };
  const results: ScorecardResult[] = [];
  const run = async ({ name, path }: FoundCase): Promise<ScorecardResult> => {
    try {
      const steps = stepsIn(path, limits);
      if (steps.length > 0) return await new KuttlCase(name, path, around).run(steps);
      throw new KuttlError(`${relative(shownFrom, path)}: it has no step; add a file such as 00-install.yaml`);
    } catch (error) {
      return { name, state: 'error', errors: [messageOf(error)] };
    }
  };
  const work = async (found: FoundCase): Promise<void> => {
    results[cases.indexOf(found)] = await run(found);
  };
  await forEachConcurrently(
    cases,
    work,
    Math.min(cases.length, Math.max(1, settings?.number('parallel') || parallelCases)),
  );
  return results;
}

interface FoundCase {
  readonly name: string;
  readonly path: string;
}

function casesIn(folder: string, root: string, shownFrom: string): FoundCase[] {
  if (relative(root, folder).startsWith('..')) {
    throw new KuttlError(
      `${relative(shownFrom, folder)}: testDirs names a folder outside of the suite; move it to the suite`,
    );
  }
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, path: join(folder, name) }))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}
