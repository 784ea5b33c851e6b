import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { examples } from './examples.fixture.ts';
import { root } from './imports.fixture.ts';
import { describeWithRealServer, type RealServer, startRealServer } from './real-server.fixture.ts';

describeWithRealServer('the tests of an example on a cluster', () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await startRealServer('nodes');
  });
  afterAll(() => server?.stop());

  it.each(examples)('pass: %s', async (name) => {
    const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
    const env = { ...process.env, USE_EXISTING_CLUSTER: 'true', KUBECONFIG: server.kubeconfig };
    const tests = `examples/${name}/src/operator.test.ts`;
    const { stderr } = await promisify(execFile)(process.execPath, [...jest, tests], { cwd: root, env });
    expect(stderr).toMatch(/^Tests: +\d+ passed, \d+ total$/m);
  });
});
