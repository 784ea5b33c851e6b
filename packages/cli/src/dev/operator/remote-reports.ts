import type { ReportOptions } from '../narrator.ts';
import type { Reports } from '../reports.ts';
import type { Channel } from './channel.ts';
import type { CommandSide } from './operator-contract.ts';

/** Sends all lines to the command, which prints them. */
export class RemoteReports implements Reports {
  readonly #command: Channel<CommandSide>;

  constructor(command: Channel<CommandSide>) {
    this.#command = command;
  }

  report(topic: string, text: string, options?: ReportOptions): void {
    this.#command.tell('report', { topic, text, options });
  }

  renew(about: string): void {
    this.#command.tell('renew', about);
  }

  quote(stack: string): void {
    this.#command.tell('quote', stack);
  }
}
