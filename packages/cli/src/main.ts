import { hasColors } from './colors.ts';
import { startOperatorChild } from './dev/operator/start-operator-child.ts';
import { interruptedCode } from './exit-codes.ts';
import { startLoadingProcess } from './generate/loading-process.ts';

const commandLine = process.argv.slice(2);
const isInteractive = process.stderr.isTTY === true;

// Loading the following modules takes a while, and so does starting such a process. They run in parallel.
const command = commandLine.find((word) => !word.startsWith('-'));
// What ps and top show.
if (command !== undefined && /^[a-z]{1,20}$/.test(command)) process.title = `evenkeel ${command}`;
const loads = command === 'generate' || (command === 'bundle' && !commandLine.includes('validate'));
const loading = loads ? startLoadingProcess(process.cwd()) : undefined;
// With --output json, the operator must not write to the stdout of the command.
const mayBeJson = commandLine.some((word) => word.includes('json'));
const operator = command === 'dev' && !mayBeJson ? startOperatorChild(process.cwd(), 'inherit') : undefined;
const { run } = await import('./run.ts');
const { createTerminal } = await import('./terminal.ts');

// A reader that has read enough closes the pipe, and a closed terminal fails writes too. Neither is an error. A command
// that exits by itself still finishes its work.
const abandoned = Promise.withResolvers<void>();
let notWritten: Error | undefined;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') notWritten ??= error;
    abandoned.resolve();
  });
}

const writeOut = process.stdout.write.bind(process.stdout);
let exitCode = await run(
  commandLine,
  createTerminal({
    folder: process.cwd(),
    isInteractive,
    hasColors: hasColors(process.stderr, process.env),
    abandoned: abandoned.promise,
    reserve: () => {
      process.stdout.write = process.stderr.write.bind(process.stderr);
    },
    out: (line) => writeOut(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
  }),
  { loading, operator },
);
for (const child of [loading?.child, operator]) child?.kill('SIGKILL');
// Exit explicitly after all output is written. A process that exits by itself restores the default signal handlers
// before it is gone, so a late signal that npm passes on would decide the exit code.
for (const write of [writeOut, process.stderr.write.bind(process.stderr)]) {
  await new Promise((resolve) => write('', resolve));
}
if (notWritten !== undefined) {
  process.stderr.write(`error: cannot write the whole output: ${notWritten.message}\n`);
  exitCode ||= 1;
}
if (exitCode === interruptedCode && process.platform !== 'win32') {
  // A shell or npm must see that Ctrl-C ended the command. Otherwise a loop in a script would start the next one.
  process.removeAllListeners('SIGINT');
  process.kill(process.pid, 'SIGINT');
}
process.exit(exitCode);
