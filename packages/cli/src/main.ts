import { startLoadingProcess } from './generate/loading-process.ts';

const commandLine = process.argv.slice(2);
const isInteractive = process.stderr.isTTY === true;
const { NO_COLOR = '', TERM } = process.env;

// Loading what follows takes a while, and so does that process: side by side.
const command = commandLine.find((word) => !word.startsWith('-'));
const loading = command === 'generate' ? startLoadingProcess(process.cwd()) : undefined;
const { run } = await import('./run.ts');

// Whoever has read enough closes the pipe, and a terminal that is closed takes no more either: that is no mistake. A command
// that ends by itself does its work all the same.
const abandoned = Promise.withResolvers<void>();
let notWritten: Error | undefined;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') notWritten ??= error;
    abandoned.resolve();
  });
}

let exitCode = await run(
  commandLine,
  {
    folder: process.cwd(),
    isInteractive,
    hasColors: isInteractive && NO_COLOR === '' && TERM !== 'dumb',
    abandoned: abandoned.promise,
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
  },
  loading,
);
loading?.child.kill('SIGKILL');
// At once, when all is written: a process that ends by itself leaves signals to the system while it is taken down, and one
// that npm passes on late would decide what it exits with.
for (const stream of [process.stdout, process.stderr]) await new Promise((resolve) => stream.write('', resolve));
if (notWritten !== undefined) {
  process.stderr.write(`error: not all could be written: ${notWritten.message}\n`);
  exitCode ||= 1;
}
process.exit(exitCode);
