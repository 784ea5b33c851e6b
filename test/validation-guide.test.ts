import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './imports.fixture.ts';

const guide = readFileSync(join(root, 'docs/validation.md'), 'utf8');

describe('the guide to validation', () => {
  let project: string;
  beforeAll(async () => {
    project = await mkdtemp(join(await realpath(tmpdir()), 'evenkeel-validation-'));
    await symlink(join(root, 'node_modules'), join(project, 'node_modules'));
    await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  });
  afterAll(() => rm(project, { recursive: true, force: true }));

  it('has tests that pass, in a project with its configuration', async () => {
    const files = [...guide.matchAll(/^```[jt]s\n(\/\/ (\S+)\n.*?)^```$/gms)];
    expect(files.map(([, , name]) => name)).toEqual(['src/memcached.ts', 'src/memcached.test.ts', 'jest.config.js']);
    for (const [, text = '', name = ''] of files) {
      await mkdir(dirname(join(project, name)), { recursive: true });
      await writeFile(join(project, name), text);
    }
    // The packages' TypeScript, not their build output.
    const conditions = "{ customExportConditions: ['evenkeel-source', 'node', 'import'] }";
    const config = `import config from './jest.config.js';\nexport default { ...config, testEnvironmentOptions: ${conditions} };`;
    await writeFile(join(project, 'jest.here.js'), config);
    const jest = join(root, 'node_modules/jest/bin/jest.js');
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--experimental-vm-modules', '--no-warnings', jest, '--config', 'jest.here.js', '--no-cache'],
      { cwd: project, encoding: 'utf8' },
    );
    expect(stderr).toContain('Tests:       3 passed, 3 total');
    expect(status).toBe(0);
  });
});
