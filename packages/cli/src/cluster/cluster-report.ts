import type { Connection } from '@evenkeel/client';
import type { DeployedOperator } from '../generate/generation.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { shownChange } from './changed-fields.ts';
import type { CheckResult } from './check-result.ts';
import type { ObjectChange } from './cluster-objects.ts';
import { shownName } from './object-name.ts';

/** What `--output json` prints beside the members that all commands have. */
interface ClusterMembers {
  readonly dryRun: boolean;
  /** The name of the context in the kubeconfig; null for the service account of a pod, or if the command has not connected. */
  readonly context: string | null;
  readonly server: string | null;
  readonly operator: { readonly name: string; readonly namespace: string } | null;
  /** In the order in which they were written. */
  readonly objects: readonly ObjectChange[];
  /** The results of `evenkeel doctor`. */
  readonly checks?: readonly CheckResult[];
}

/** The longest status of a check. */
const statusWidth = 'warning'.length;
/** The longest list of changed fields of one object. */
const fieldsShown = 10;

/** Prints the changes of a command to the objects of a cluster, and collects them for programs. */
export class ClusterReport {
  readonly isDryRun: boolean;
  readonly #terminal: CommandTerminal;
  readonly #objects: ObjectChange[] = [];
  readonly #checks: CheckResult[] = [];
  #connection: Connection | undefined;
  #operator: DeployedOperator | undefined;

  constructor(isDryRun: boolean, terminal: CommandTerminal) {
    this.isDryRun = isDryRun;
    this.#terminal = terminal;
  }

  setPlace(connection: Connection, operator: DeployedOperator | undefined): void {
    this.#connection = connection;
    this.#operator = operator;
  }

  /** Prints what happened to an object, with the fields that changed. */
  object(change: ObjectChange): void {
    this.#objects.push(change);
    const { outcome, fields, reason } = change;
    const how = this.isDryRun && outcome !== 'unchanged' && outcome !== 'kept' ? ' (dry run)' : '';
    this.#terminal.out(`${shownName(change)} ${outcome}${how}${reason === undefined ? '' : `: ${reason}`}`);
    for (const field of fields.slice(0, fieldsShown)) this.#terminal.out(`  ${shownChange(field)}`);
    if (fields.length > fieldsShown) this.#terminal.out(`  and ${fields.length - fieldsShown} more fields`);
  }

  /** Prints the result of a check, with the fix. The command fails if a check has failed. */
  check(result: CheckResult): void {
    this.#checks.push(result);
    const { check, status, message, details = [], fix } = result;
    this.#terminal.out(`${status.padEnd(statusWidth)}  ${check}: ${message}`);
    for (const detail of details) this.#terminal.out(`${' '.repeat(statusWidth)}    ${detail}`);
    if (fix !== undefined) this.#terminal.out(`${' '.repeat(statusWidth)}    fix: ${fix}`);
  }

  /** Prints what the command waits for. */
  progress(line: string): void {
    this.#terminal.err(line);
  }

  /** Prints something that is not an error. */
  notice(text: string): void {
    this.#terminal.err(text, 'notice');
  }

  /** Prints a result in words. */
  say(line: string): void {
    this.#terminal.out(line);
  }

  /** The number of objects with an outcome. */
  count(outcome: ObjectChange['outcome']): number {
    return this.#objects.filter((object) => object.outcome === outcome).length;
  }

  /** Returns how many objects had which outcome, such as `2 created, 1 unchanged`. */
  get summary(): string {
    const outcomes = ['created', 'configured', 'unchanged', 'deleted', 'kept'] as const;
    const counts = outcomes.flatMap((outcome) =>
      this.count(outcome) === 0 ? [] : `${this.count(outcome)} ${outcome}`,
    );
    return counts.length === 0 ? 'nothing to do' : counts.join(', ');
  }

  /** The exit code, unless the command throws. */
  get exitCode(): number {
    return this.#checks.some(({ status }) => status === 'failed') ? 1 : 0;
  }

  /** Adds the collected results to the document. */
  finish(): void {
    const operator = this.#operator;
    const members: ClusterMembers = {
      dryRun: this.isDryRun,
      context: this.#connection?.context ?? null,
      server: this.#connection?.server ?? null,
      operator: operator === undefined ? null : { name: operator.name, namespace: operator.namespace },
      objects: this.#objects,
      ...(this.#checks.length === 0 ? {} : { checks: this.#checks }),
    };
    this.#terminal.add(members);
  }
}
