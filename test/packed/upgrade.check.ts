import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../imports.fixture.ts';
import { describePacked } from './describe-packed.fixture.ts';
import { gitIdentity } from './git-identity.fixture.ts';
import { execute } from './installation.fixture.ts';
import { LocalRegistry } from './local-registry.fixture.ts';
import { pack } from './package.fixture.ts';
import { repack } from './repacked.fixture.ts';
import { TutorialReader } from './tutorial-reader.fixture.ts';

const page = readFileSync(join(root, 'docs/upgrade.md'), 'utf8');

/** The version that the page shows as the new one, and the one that this test makes. */
const newVersions = { '0.2.0': '0.2.0-test.1' };

const changelog = `### Added

- \`evenkeel upgrade\`.

### Changed

- The option \`rbac\` of evenkeel.config.ts is now \`deployment\`.
`;

/**
 * The upgrade in docs/upgrade.md, of the project in `project-of-0.1.0`. It is what `npm create evenkeel` of that version wrote, without
 * its tests, and with the option \`rbac\` that checkouts of that version accepted before the first release.
 */
describePacked('the upgrade of a project', () => {
  let folder: string;
  let project: string;
  let registry: LocalRegistry;
  let variables: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(await realpath(tmpdir()), 'evenkeel-upgrade-'));
    const current = join(folder, 'current');
    await mkdir(current);
    await pack(current);
    const old = join(folder, 'old');
    await repack(current, old, '0.1.0', '- The first version.\n');
    const next = join(folder, 'next');
    await repack(current, next, '0.2.0-test.1', changelog);
    registry = await LocalRegistry.start([old, next]);
    project = join(folder, 'cache-operator');
    await cp(join(root, 'test/packed/project-of-0.1.0'), project, { recursive: true });
    await rename(join(project, 'gitignore'), join(project, '.gitignore'));
    variables = {
      npm_config_registry: registry.setting.split('=')[1] ?? '',
      // Packages of another run must not come from npm's cache.
      npm_config_cache: join(folder, 'cache'),
      npm_config_update_notifier: 'false',
      npm_config_loglevel: 'error',
      ...gitIdentity,
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      NO_COLOR: '1',
    };
    await execute('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], project, variables);
    execFileSync('git', ['init', '--quiet'], { cwd: project });
  });
  afterAll(async () => {
    await registry?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('prints what docs/upgrade.md shows, and leaves a project that the new version accepts', async () => {
    const reader = new TutorialReader({ folder: project, standIns: {}, replaced: newVersions, variables });
    await reader.follow(page);
    const manifest = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
    expect(manifest.dependencies.evenkeel).toBe('^0.2.0-test.1');
    expect(await readFile(join(project, 'evenkeel.config.ts'), 'utf8')).toContain(
      "  deployment: { serviceAccount: 'caches' },\n",
    );
    expect(await execute('npx', ['evenkeel', '--version'], project, variables)).toBe('0.2.0-test.1\n');
    expect(await execute('npx', ['evenkeel', 'generate', '--check'], project, variables)).toMatch(/files are current/);
    expect(await execute('npm', ['ls', '--all'], project, variables)).not.toContain('evenkeel@0.1.0');
  });
});
