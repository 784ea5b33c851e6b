import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './imports.fixture.ts';

// Tests run the sources. This one runs what users get.
const isBuilt = existsSync(join(root, 'packages/core/dist/index.js'));
if (!isBuilt) console.log('skipped: the packages are not built');

const program = `import { ConfigMap, Controller, createManager, Reconcile } from 'evenkeel';
class ConfigMapController {
  reconcile() {
    throw new Error('boom');
  }
}
Controller(ConfigMap)(ConfigMapController);
Reconcile()(ConfigMapController.prototype, 'reconcile', Object.getOwnPropertyDescriptor(ConfigMapController.prototype, 'reconcile'));
`;

(isBuilt ? describe : describe.skip)('the built packages', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'evenkeel-built-'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("find the line of the user's code that threw, in a test and in the log", () => {
    writeFileSync(
      join(folder, 'operator.mjs'),
      `${program}
import { Environment } from '@evenkeel/testing';
const environment = await Environment.create();
await environment.run(async (connection) => {
  const manager = await createManager({ ...connection, controllers: [ConfigMapController] });
  await manager.start();
  return manager;
});
await environment.client.create(ConfigMap, { metadata: { name: 'a', namespace: 'default' } });
const read = () => environment.client.get(ConfigMap, 'default/b');
await environment.eventually(read, { timeout: '200ms' }).catch((error) => console.log(error.message));
await environment.close();
`,
    );
    const { stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', join(folder, 'operator.mjs')], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/failed: boom \(operator\.mjs:4\)/);
    expect(stdout).toMatch(/started at operator\.mjs:\d+/);
  });
});
