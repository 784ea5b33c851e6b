/** Thrown in user code that calls `process.exit`. */
class EndOfProcess extends Error {
  override readonly name = 'EndOfProcess';
}

/** Callbacks for the user's code while it loads. */
export interface ExitTrap {
  /** Called for an uncaught error or an unhandled rejection. */
  onUnhandled(error: unknown): void;
  /** Called when the event loop is empty but a module still waits. */
  onIdle(): void;
}

/**
 * Prevents user code from ending this process: `process.exit` throws, so that its line is known and the other modules
 * still load. This cannot be undone.
 */
export function trapExit(trap: ExitTrap): void {
  process.exit = ((code?: number | string) => {
    throw new EndOfProcess(`it calls process.exit(${code ?? ''}); move code that runs the operator to the main module`);
  }) as typeof process.exit;
  process.on('uncaughtException', (error) => trap.onUnhandled(error));
  process.on('unhandledRejection', (reason) => trap.onUnhandled(reason));
  process.on('beforeExit', () => trap.onIdle());
}
