import {
  type ApiResource,
  type ControllerPlan,
  type ManagerRecord,
  type ManagerWitness,
  SilentLogger,
  type WitnessedLine,
  type WitnessedRun,
} from '@evenkeel/core';
import type { ControllerState } from '../controller/running-controller.ts';
import type { ManagerHealth } from '../health/manager-health.ts';
import { placeOfError } from '../log/place-of-error.ts';
import type { ManagerOptions } from '../options/manager-options.ts';
import { describeRun, duration } from '../reconcile/describe-run.ts';
import type { ReconcileRun } from '../reconcile/reconcile-run.ts';
import { WitnessLogger } from './witness-logger.ts';

/** The maximum number of lines that are kept until the manager exists. */
const mostEarlyLines = 100;

/** The options of a manager whose transport has a witness, and what the witness gets of it. */
export class WitnessedOptions {
  /** The user's options. Their logger and observer also report to the witness. */
  readonly options: ManagerOptions;
  readonly #early: WitnessedLine[] = [];
  #report: ((run: ReconcileRun) => void) | undefined;
  #record: ManagerRecord | undefined;

  constructor(options: ManagerOptions) {
    const { logger = new SilentLogger(), observer } = options;
    this.options = {
      ...options,
      logger: new WitnessLogger(logger, (line) => this.#logged(line)),
      observer: (run) => {
        this.#report?.(run);
        observer?.(run);
      },
    };
  }

  /** Reports the manager that was created with these options. */
  record(
    witness: ManagerWitness,
    manager: {
      readonly call: Error;
      readonly plans: readonly ControllerPlan[];
      readonly health: () => ManagerHealth;
      readonly stop: () => Promise<unknown>;
    },
  ): ManagerRecord {
    const { namespaces, leaderElection } = this.options;
    const record = witness.created({
      call: manager.call,
      controllers: manager.plans.map(({ name, resource }) => ({ name, resource })),
      namespaces,
      lease: leaderElection === undefined ? undefined : `${leaderElection.namespace ?? ''}/${leaderElection.name}`,
      now: () => sentencesOf(manager.health()),
      stop: manager.stop,
    });
    for (const line of this.#early.splice(0)) record.logged(line);
    const resources = new Map(manager.plans.map(({ name, resource }) => [name, resource]));
    this.#report = (run) => record.ran(witnessedRun(run, resources.get(run.controller)));
    this.#record = record;
    return record;
  }

  #logged(line: WitnessedLine): void {
    if (this.#record !== undefined) this.#record.logged(line);
    else if (this.#early.length < mostEarlyLines) this.#early.push(line);
  }
}

function witnessedRun(run: ReconcileRun, resource: ApiResource | undefined): WitnessedRun {
  const { controller, kind, key, writes, outcome, error } = run;
  return {
    ...{ controller, kind, key },
    objects: [
      ...(resource === undefined ? [] : [{ resource, key }]),
      ...writes.map((write) => ({ resource: write.resource, key: write.key })),
    ],
    isFailed: outcome === 'failed' || outcome === 'terminal',
    describe: () => describeRun(run, placeOfError(error, process.cwd())),
  };
}

/** Returns what a manager does, and why it does not work. */
function sentencesOf({ controllers, problems, leadership }: ManagerHealth): string[] {
  const isCandidate = leadership?.role === 'candidate';
  return [
    ...(isCandidate ? ['it stands by, because another process is the leader'] : []),
    ...problems,
    ...controllers.flatMap((controller) => [...waitingOf(controller, isCandidate), ...runningOf(controller)]),
  ];
}

function waitingOf({ name, synced, sources }: ControllerState, isCandidate: boolean): string[] {
  const waiting = sources.filter((source) => !source.synced && source.problem === undefined);
  if (synced || isCandidate || waiting.length === 0) return [];
  return [`controller ${name} waits for its first list of ${waiting.map((source) => source.name).join(', ')}`];
}

/** Runs that have exceeded their timeout are problems. */
function runningOf({ name, running, looping }: ControllerState): string[] {
  return [
    ...running
      .filter(({ stuck }) => !stuck)
      .map(({ key, forMs }) => `controller ${name} has been reconciling ${key} for ${duration(forMs)}`),
    ...looping.map(({ key, object }) => `controller ${name} delays ${key}, because its runs write ${object} in a loop`),
  ];
}
