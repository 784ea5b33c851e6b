import type { ProcessPort } from '../process/stop-signal.ts';
import type { ManagerOptions } from './manager-options.ts';

export interface ManagerRunOptions extends ManagerOptions {
  /** Where signals come from and where the end goes. Default: this process. */
  readonly process?: ProcessPort;
  /** The command line's, without the program. Default: this process's; an empty list leaves it to the program. */
  readonly arguments?: readonly string[];
  /** Default: this process's. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Where `--help` is printed. Default: standard output. */
  readonly output?: { write(text: string): unknown };
}
