// The program of an operator's process in `evenkeel dev`. It first loads the framework, so that a process that waits as a spare
// only has to load the user's modules.
import { enableCompileCache, flushCompileCache } from 'node:module';
import type { ChannelMessage } from './channel.ts';
import type { CommandSide } from './operator-contract.ts';

const [, , compileCache = '', parent = ''] = process.argv;
if (compileCache !== '') enableCompileCache(compileCache);
process.title = 'evenkeel dev';

// A terminal signals all processes. The command decides when this one stops.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// User code may have replaced process.exit().
const exit = process.exit.bind(process);
// The command has stopped the operator, or has been killed.
process.on('disconnect', () => exit(0));
// The command itself reports that its output was closed.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const send = (message: ChannelMessage): void => {
  // The channel may already be closed.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};

const parts = await Promise.all([
  import('./channel.ts'),
  import('./child-operator.ts'),
  import('../fetch-callers.ts'),
  import('../../load/parent-watch.ts'),
]).catch((error: unknown) => {
  const { code, message = '' } = error as { code?: string; message?: string };
  const missing = /^Cannot find package '([^']+)'/.exec(message)?.[1];
  if (code !== 'ERR_MODULE_NOT_FOUND' || missing === undefined) throw error;
  return missing;
});
// Before the user's modules load, because nearly all cached code is code of packages.
flushCompileCache();

if (typeof parts === 'string') {
  const message = `evenkeel needs the package "${parts}", which is not installed; run npm install ${parts}`;
  process.on('message', (request: ChannelMessage) => {
    if (!('call' in request) || request.id === undefined) return;
    send({ reply: request.id, error: { message, stack: message, code: 'module-not-loaded' } });
  });
} else {
  const [{ Channel }, { ChildOperator }, { traceFetch }, { endWithParent }] = parts;
  // Before the user's modules load, because they may loop.
  endWithParent(Number(parent));
  traceFetch();
  let operator: InstanceType<typeof ChildOperator> | undefined;
  const channel: InstanceType<typeof Channel<CommandSide>> = new Channel<CommandSide>(send, {
    load: (value: never) => operator?.load(value),
    warmUp: (value: never) => operator?.warmUp(value),
    start: (value: never) => operator?.start(value),
    running: () => operator?.running(),
    answer: (value: never) => operator?.answer(value),
    stop: () => operator?.stop(),
  });
  operator = new ChildOperator(channel);
  process.on('message', (message: ChannelMessage) => channel.receive(message));
}
