// Prepares a checkout so that its programs can run: installs the packages of the lockfile if they are missing, builds
// changed sources, and removes build output of removed sources. It runs before every npm script, on the machine's Node
// (20 or later) and without dependencies, because it may be the first program that runs in a fresh clone.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeStaleOutput } from './stale-output.mjs';
import { thisPlatform, withoutIntegrity } from './without-integrity.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lockfile = join(root, 'package-lock.json');
const installed = join(root, 'node_modules', '.package-lock.json');
const stamp = join(root, 'node_modules', '.cache', 'evenkeel', 'lockfile.sha256');
const node = join(root, 'node_modules', '.bin', 'node');

const lockfileHash = createHash('sha256').update(readFileSync(lockfile)).digest('hex');
if (!isInstalled()) await install();
if (!existsSync(node)) linkOwnNode();
await build();

function isInstalled() {
  if (!existsSync(installed)) return false;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockfileHash) return true;
  return statSync(installed).mtimeMs >= statSync(lockfile).mtimeMs;
}

async function install() {
  const reason = existsSync(installed) ? 'node_modules is older than package-lock.json' : 'node_modules is missing';
  rejectUnverifiedPackages();
  say(`${reason}: running npm ci (half a minute or less)`);
  const started = Date.now();
  // None of the packages needs its install script; native ones are platform packages.
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  await run(npm ? process.execPath : 'npm', npm ? [npm, ...options] : options, 'npm ci failed; see above');
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, lockfileHash);
  say(`installed in ${seconds(started)}`);
}

/** npm installs a package without a hash unchecked. The lockfile lacks hashes of platforms that its registry did not serve. */
function rejectUnverifiedPackages() {
  const unverified = withoutIntegrity(JSON.parse(readFileSync(lockfile, 'utf8')), thisPlatform());
  if (unverified.length === 0) return;
  const names = unverified.map(({ name, version }) => `${name}@${version}`).join(', ');
  fail(
    `package-lock.json has no integrity hash of ${names}; run node scripts/complete-lockfile.mjs, which adds the hashes that the registry states, and commit the lockfile`,
  );
}

/** On a platform without a packaged Node, uses the machine's Node if it is new enough. */
function linkOwnNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 19)) {
    fail(
      `there is no Node package for ${process.platform}-${process.arch}, and this Node is ${process.version}; install Node 22.19 or later`,
    );
  }
  symlinkSync(process.execPath, node);
}

async function build() {
  const started = Date.now();
  const fresh = !existsSync(join(root, 'packages', 'core', 'dist'));
  if (fresh) say('building');
  await run(node, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '--build'], 'the build failed; see above');
  await run(node, [join(root, 'scripts', 'bundle.mjs')], 'the packages could not be bundled; see above');
  const stale = removeStaleOutput(root);
  if (stale.length > 0) say(`removed ${stale.length} build outputs of removed sources`);
  if (fresh || Date.now() - started > 2000) say(`built in ${seconds(started)}`);
}

/**
 * Runs a program until it exits. A signal kills it together with this process, because half an installation must not
 * continue.
 */
function run(command, commandArguments, failure) {
  const child = spawn(command, commandArguments, { cwd: root, stdio: ['ignore', 2, 2] });
  const interrupt = () => {
    child.kill('SIGKILL');
    process.exit(130);
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  return new Promise((resolve) => {
    child.on('error', (error) => fail(`${failure} (${error.message})`));
    child.on('exit', (status) => {
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
      if (status !== 0) fail(failure);
      resolve();
    });
  });
}

// To stderr, because standard output belongs to the following program.
function say(text) {
  process.stderr.write(`prepare: ${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}

function seconds(started) {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`;
}
