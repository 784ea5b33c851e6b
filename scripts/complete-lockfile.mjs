// Adds platform packages to package-lock.json that npm omitted because the registry does not have them. `npm ci`
// rejects a lockfile that lacks an optional dependency, even of another platform; an entry with version, os and cpu is
// enough. Run it after every change of dependencies; `--check` only reports.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

if (missing.length === 0) {
  console.log('package-lock.json has every optional dependency');
} else if (process.argv.includes('--check')) {
  console.error(
    `package-lock.json lacks ${missing.map(({ name }) => name).join(', ')}; run node scripts/complete-lockfile.mjs`,
  );
  process.exitCode = 1;
} else {
  for (const { name, range, dev } of missing) lock.packages[`node_modules/${name}`] = entryOf(name, range, dev);
  const sorted = Object.entries(lock.packages).sort(([left], [right]) => (left < right ? -1 : 1));
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, undefined, 2)}\n`);
  console.log(`added ${missing.length} platform packages`);
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
