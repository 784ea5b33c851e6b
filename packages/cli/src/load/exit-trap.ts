/** Thrown into user code that would end the process. */
class EndOfProcess extends Error {
  override readonly name = 'EndOfProcess';
}

/** What is told of the user's code while it loads. */
export interface ExitTrap {
  /** Something was thrown that nobody waits for, or a promise was rejected that nobody looks at. */
  onUnhandled(error: unknown): void;
  /** Nothing is left to do, and still somebody waits. */
  onIdle(): void;
}

/**
 * Keeps user code from ending this process: `process.exit` throws where it is called, so that the line is known and the
 * other modules still load. There is no way back.
 */
export function trapExit(trap: ExitTrap): void {
  process.exit = ((code?: number | string) => {
    throw new EndOfProcess(`it calls process.exit(${code ?? ''}); move what runs to the main module`);
  }) as typeof process.exit;
  process.on('uncaughtException', (error) => trap.onUnhandled(error));
  process.on('unhandledRejection', (reason) => trap.onUnhandled(reason));
  process.on('beforeExit', () => trap.onIdle());
}
