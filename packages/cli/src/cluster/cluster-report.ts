import type { Connection } from '@evenkeel/client';
import type { DeployedOperator } from '../generate/generation.ts';
import type { Terminal } from '../terminal.ts';
import { shownChange } from './changed-fields.ts';
import type { CheckResult } from './check-result.ts';
import type { ObjectChange } from './cluster-objects.ts';
import { shownName } from './object-name.ts';

/** The shape of the output of `--output json`. An incompatible change increases `version`; new members may be added without. */
export interface ClusterReportDocument {
  readonly version: 1;
  readonly command: string;
  /** Whether the command exits with 0. */
  readonly ok: boolean;
  readonly dryRun: boolean;
  /** The name of the context in the kubeconfig; null for the service account of a pod, or if the command has not connected. */
  readonly context: string | null;
  readonly server: string | null;
  readonly operator: { readonly name: string; readonly namespace: string } | null;
  /** In the order in which they were written. */
  readonly objects: readonly ObjectChange[];
  /** The results of `evenkeel doctor`. */
  readonly checks?: readonly CheckResult[];
  readonly notices: readonly string[];
  readonly errors: readonly { readonly code?: string; readonly message: string }[];
}

/** The longest status of a check. */
const statusWidth = 'warning'.length;
/** The longest list of changed fields of one object. */
const fieldsShown = 10;

/** Prints what a command does to the objects of a cluster, and collects it for programs. */
export class ClusterReport {
  readonly isDryRun: boolean;
  readonly #command: string;
  readonly #isJson: boolean;
  readonly #terminal: Terminal;
  readonly #objects: ObjectChange[] = [];
  readonly #checks: CheckResult[] = [];
  readonly #notices: string[] = [];
  readonly #errors: { code?: string; message: string }[] = [];
  #connection: Connection | undefined;
  #operator: DeployedOperator | undefined;

  constructor(command: string, isDryRun: boolean, isJson: boolean, terminal: Terminal) {
    this.#command = command;
    this.isDryRun = isDryRun;
    this.#isJson = isJson;
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
    this.#out(`${shownName(change)} ${outcome}${how}${reason === undefined ? '' : `: ${reason}`}`);
    for (const field of fields.slice(0, fieldsShown)) this.#out(`  ${shownChange(field)}`);
    if (fields.length > fieldsShown) this.#out(`  and ${fields.length - fieldsShown} more fields`);
  }

  /** Prints the result of a check, with the fix. The command fails if a check has failed. */
  check(result: CheckResult): void {
    this.#checks.push(result);
    const { check, status, message, details = [], fix } = result;
    this.#out(`${status.padEnd(statusWidth)}  ${check}: ${message}`);
    for (const detail of details) this.#out(`${' '.repeat(statusWidth)}    ${detail}`);
    if (fix !== undefined) this.#out(`${' '.repeat(statusWidth)}    fix: ${fix}`);
  }

  /** Prints what the command waits for. */
  progress(line: string): void {
    this.#terminal.err(line);
  }

  /** Prints something that is not an error. */
  notice(text: string): void {
    this.#notices.push(text);
    this.#terminal.err(text, 'notice');
  }

  /** Prints a result in words. */
  say(line: string): void {
    this.#out(line);
  }

  addError(code: string | undefined, message: string): void {
    this.#errors.push({ ...(code === undefined ? {} : { code }), message });
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

  /** Prints the report for programs, if the user wants it. Returns the exit code. */
  finish(): number {
    const ok = this.#errors.length === 0 && this.#checks.every(({ status }) => status !== 'failed');
    if (this.#isJson) {
      const operator = this.#operator;
      const document: ClusterReportDocument = {
        version: 1,
        command: this.#command,
        ok,
        dryRun: this.isDryRun,
        context: this.#connection?.context ?? null,
        server: this.#connection?.server ?? null,
        operator: operator === undefined ? null : { name: operator.name, namespace: operator.namespace },
        objects: this.#objects,
        ...(this.#checks.length === 0 ? {} : { checks: this.#checks }),
        notices: this.#notices,
        errors: this.#errors,
      };
      this.#terminal.out(JSON.stringify(document, undefined, 2));
    }
    return ok ? 0 : 1;
  }

  #out(line: string): void {
    if (!this.#isJson) this.#terminal.out(line);
  }
}
