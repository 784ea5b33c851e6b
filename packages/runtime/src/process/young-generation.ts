import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8's young generation at its current size of a few MiB, unless a flag sets its size. An operator's cache keeps the objects
 * that it reads, so a larger young generation only keeps garbage longer. docs/decisions/young-generation.md has the figures. Must
 * be called before the first object is read. Returns whether it changed the setting.
 *
 * It sets the growth factor, because V8 reads `--max-semi-space-size` only when the process starts.
 */
export function keepYoungGenerationSmall(
  flags: readonly string[] = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/)],
): boolean {
  const isChosen = flags.some((flag) => /^--(?:max|min)[-_]semi[-_]space|^--semi[-_]space[-_]growth/.test(flag));
  if (!isChosen) setFlagsFromString('--semi-space-growth-factor=1');
  return !isChosen;
}
