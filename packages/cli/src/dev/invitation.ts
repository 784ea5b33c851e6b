import { relative } from 'node:path';
import type { DevSession } from './dev-session.ts';
import type { Narrator } from './narrator.ts';

export interface InvitationOptions {
  /** The working folder. */
  readonly folder: string;
  readonly reloads: boolean;
  readonly hasKeys: boolean;
}

/** The commands to try on a session. Each is printed once; if convergence is slow, some become known later. */
export class Invitation {
  readonly #session: DevSession;
  readonly #narrator: Narrator;
  readonly #options: InvitationOptions;
  readonly #shown = new Set<string>();

  constructor(session: DevSession, narrator: Narrator, options: InvitationOptions) {
    this.#session = session;
    this.#narrator = narrator;
    this.#options = options;
  }

  print(): void {
    const { kubeconfig } = this.#session.server;
    const commands = [
      `export KUBECONFIG=${shortest(this.#options.folder, kubeconfig)}`,
      ...this.#session.commandsWorthTrying(),
    ];
    const remaining = commands.filter((command) => !this.#shown.has(command));
    if (remaining.length === 0) return;
    this.#narrator.print('');
    this.#narrator.heading(this.#shown.size === 0 ? this.#first() : 'Also try:');
    for (const command of remaining) {
      this.#narrator.print(`  ${command}`);
      this.#shown.add(command);
    }
    this.#narrator.print('');
  }

  #first(): string {
    const { reloads, hasKeys } = this.#options;
    const runs = reloads
      ? 'It runs until Ctrl-C, and loads your code again when you change it.'
      : 'It runs until Ctrl-C. After a change of your code, restart it.';
    return `${runs}${hasKeys ? ' Press h for the keys.' : ''} In another terminal, try:`;
  }
}

function shortest(folder: string, file: string): string {
  const fromHere = relative(folder, file);
  return fromHere.startsWith('..') ? file : fromHere;
}
