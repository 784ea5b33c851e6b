import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Project } from '../packages/cli/src/project.fixture.ts';
import { Guide } from './guide.fixture.ts';
import { root } from './imports.fixture.ts';

const guide = readFileSync(join(root, 'docs/versions.md'), 'utf8');
const validation = readFileSync(join(root, 'docs/validation.md'), 'utf8');

describe('the guide to versions', () => {
  let project: Project;
  beforeEach(async () => {
    const [, config = ''] = /^```js\n(\/\/ jest\.config\.js\n.*?)^```$/ms.exec(validation) ?? [];
    expect(config).not.toBe('');
    // The packages' TypeScript, not their build output.
    const conditions = "{ customExportConditions: ['evenkeel-source', 'node', 'import'] }";
    project = await Project.create({
      ...new Guide('versions.md').files,
      'package.json': '{ "type": "module" }',
      'jest.config.js': config,
      'jest.here.js': `import config from './jest.config.js';\nexport default { ...config, testEnvironmentOptions: ${conditions} };`,
    });
  });
  afterEach(() => project.remove());

  function jest(): { readonly status: number | null; readonly stderr: string } {
    const program = join(root, 'node_modules/jest/bin/jest.js');
    const options = ['--experimental-vm-modules', '--no-warnings', program, '--config', 'jest.here.js', '--no-cache'];
    return spawnSync(process.execPath, options, { cwd: project.folder, encoding: 'utf8' });
  }

  it('declares versions without errors, whose tests pass with the generated one', async () => {
    expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
    expect(await project.read('config/crd/docs.example.com_shops.yaml')).toContain('strategy: Webhook');
    const { status, stderr } = jest();
    expect(stderr).toContain('Tests:       3 passed, 3 total');
    expect(status).toBe(0);
  });

  it('shows what the generated test reports if a field is not kept', async () => {
    const version = await project.read('src/shop-v1.ts');
    await project.write({
      'src/shop-v1.ts': version
        .replace("spoke: ['spec.owner'], ", '')
        .replace('keep: {', "omit: { spoke: ['spec.owner'] },\n    keep: {"),
    });
    expect((await project.run('generate')).exitCode).toBe(0);
    const { status, stderr } = jest();
    expect(status).toBe(1);
    const [, expected = ''] = /^```\n(conversion of Shop .*?)^```$/ms.exec(guide) ?? [];
    const plain = (text: string): string => text.replace(/\(seed \d+, run \d+\)/, '').replace(/^ +/gm, '');
    expect(plain(stderr)).toContain(plain(expected));
  });

  it('lists all options of a conversion', () => {
    for (const option of ['hub', 'moves', 'keep', 'toHub', 'fromHub']) expect(guide).toContain(option);
  });
});
