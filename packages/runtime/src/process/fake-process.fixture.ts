import type { ProcessPort } from './stop-signal.ts';

/** Records the exit codes instead of exiting. */
export class FakeProcess implements ProcessPort {
  readonly listeners = new Map<string, Set<() => void>>();
  readonly exits: number[] = [];

  on(signal: string, listener: () => void): void {
    this.listeners.set(signal, (this.listeners.get(signal) ?? new Set()).add(listener));
  }

  off(signal: string, listener: () => void): void {
    this.listeners.get(signal)?.delete(listener);
  }

  exit(code: number): void {
    this.exits.push(code);
  }

  send(signal: string): void {
    for (const listener of this.listeners.get(signal) ?? []) listener();
  }
}
