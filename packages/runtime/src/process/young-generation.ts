import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8 from growing its young generation beyond what it is now, a few MiB, where nobody chose its size: an operator's
 * cache keeps what it gets, so that a larger one only holds garbage longer. What it takes off the peak stands in
 * docs/decisions/young-generation.md. Called before the first object is read.
 *
 * The growth factor is what acts in a running V8; `--max-semi-space-size` is read once, when the process starts.
 */
export function keepYoungGenerationSmall(
  flags: readonly string[] = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/)],
): boolean {
  const isChosen = flags.some((flag) => /^--(?:max|min)[-_]semi[-_]space|^--semi[-_]space[-_]growth/.test(flag));
  if (!isChosen) setFlagsFromString('--semi-space-growth-factor=1');
  return !isChosen;
}
