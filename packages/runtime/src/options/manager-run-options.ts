import type { ProcessPort } from '../process/stop-signal.ts';
import type { ManagerOptions } from './manager-options.ts';

export interface ManagerRunOptions extends ManagerOptions {
  /** The process that receives the signals and exits. Default: this process. */
  readonly process?: ProcessPort;
  /** The command line arguments without the program. Default: those of this process. An empty list ignores the command line. */
  readonly arguments?: readonly string[];
  /** The environment variables. Default: those of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The output of `--help`. Default: standard output. */
  readonly output?: { write(text: string): unknown };
}
