// Adds platform packages to package-lock.json that npm omitted because the registry does not have them. `npm ci`
// rejects a lockfile that lacks an optional dependency, even of another platform; an entry with version, os and cpu is
// enough. Then adds the integrity hashes that npm omitted, as far as the registry serves the packages. Run it after every
// change of dependencies; `--check` only reports.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { thisPlatform, withoutIntegrity } from './without-integrity.mjs';

const file = join(dirname(dirname(fileURLToPath(import.meta.url))), 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const systems = ['android', 'darwin', 'linux', 'win32', 'freebsd', 'openharmony'];
const processors = ['x64', 'arm64', 'ia32', 'arm', 'ppc64', 's390x', 'riscv64', 'loong64', 'wasm32'];

const missing = Object.entries(lock.packages)
  .filter(([path]) => path !== '')
  .flatMap(([path, { optionalDependencies = {}, dev }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !lock.packages[`node_modules/${name}`] && !lock.packages[`${path}/node_modules/${name}`])
      .map(([name, range]) => ({ name, range, dev })),
  );

if (process.argv.includes('--check')) check();
else await complete();

function check() {
  const unverified = withoutIntegrity(lock, thisPlatform());
  const problems = [
    ...(missing.length > 0 ? [`lacks ${missing.map(({ name }) => name).join(', ')}`] : []),
    ...(unverified.length > 0
      ? [`has no integrity hash of ${unverified.map(({ name, version }) => `${name}@${version}`).join(', ')}`]
      : []),
  ];
  if (problems.length === 0) {
    console.log('package-lock.json is complete');
    return;
  }
  console.error(`package-lock.json ${problems.join(' and ')}; run node scripts/complete-lockfile.mjs`);
  process.exitCode = 1;
}

async function complete() {
  for (const { name, range, dev } of missing) lock.packages[`node_modules/${name}`] = entryOf(name, range, dev);
  const unverified = withoutIntegrity(lock);
  const hashes = await Promise.all(unverified.map(integrityOf));
  unverified.forEach(({ path }, index) => {
    if (hashes[index]) lock.packages[path] = withHash(lock.packages[path], hashes[index]);
  });
  const sorted = Object.entries(lock.packages).sort(([left], [right]) => (left < right ? -1 : 1));
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, undefined, 2)}\n`);
  const found = hashes.filter((hash) => hash).length;
  console.log(
    `added ${missing.length} platform packages and ${found} integrity hashes; ` +
      `the registry does not serve ${unverified.length - found} packages without a hash`,
  );
}

/** The hash that the registry states, or undefined where it does not serve the version. */
async function integrityOf({ name, version }) {
  const registry = process.env.npm_config_registry ?? 'https://registry.npmjs.org/';
  const response = await fetch(new URL(`${name}/${version}`, registry), { signal: AbortSignal.timeout(30_000) });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`the registry answers ${response.status} for ${name}@${version}; run it again`);
  return (await response.json()).dist?.integrity;
}

/** npm writes the hash after the version. */
function withHash({ version, ...rest }, integrity) {
  return { version, integrity, ...rest };
}

/** Derives the platform of a package from its name: `@swc/core-linux-arm64-musl`. */
function entryOf(name, range, dev) {
  const words = name.split(/[-/]/);
  const cpu = processors.filter((processor) => words.includes(processor));
  const os = systems.filter((system) => words.includes(system));
  if (os.length !== 1 && !cpu.includes('wasm32'))
    throw new Error(`${name}: cannot derive the platform from the name; add its pattern here`);
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined;
  return {
    version: range.replace(/^[~^]/, ''),
    ...(cpu.length > 0 && { cpu }),
    ...(dev && { dev }),
    optional: true,
    ...(os.length > 0 && { os }),
    ...(libc && os[0] === 'linux' && { libc: [libc] }),
  };
}
