import { Worker } from 'node:worker_threads';

/** How often this process checks whether its parent still exists. */
const everyMs = 250;

/** CommonJS without imports of this package, so that it needs no separate file. */
const program = `
const { workerData: parent } = require('node:worker_threads');
const isGone = () => {
  // On Windows, the number of the parent stays.
  if (process.ppid !== parent) return true;
  try {
    process.kill(parent, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
};
setInterval(() => {
  if (isGone()) process.kill(process.pid, 'SIGKILL');
}, ${everyMs});
`;

/**
 * Kills this process soon after its parent has exited, even if the parent was killed. A closed channel notifies only the event loop, which
 * a loop in the user's code blocks. Therefore a thread watches the parent.
 *
 * @param parent the process that started this one.
 */
export function endWithParent(parent: number): void {
  const watch = new Worker(program, { eval: true, workerData: parent, execArgv: [], stdin: false });
  // If the system cannot start another thread, nothing watches the parent.
  watch.on('error', () => undefined);
  watch.unref();
}
