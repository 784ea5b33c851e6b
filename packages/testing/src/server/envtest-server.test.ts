import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnvtestServer } from './envtest-server.ts';

let assets: string;
beforeEach(async () => {
  assets = await mkdtemp(join(tmpdir(), 'evenkeel-assets-'));
});
afterEach(() => rm(assets, { recursive: true, force: true }));

async function asset(name: string, script: string): Promise<void> {
  await writeFile(join(assets, name), `#!${process.execPath}\n${script}\n`);
  await chmod(join(assets, name), 0o755);
}

describe('the assets of EnvtestServer', () => {
  it('must be configured', async () => {
    await expect(EnvtestServer.start(undefined)).rejects.toMatchObject({
      code: 'test-assets-missing',
      message: expect.stringMatching(/^KUBEBUILDER_ASSETS is not set; install them .* or unset it /),
    });
  });

  it('must all exist', async () => {
    await asset('etcd', '');
    await expect(EnvtestServer.start(assets)).rejects.toMatchObject({
      code: 'test-assets-missing',
      message: expect.stringContaining(`KUBEBUILDER_ASSETS is ${assets}, which has no executable kube-apiserver`),
    });
  });

  it('must be executable', async () => {
    await writeFile(join(assets, 'etcd'), '', { mode: 0o644 });
    await expect(EnvtestServer.start(assets)).rejects.toMatchObject({ code: 'test-assets-missing' });
  });
});

describe('EnvtestServer, if the server does not start,', () => {
  it('reports the end of its log, and removes everything', async () => {
    await asset('etcd', 'setInterval(() => {}, 1000)');
    await asset(
      'kube-apiserver',
      `require('fs').writeFileSync(${JSON.stringify(join(assets, 'folder'))}, process.cwd());
       for (let line = 1; line <= 20; line++) console.error('line ' + line);
       console.error('Error: unknown flag: --allow-privileged');
       process.exitCode = 1;`,
    );
    const error = await EnvtestServer.start(assets).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'test-server-not-started' });
    const { message } = error as Error;
    expect(message).toContain('did not start: kube-apiserver exited (exit 1); see the end of its log:\nline 12\n');
    expect(message.endsWith('\nError: unknown flag: --allow-privileged')).toBe(true);
    expect(existsSync(await readFile(join(assets, 'folder'), 'utf8'))).toBe(false);
  });

  it('tries three times if another program has taken its port', async () => {
    await asset('kube-apiserver', 'setInterval(() => {}, 1000)');
    await asset(
      'etcd',
      `require('fs').appendFileSync(${JSON.stringify(join(assets, 'starts'))}, process.argv.find((it) => it.startsWith('--listen-peer')) + '\\n');
       console.error('listen tcp 127.0.0.1:1: bind: address already in use');
       process.exitCode = 1;`,
    );
    await expect(EnvtestServer.start(assets)).rejects.toMatchObject({
      message: expect.stringContaining('etcd exited (exit 1)'),
    });
    const peers = (await readFile(join(assets, 'starts'), 'utf8')).trim().split('\n');
    expect(peers).toHaveLength(3);
  });
});
