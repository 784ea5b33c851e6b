// A registry for npm on this machine, until the packages are in npm's registry: it serves the packages of this checkout,
// and redirects requests for all others to the registry that npm uses.
//
//   npm run registry [-- --port NUMBER] [--tarballs FOLDER ...]
//
// With --tarballs, it serves the packages in these folders instead; those of the last folder have the tag "latest".
//
// Then, in another terminal: export npm_config_registry=http://127.0.0.1:4873/
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { port, tarballs } = optionsIn(process.argv.slice(2));
const upstream = execFileSync('npm', ['config', 'get', 'registry'], { cwd: root, encoding: 'utf8' }).trim();
if (upstream.startsWith(`http://127.0.0.1:${port}/`)) {
  fail('npm already uses this registry, so it cannot redirect to another one; run unset npm_config_registry first');
}

/** By their names, the versions of each: what npm asks for before it installs a package, and the package itself. */
const packages = new Map();
for (const folder of tarballs) addAll(folder);
if (tarballs.length === 0) {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-registry-'));
  try {
    const options = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
    const all = readdirSync(join(root, 'packages')).map((name) => `./packages/${name}`);
    execFileSync('npm', [...options, ...all], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    addAll(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname.slice(1));
  const [name, file] = path.split('/-/');
  const found = packages.get(name);
  if (found === undefined)
    return response.writeHead(302, { location: new URL(request.url.slice(1), upstream).href }).end();
  if (file === undefined)
    return response.writeHead(200, { 'content-type': 'application/json' }).end(documentOf(found, request.headers.host));
  const tarball = found.find((one) => one.file === file)?.tarball;
  response.writeHead(tarball === undefined ? 404 : 200, { 'content-type': 'application/octet-stream' }).end(tarball);
});
server.on('error', (error) => fail(`${error.message}; pass another port: npm run registry -- --port 4874`));
server.listen(port, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}/`;
  const names = [...packages.keys()].join(', ');
  process.stdout.write(`serving ${names}\nuse it with: export npm_config_registry=${url}\nstop it with Ctrl-C\n`);
});

/** Reads the tarballs that npm has packed into a folder. */
function addAll(folder) {
  for (const path of globSync('*.tgz', { cwd: folder })) {
    const tarball = readFileSync(join(folder, path));
    const manifest = JSON.parse(
      execFileSync('tar', ['-xzO', 'package/package.json'], { input: tarball, encoding: 'utf8' }),
    );
    const versions = packages.get(manifest.name) ?? [];
    packages.set(manifest.name, [...versions, { manifest, file: path, tarball }]);
  }
}

function documentOf(found, host) {
  const versions = found.map(({ manifest, file, tarball }) => {
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    return [
      manifest.version,
      { ...manifest, dist: { tarball: `http://${host}/${manifest.name}/-/${file}`, integrity } },
    ];
  });
  const [latest] = versions.at(-1);
  return JSON.stringify({
    name: found[0].manifest.name,
    'dist-tags': { latest },
    versions: Object.fromEntries(versions),
    // yarn and pnpm do not install a version on its first day. This is the date that npm gives to all files of a package.
    time: Object.fromEntries(versions.map(([version]) => [version, '1985-10-26T08:15:00.000Z'])),
  });
}

function optionsIn(words) {
  try {
    const options = {
      port: { type: 'string', default: '4873' },
      tarballs: { type: 'string', multiple: true, default: [] },
    };
    const { values } = parseArgs({ args: words, options });
    const port = Number(values.port);
    if (Number.isInteger(port) && port >= 0 && port <= 65_535) return { ...values, port };
  } catch {
    // An unknown option.
  }
  return fail('invalid option; the only ones are --port NUMBER and --tarballs FOLDER');
}

function fail(text) {
  process.stderr.write(`registry: ${text}\n`);
  process.exit(1);
}
