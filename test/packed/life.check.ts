import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeBaseLayout } from '../../packages/cli/src/image/node-base.fixture.ts';
import { ownPlatform } from '../../packages/cli/src/image/platform.ts';
import { root } from '../imports.fixture.ts';
import { hasKubectl } from '../kubectl/kubectl-on-path.fixture.ts';
import { describePacked } from './describe-packed.fixture.ts';
import { gitIdentity } from './git-identity.fixture.ts';
import { LocalRegistry } from './local-registry.fixture.ts';
import { pack } from './package.fixture.ts';
import { repack } from './repacked.fixture.ts';
import { TutorialCluster } from './tutorial-cluster.fixture.ts';
import { TutorialReader } from './tutorial-reader.fixture.ts';

const page = readFileSync(join(root, 'docs/tutorial.md'), 'utf8');
const operator = 'cache-operator';

/** What the version that the page shows as the new one has changed. */
const changelog = '### Fixed\n\n- A mistake.\n';
const describeLife = hasKubectl() ? describePacked : describe.skip;

/**
 * The whole life of an operator in a terminal, as docs/tutorial.md shows it: it is created from the packed packages, runs with
 * a reload, is tested, built, deployed, changed, checked, upgraded to another version of the framework and removed. A section of the
 * page is a step. `upgrade.check.ts` upgrades a project with sources that the new version must change, as docs/upgrade.md shows it.
 */
describeLife('the life of an operator', () => {
  let folder: string;
  let registry: LocalRegistry | undefined;
  let cluster: TutorialCluster | undefined;
  let reader: TutorialReader | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(await realpath(tmpdir()), 'evenkeel-life-'));
    await writeBaseLayout(join(folder, 'node-24'), { architectures: [ownPlatform().architecture] });
  });
  afterAll(async () => {
    await reader?.close();
    await cluster?.close();
    await registry?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is the one of the tutorial', async () => {
    const variables: Record<string, string> = {
      // Packages of another run must not come from npm's cache.
      npm_config_cache: join(folder, 'cache'),
      npm_config_loglevel: 'error',
      npm_config_update_notifier: 'false',
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      NO_COLOR: '1',
      ...gitIdentity,
    };
    const standIns = {
      'npm run registry': async () => {
        registry = await LocalRegistry.start();
      },
      'export npm_config_registry=http://127.0.0.1:4873/': async () => {
        const [name = '', value = ''] = (registry?.setting ?? '').replace('export ', '').split('=');
        expect(name).toBe('npm_config_registry');
        variables[name] = value;
      },
      'kind create cluster': async () => {
        cluster = await TutorialCluster.create(folder, operator);
        variables['KUBECONFIG'] = await cluster.kubeconfig();
      },
      'kind load image-archive dist/image.tar': async () => {
        await cluster?.load(join(folder, operator, 'dist/image.tar'));
      },
      'kind delete cluster': async () => {
        const started = cluster?.started ?? [];
        expect(started.map(({ image }) => image)).toEqual(
          ['0.1.0', '0.2.0', '0.3.0'].map((version) => `${operator}:${version}`),
        );
        const logs = started.map(({ key }) => cluster?.logs(key) ?? '');
        // The finalizer of the last version, before the operator was removed.
        expect(logs.map((log) => log.includes('the clients must use another cache'))).toEqual([false, false, true]);
      },
    };
    const replaced = { 'node:24-slim': 'oci:../node-24' };
    reader = new TutorialReader({ folder, standIns, replaced, variables });
    const [before, after = ''] = page.split(/^(?=## Upgrade Evenkeel$)/m);
    await reader.follow(before ?? '');
    registry = await withNextVersion(folder, registry);
    await reader.follow(after);
  });

  it('begins with the port of npm run registry', () => {
    const program = readFileSync(join(root, 'scripts/registry.mjs'), 'utf8');
    const [, port] = /port: \{ type: 'string', default: '(\d+)' \}/.exec(program) ?? [];
    expect(page).toContain(`export npm_config_registry=http://127.0.0.1:${port}/\n`);
  });
});

/** Replaces the registry by one that also has the version that the page shows as the new one. */
async function withNextVersion(folder: string, registry: LocalRegistry | undefined): Promise<LocalRegistry> {
  const current = join(folder, 'current');
  await mkdir(current);
  await pack(current);
  const next = join(folder, 'next');
  await repack(current, next, '0.1.1', changelog);
  // Lockfiles contain the address of the registry.
  const { port } = new URL(registry?.url ?? '');
  await registry?.stop();
  return LocalRegistry.start([current, next], { port });
}
