import type { ProcessPort } from '../process/stop-signal.ts';
import type { ManagerOptions } from './manager-options.ts';
import type { OperatorDeclaration } from './operator.ts';

/** What is known only when an operator is deployed and run. What it is, {@link defineOperator} declares. */
export interface ManagerRunOptions extends Omit<ManagerOptions, keyof OperatorDeclaration> {
  /**
   * The namespaces to watch in this run. If the declaration lists namespaces, only those can be selected, because only they
   * have a Role. Default: as declared.
   */
  readonly namespaces?: readonly string[];
  /** The process that receives the signals and exits. Default: this process. */
  readonly process?: ProcessPort;
  /** The command line arguments without the program. Default: those of this process. An empty list ignores the command line. */
  readonly arguments?: readonly string[];
  /** The environment variables. Default: those of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The output of `--help`. Default: standard output. */
  readonly output?: { write(text: string): unknown };
}
