import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { EvenkeelError, messageOf } from '@evenkeel/core';
import {
  type Bundle,
  parseScorecardConfiguration,
  ScorecardConfigurationError,
  type ScorecardStage,
  scorecardConfiguration,
  scorecardFolder,
} from '@evenkeel/olm';

/** The configuration of a scorecard, and where it is. */
export interface ScorecardFile {
  readonly stages: readonly ScorecardStage[];
  /** The file as messages show it. Undefined if the bundle has none. */
  readonly shown: string | undefined;
  /** The absolute path of its folder, to which its entrypoints are relative. */
  readonly folder: string;
}

/** Far more than a configuration needs. */
const bytesMax = 1_000_000;
const folderAnnotation = 'operators.operatorframework.io.test.config.v1';

/**
 * Reads the configuration of a bundle, or another one. A bundle without one has the built-in tests. Throws `invalid-scorecard` with all
 * mistakes.
 */
export async function scorecardFileOf(
  folder: string,
  bundleFolder: string,
  bundle: Bundle,
  given: string | undefined,
): Promise<ScorecardFile> {
  const named = bundle.annotations[folderAnnotation];
  const path =
    given === undefined
      ? resolve(folder, bundleFolder, join('.', '/', named ?? scorecardFolder), 'config.yaml')
      : resolve(folder, given);
  const shown = relative(folder, path);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing && given === undefined && named === undefined) {
      const stages = parseScorecardConfiguration(JSON.stringify(scorecardConfiguration));
      return { stages, shown: undefined, folder: dirname(path) };
    }
    const fix =
      given === undefined ? `add the file, or remove the annotation ${folderAnnotation}` : 'pass another file';
    throw new EvenkeelError('invalid-scorecard', `${shown}: ${messageOf(cause)}; ${fix}`, { cause });
  }
  if (text.length > bytesMax) {
    throw new EvenkeelError(
      'invalid-scorecard',
      `${shown}: it is larger than 1 MB; pass the configuration of a scorecard`,
    );
  }
  try {
    return { stages: parseScorecardConfiguration(text), shown, folder: dirname(path) };
  } catch (error) {
    if (!(error instanceof ScorecardConfigurationError)) throw error;
    throw new EvenkeelError('invalid-scorecard', error.problems.map((problem) => `${shown}:${problem}`).join('\n'));
  }
}
