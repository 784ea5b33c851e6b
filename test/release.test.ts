import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectFiles } from '../packages/cli/src/scaffold/project-files.ts';
import { planProject } from '../packages/cli/src/scaffold/project-plan.ts';
import { root } from './imports.fixture.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly [section: string]: unknown;
}

const sections = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
const isOurs = (name: string): boolean => /^(?:@evenkeel\/|evenkeel$|create-evenkeel$)/.test(name);

const packages = globSync('packages/*/package.json', { cwd: root }).sort();
const examples = globSync('examples/*/package.json', { cwd: root })
  .filter((path) => !path.includes('vitest'))
  .sort();

function read<T = Manifest>(folder: string, path: string): T {
  return JSON.parse(readFileSync(join(folder, path), 'utf8')) as T;
}

/** The ranges of our packages in a package.json or an entry of a lockfile, as `NAME RANGE`. */
function rangesIn(manifest: Readonly<Record<string, unknown>>): string[] {
  return sections.flatMap((section) =>
    Object.entries((manifest[section] ?? {}) as Record<string, string>)
      .filter(([name]) => isOurs(name))
      .map(([name, range]) => `${name} ${range}`),
  );
}

/** Throws unless everything in a checkout has a version. */
function expectVersion(folder: string, version: string): void {
  expect(packages.map((path) => `${path} ${read(folder, path).version}`)).toEqual(
    packages.map((path) => `${path} ${version}`),
  );
  const ranges = [...packages, ...examples].flatMap((path) => rangesIn(read(folder, path)));
  expect(ranges.length).toBeGreaterThan(20);
  expect(ranges.filter((range) => !range.endsWith(` ${version}`))).toEqual([]);
  const { packages: locked } = read<{ packages: Record<string, Manifest> }>(folder, 'package-lock.json');
  const entries = packages.map((path) => locked[dirname(path)]);
  expect(entries.map((entry) => entry?.version)).toEqual(packages.map(() => version));
  expect(
    Object.values(locked)
      .flatMap(rangesIn)
      .filter((range) => !range.endsWith(` ${version}`)),
  ).toEqual([]);
}

const version = read(root, 'packages/evenkeel/package.json').version;

describe('the versions', () => {
  it('are the same in all packages, in what they depend on, in the examples and in the lockfile', () => {
    expectVersion(root, version);
  });

  it('of peers are also declared by each package that depends on a package with peers, because yarn requires it', () => {
    const manifests = new Map(packages.map((path) => read(root, path)).map((manifest) => [manifest.name, manifest]));
    const rangesOf = (name: string, section: string) =>
      (manifests.get(name)?.[section] ?? {}) as Readonly<Record<string, string>>;
    const optional = (name: string) => Object.keys(rangesOf(name, 'peerDependenciesMeta'));
    const missing = [...manifests.keys()].flatMap((name) => {
      const own = { ...rangesOf(name, 'dependencies'), ...rangesOf(name, 'peerDependencies') };
      return Object.keys(rangesOf(name, 'dependencies')).flatMap((dependency) =>
        Object.entries(rangesOf(dependency, 'peerDependencies'))
          .filter(([peer, range]) => !optional(dependency).includes(peer) && own[peer] !== range)
          .map(([peer, range]) => `${name}: ${peer} ${range}, of ${dependency}`),
      );
    });
    expect(missing).toEqual([]);
  });

  it('are those that a new project has', () => {
    const files = projectFiles(planProject({ folder: 'shop', kinds: 'Shop', group: 'example.com' }, '/'));
    const ranges = rangesIn(JSON.parse(files['package.json'] ?? ''));
    expect(ranges.toSorted()).toEqual(
      ['@evenkeel/cli', '@evenkeel/schema', '@evenkeel/testing', 'evenkeel'].map((name) => `${name} ^${version}`),
    );
  });
});

describe('npm run version:all', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'evenkeel-version-'));
    for (const path of [...packages, ...examples, 'package-lock.json']) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      cpSync(join(root, path), join(folder, path));
    }
    writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\nText.\n\n## Unreleased\n\n### Added\n\n- A.\n');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const run = (program: string, ...options: string[]): { status: number | null; stdout: string; stderr: string } => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts', program), ...options], {
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  const changelog = (): string => readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');

  it('gives everything a version, and the changelog its section', () => {
    const { status, stderr } = run('version.mjs', '9.8.7-rc.1', '--root', folder, '--date', '2026-12-24');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expectVersion(folder, '9.8.7-rc.1');
    expect(changelog()).toBe(
      '# Changelog\n\nText.\n\n## Unreleased\n\n## 9.8.7-rc.1 (2026-12-24)\n\n### Added\n\n- A.\n',
    );
  });

  it('changes nothing but versions', () => {
    run('version.mjs', '9.8.7', '--root', folder);
    for (const path of [...packages, ...examples, 'package-lock.json']) {
      const changed = readFileSync(join(folder, path), 'utf8').replaceAll('9.8.7', version);
      expect({ path, text: changed }).toEqual({ path, text: readFileSync(join(root, path), 'utf8') });
    }
  });

  it.each([
    ['v1', '# C\n\n## Unreleased\n\n- A.\n', '"v1" is not a version'],
    ['1.0.0', '# C\n\n## Unreleased\n\n## 0.1.0 (2026-01-01)\n\n- A.\n', 'nothing is listed below "## Unreleased"'],
    ['1.0.0', '# C\n\n## 0.1.0 (2026-01-01)\n\n- A.\n', 'the first version must be "## Unreleased"'],
  ])('rejects %s with the changelog %j', (wanted, text, message) => {
    writeFileSync(join(folder, 'CHANGELOG.md'), text);
    const { status, stderr } = run('version.mjs', wanted, '--root', folder);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
    expectVersion(folder, version);
    expect(changelog()).toBe(text);
  });

  it('writes the address of the repository into all packages', () => {
    expect(run('set-repository.mjs', 'ann/evenkeel', '--root', folder)).toMatchObject({ status: 0, stderr: '' });
    expect(packages.map((path) => read(folder, path)['repository'])).toEqual(
      packages.map((path) => ({
        type: 'git',
        url: 'git+https://github.com/ann/evenkeel.git',
        directory: dirname(path),
      })),
    );
    expect(run('set-repository.mjs', 'https://example.com', '--root', folder).status).toBe(1);
  });
});
