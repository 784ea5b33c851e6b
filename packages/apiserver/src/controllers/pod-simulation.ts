import type { Pod } from '@evenkeel/kinds';
import { parseGoDuration } from '../apimachinery/index.ts';
import { simulationPrefix } from '../kind/simulation-prefix.ts';
import { controllerOf } from './controller-reference.ts';

/** What a simulated pod does, as its annotations say. Times are in milliseconds. */
export interface PodSimulation {
  /** From the binding to a node until the containers run. */
  readonly startAfterMs: number;
  /** From the start of the containers until the pod is ready; undefined if it never is. */
  readonly readyAfterMs: number | undefined;
  /** From the start of the containers until they exit; undefined if they run until the pod is deleted. */
  readonly exitAfterMs: number | undefined;
  readonly exitCode: number;
  /** How often the containers exit before they run on; undefined if each run ends. */
  readonly exitsMax: number | undefined;
}

const names = ['start-after', 'ready-after', 'exit-after', 'exit-code', 'restarts', 'log'] as const;
type Name = (typeof names)[number];

/** The annotation with this name; undefined if the pod has none. */
export function simulationOf({ metadata }: Pod, name: Name): string | undefined {
  return metadata.annotations?.[`${simulationPrefix}${name}`];
}

/** Reads the annotations of a pod. Returns what is wrong with them as a text. */
export function readSimulation(pod: Pod): PodSimulation | string {
  const wrong: string[] = [];
  const read = <T>(name: Name, form: string, parse: (text: string) => T | undefined): T | undefined => {
    const text = simulationOf(pod, name);
    if (text === undefined) return undefined;
    const value = parse(text);
    if (value === undefined)
      wrong.push(`${simulationPrefix}${name}: invalid value ${JSON.stringify(text)}; use ${form}`);
    return value;
  };
  const unknown = Object.keys(pod.metadata.annotations ?? {}).filter(
    (key) => key.startsWith(simulationPrefix) && !names.some((name) => key === `${simulationPrefix}${name}`),
  );
  for (const key of unknown) wrong.push(`${key}: unknown annotation; use one of ${names.join(', ')}`);
  const startAfterMs = read('start-after', 'a duration such as 5s', durationMs) ?? 0;
  const readyAfterMs = read('ready-after', 'a duration such as 5s, or never', (text) =>
    text === 'never' ? 'never' : durationMs(text),
  );
  const exitAfterMs = read('exit-after', 'a duration such as 5s', durationMs);
  const exitCode = read('exit-code', 'a number from 0 to 255', (text) => wholeNumber(text, 255));
  const restarts = read('restarts', 'a number', (text) => wholeNumber(text, Number.MAX_SAFE_INTEGER));
  if (wrong.length > 0) return wrong.join('; ');
  const exits = [exitAfterMs, exitCode, restarts].some((value) => value !== undefined);
  return {
    startAfterMs,
    readyAfterMs: readyAfterMs === 'never' ? undefined : (readyAfterMs ?? 0),
    // The work of a Job ends.
    exitAfterMs: exitAfterMs ?? (exits || controllerOf(pod)?.kind === 'Job' ? 0 : undefined),
    exitCode: exitCode ?? (restarts === undefined ? 0 : 1),
    exitsMax: restarts,
  };
}

function durationMs(text: string): number | undefined {
  const duration = parseGoDuration(text);
  return 'error' in duration || duration.nanoseconds < 0n ? undefined : Number(duration.nanoseconds) / 1_000_000;
}

function wholeNumber(text: string, most: number): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && value <= most ? value : undefined;
}
