// A registry for npm on this machine, until the packages are in npm's registry: it serves the packages of this checkout,
// and redirects requests for all others to the registry that npm uses.
//
//   npm run registry [-- --port NUMBER]
//
// Then, in another terminal: export npm_config_registry=http://127.0.0.1:4873/
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const port = portIn(process.argv.slice(2));
const upstream = execFileSync('npm', ['config', 'get', 'registry'], { cwd: root, encoding: 'utf8' }).trim();
if (upstream.startsWith(`http://127.0.0.1:${port}/`)) {
  fail('npm already uses this registry, so it cannot redirect to another one; run unset npm_config_registry first');
}

/** By their names: what npm asks for before it installs a package, and the package itself. */
const packages = new Map();
const folder = mkdtempSync(join(tmpdir(), 'evenkeel-registry-'));
try {
  for (const name of readdirSync(join(root, 'packages'))) pack(join(root, 'packages', name));
} finally {
  rmSync(folder, { recursive: true });
}

const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname.slice(1));
  const [name, file] = path.split('/-/');
  const found = packages.get(name);
  if (found === undefined)
    return response.writeHead(302, { location: new URL(request.url.slice(1), upstream).href }).end();
  if (file === undefined)
    return response.writeHead(200, { 'content-type': 'application/json' }).end(documentOf(found, request.headers.host));
  response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(found.tarball);
});
server.on('error', (error) => fail(`${error.message}; pass another port: npm run registry -- --port 4874`));
server.listen(port, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}/`;
  const names = [...packages.keys()].join(', ');
  process.stdout.write(`serving ${names}\nuse it with: export npm_config_registry=${url}\nstop it with Ctrl-C\n`);
});

/** Packs the package as for publishing. Its build output exists already. */
function pack(from) {
  const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  const options = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
  const [{ filename }] = Object.values(JSON.parse(execFileSync('npm', options, { cwd: from, encoding: 'utf8' })));
  packages.set(manifest.name, { manifest, filename, tarball: readFileSync(join(folder, filename)) });
}

function documentOf({ manifest, filename, tarball }, host) {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const dist = { tarball: `http://${host}/${name}/-/${filename}`, integrity };
  return JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } });
}

function portIn(words) {
  try {
    const { values } = parseArgs({ args: words, options: { port: { type: 'string', default: '4873' } } });
    const number = Number(values.port);
    if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number;
  } catch {
    // An unknown option.
  }
  return fail('invalid option; the only one is --port NUMBER');
}

function fail(text) {
  process.stderr.write(`registry: ${text}\n`);
  process.exit(1);
}
