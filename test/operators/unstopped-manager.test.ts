import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SilentLogger } from '@evenkeel/core';
import { Environment } from '@evenkeel/testing';
import { ConfigMap, controllerFor, createManager } from 'evenkeel';
import { root } from '../imports.fixture.ts';

/** How long a process may take, much more than it needs. */
const patienceMs = 60_000;

describe('a test environment whose managers were not stopped', () => {
  it('stops them when it is closed, also those that were not started, and destroys their services', async () => {
    const environment = await Environment.create({ variables: {} });
    const stopped: string[] = [];
    const create = (name: string) =>
      createManager({
        transport: environment.transport,
        logger: new SilentLogger(),
        controllers: [controllerFor(ConfigMap, { name }).reconcile(() => undefined)],
        namespaces: ['default'],
        runnables: [{ start: async () => undefined, stop: async () => void stopped.push(name) }],
      });
    const started = await create('started');
    await started.start();
    await started.waitUntilReady();
    const idle = await create('idle');
    await environment.close();
    expect(stopped).toEqual(['started']);
    for (const manager of [started, idle]) await expect(manager.start()).rejects.toThrow();
  });

  it('lets the process exit by itself', async () => {
    const fixture = join(root, 'test/operators/unstopped-manager.fixture.ts');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=evenkeel-source', '--no-warnings', fixture],
      { timeout: patienceMs, killSignal: 'SIGKILL' },
    );
    expect(stdout).toBe('closed\n');
  });
});
