import type { ManagerRecord, WitnessedLine, WitnessedManager, WitnessedRun } from '@evenkeel/core';
import { callPlace } from './call-place.ts';

export type ManagerState = 'created' | 'starting' | 'running' | 'stopping' | 'stopped';

/** The numbers of runs and of warnings that an entry keeps. */
const mostRuns = 100;
const mostLines = 20;

export interface Timed<T> {
  readonly atMs: number;
  readonly value: T;
}

/** What an entry needs of its journal. */
export interface EntryParts {
  readonly now: () => number;
  /** Throws if the manager must not start. */
  readonly starting: (entry: ManagerEntry) => void;
  readonly ran: (run: WitnessedRun) => void;
  readonly logged: (line: WitnessedLine) => void;
  readonly ended: (entry: ManagerEntry) => void;
}

/** The bounded record of one manager: its state, its last runs, its last warnings and the errors that stopped it. */
export class ManagerEntry implements ManagerRecord {
  readonly manager: WitnessedManager;
  readonly runs: Timed<WitnessedRun>[] = [];
  readonly lines: Timed<WitnessedLine>[] = [];
  readonly failures = new Set<unknown>();
  runCount = 0;
  failedCount = 0;
  readonly #parts: EntryParts;
  #call: Error;
  #state: ManagerState = 'created';

  constructor(manager: WitnessedManager, parts: EntryParts) {
    this.manager = manager;
    this.#parts = parts;
    this.#call = manager.call;
  }

  get state(): ManagerState {
    return this.#state;
  }

  /** Whether it may send requests. */
  get isActive(): boolean {
    return this.#state === 'starting' || this.#state === 'running' || this.#state === 'stopping';
  }

  /** `manager started at src/site.test.ts:20` */
  get title(): string {
    const verb = this.#call === this.manager.call ? 'created' : 'started';
    const place = callPlace(this.#call) ?? callPlace(this.manager.call);
    return place === undefined ? 'manager' : `manager ${verb} at ${place}`;
  }

  starting(call: Error): void {
    if (this.#state !== 'created') return;
    this.#call = call;
    this.#parts.starting(this);
    this.#state = 'starting';
  }

  started(): void {
    if (this.#state === 'starting') this.#state = 'running';
  }

  ran(run: WitnessedRun): void {
    this.runCount++;
    if (run.isFailed) this.failedCount++;
    keep(this.runs, { atMs: this.#parts.now(), value: run }, mostRuns);
    this.#parts.ran(run);
  }

  logged(line: WitnessedLine): void {
    if (line.level === 'warn' || line.level === 'error') {
      keep(this.lines, { atMs: this.#parts.now(), value: line }, mostLines);
    }
    this.#parts.logged(line);
  }

  failed(error: unknown): void {
    this.failures.add(error);
  }

  stopping(): void {
    if (this.isActive) this.#state = 'stopping';
  }

  /** Also called if the manager can send nothing any more although it still runs. */
  stopped(): void {
    if (this.#state === 'stopped') return;
    this.#state = 'stopped';
    this.#parts.ended(this);
  }
}

/** `site default/web: Site added -> created ConfigMap web  4 ms` */
export function describeRunOf(run: WitnessedRun): string {
  const { text, aside } = run.describe();
  return `${run.controller} ${run.key}: ${text}  ${aside}`;
}

function keep<T>(list: T[], item: T, most: number): void {
  list.push(item);
  if (list.length > most) list.shift();
}
