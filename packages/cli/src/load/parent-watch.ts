import { Worker } from 'node:worker_threads';

/** How often the parent is looked for. */
const everyMs = 250;

/** CommonJS without imports of this package, so that it needs no file of its own. */
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
 * Kills this process soon after its parent has gone, however the parent ended. A closed channel tells the event loop, but a loop in
 * the user's code blocks that, so a thread watches.
 *
 * @param parent the process that started this one.
 */
export function endWithParent(parent: number): void {
  const watch = new Worker(program, { eval: true, workerData: parent, execArgv: [], stdin: false });
  // A system without a further thread has no watch.
  watch.on('error', () => undefined);
  watch.unref();
}
