import { EvenkeelError } from '@evenkeel/core';
import { parseImageReference } from '../registry/image-reference.ts';
import { type BundleImageOptions, wantsBundleImage } from './bundle-image-options.ts';

/** The options of `evenkeel bundle` as strings from the command line. */
export interface WriteBundleOptions extends BundleImageOptions {
  readonly config?: string;
  readonly version?: string;
  readonly channels?: string;
  readonly defaultChannel?: string;
  readonly replaces?: string;
  readonly skips?: string;
  readonly skipRange?: string;
  readonly operatorImage?: string;
  readonly resolveImages?: boolean;
  readonly folder?: string;
  readonly check?: boolean;
  readonly timeout: string;
}

/** Checks what can be checked before the project is loaded. Throws `invalid-option` and `invalid-image-reference`. */
export async function checkBundleOptions(options: WriteBundleOptions): Promise<void> {
  const { channels, skips, skipRange, version, check = false, image, push = false, archive, layout } = options;
  if (channels !== undefined) namesIn(channels, '--channels');
  if (skips !== undefined) namesIn(skips, '--skips');
  if (skipRange !== undefined || version !== undefined) {
    const { isVersion, isVersionRange } = await import('@evenkeel/olm/csv');
    if (skipRange !== undefined && !isVersionRange(skipRange)) {
      const problem = `${JSON.stringify(skipRange)} is not a range of versions; write it as ">=1.0.0 <1.2.0"`;
      throw invalidOption(`--skip-range: ${problem}`);
    }
    if (version !== undefined && (!isVersion(version) || version === '0.0.0')) {
      const problem = `${JSON.stringify(version)} is not a version; set a semantic version, such as 1.2.0`;
      throw invalidOption(`--version: ${problem}`);
    }
  }
  if (!wantsBundleImage(options)) return;
  if (check)
    throw invalidOption('--check writes nothing, and makes no image; remove --check or the options of the image');
  if (image === undefined) {
    throw invalidOption('--push, --archive and --layout need the name of the image; add --image NAME');
  }
  if (!push && archive === undefined && layout === undefined) {
    throw invalidOption('--image has no effect without an output; add --push, --archive FILE or --layout FOLDER');
  }
  parseImageReference(image, '--image');
}

/** Returns the names in a list with commas, each once. */
export function namesIn(list: string, option: string): string[] {
  const names = list.split(',').map((name) => name.trim());
  if (names.every((name) => /^[a-z0-9](?:[\w.-]*[a-z0-9])?$/i.test(name))) return [...new Set(names)];
  throw invalidOption(
    `${option}: ${JSON.stringify(list)} is not a list of names; write them with commas, such as stable,candidate`,
  );
}

export function invalidOption(message: string): EvenkeelError {
  return new EvenkeelError('invalid-option', message);
}
