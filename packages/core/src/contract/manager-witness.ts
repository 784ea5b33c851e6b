import type { ApiResource } from '../kind/api-resource.ts';
import type { ObjectKey } from '../object/object-key.ts';

/** What a manager reports about itself before it starts. */
export interface WitnessedManager {
  /** Created where the user called `createManager()` or `Manager.run()`, so its stack has the file and line. */
  readonly call: Error;
  readonly controllers: readonly { readonly name: string; readonly resource: ApiResource }[];
  /** Undefined: all. */
  readonly namespaces: readonly string[] | undefined;
  /** The Lease without which the manager reconciles nothing; undefined without leader election. */
  readonly lease: string | undefined;
  /** Describes what the manager does and what keeps it from working, one sentence each. */
  readonly now: () => readonly string[];
  /** Stops the manager, also if it was not started. May be called again. */
  readonly stop: () => Promise<unknown>;
}

/** A finished run, as a witness keeps it. */
export interface WitnessedRun {
  readonly controller: string;
  readonly kind: string;
  readonly key: ObjectKey;
  /** The reconciled object, then those that the run wrote. */
  readonly objects: readonly { readonly resource: ApiResource; readonly key: ObjectKey }[];
  readonly isFailed: boolean;
  /**
   * Describes triggers, writes, error and the line of the user's code that threw; `result` omits the triggers, and `aside` has
   * the times. Contains no values of objects, unless an error message has them.
   */
  readonly describe: () => { readonly text: string; readonly result: string; readonly aside: string };
}

/** A line of a manager's log, or of a logger that it gave to user code. */
export interface WitnessedLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** Contains no contents of Secrets. */
  readonly describe: () => string;
}

/** Receives what one manager does. None of its methods may take long. */
export interface ManagerRecord {
  /** Called before the manager starts anything. Throws if it must not start; it is then stopped. `call` is as in {@link WitnessedManager}. */
  starting(call: Error): void;
  started(): void;
  ran(run: WitnessedRun): void;
  logged(line: WitnessedLine): void;
  /** Called with an error that kept the manager from starting, or that stops it. */
  failed(error: unknown): void;
  stopping(): void;
  /** Called when the manager has sent its last request. */
  stopped(): void;
}

/** Watches the managers on a transport. Test environments have one, so that the failure of a test can tell what its operators did. */
export interface ManagerWitness {
  /** Called for each new manager. */
  created(manager: WitnessedManager): ManagerRecord;
}
