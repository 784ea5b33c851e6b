import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { Environment, eventually } from '@evenkeel/testing';
import { parse } from 'yaml';
import { freePorts } from '../../../../test/free-ports.fixture.ts';
import { root } from '../../../../test/imports.fixture.ts';
import { command } from '../command.fixture.ts';
import { hexOf } from '../registry/digest.ts';
import { nodeFiles, writeBaseLayout } from './node-base.fixture.ts';
import { ownPlatform } from './platform.ts';

const example = join(root, 'examples/nginx');
const chroot = '/usr/sbin/chroot';

const canRun = process.platform === 'linux' && process.getuid?.() === 0 && existsSync(chroot);
if (!canRun) console.log('skipped: only root on Linux can run a process in the root file system of an image');

(canRun ? describe : describe.skip)("the image of the example's operator", () => {
  let folder: string;
  let report: { readonly layerBytes: number; readonly digest: string };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-operator-image-'));
    const { architecture } = ownPlatform();
    await writeBaseLayout(join(folder, 'base'), { files: nodeFiles(), architectures: [architecture] });
    const options = ['--image', 'nginx-operator:1.0', '--base', `oci:${join(folder, 'base')}`, '--output', 'json'];
    const outputs = ['--outfile', join(folder, 'operator.mjs'), '--layout', join(folder, 'image')];
    const printed = execFileSync(process.execPath, [...command, 'build', ...options, ...outputs], { cwd: example });
    report = JSON.parse(String(printed)).image;
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has at most 3 MB without its base', () => {
    expect(report.layerBytes).toBeGreaterThan(300_000);
    expect(report.layerBytes).toBeLessThan(3_000_000);
  });

  it('runs as another user than root, without anything else of the machine, and is ready', async () => {
    const files = join(folder, 'root');
    await mkdir(files);
    const blob = (digest: string) => join(folder, 'image/blobs/sha256', hexOf(digest));
    const manifest = JSON.parse(await readFile(blob(report.digest), 'utf8'));
    for (const { digest } of manifest.layers as { digest: string }[])
      execFileSync('tar', ['--extract', '--file', blob(digest), '--directory', files]);
    const { config } = JSON.parse(await readFile(blob(manifest.config.digest), 'utf8'));
    const definition = await readFile(join(example, 'config/crd/web.example.com_nginxes.yaml'), 'utf8');
    const definitions = [parse(definition) as CustomResourceDefinition];
    const environment = await Environment.create({ kind: 'embedded', definitions });
    try {
      // The only file that the image does not have, as a kubelet mounts a token.
      await writeFile(join(files, 'kubeconfig'), await readFile(await environment.kubeconfig()), { mode: 0o644 });
      const [port] = await freePorts(1);
      const health = `127.0.0.1:${port}`;
      const program = [...config.Entrypoint, `--health-address=${health}`, '--metrics-address=0'];
      const settings = Object.fromEntries(config.Env.map((each: string) => each.split('=')));
      const operator = spawn(chroot, [`--userspec=${config.User}`, files, ...program], {
        env: { ...settings, KUBECONFIG: '/kubeconfig' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let log = '';
      for (const stream of [operator.stdout, operator.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          log += text;
        });
      }
      try {
        const ready = await eventually(async () => {
          const response = await fetch(`http://${health}/readyz`).catch((error: Error) => {
            throw new Error(`${error.message}; exit code ${operator.exitCode}, log:\n${log}`);
          });
          expect(response.status).toBe(200);
          return response.text();
        });
        expect(ready).toContain('ok');
        const status = await readFile(`/proc/${operator.pid}/status`, 'utf8');
        expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).toBe('65532');
        expect(/^Gid:\s+(\d+)/m.exec(status)?.[1]).toBe('65532');
        const ended = once(operator, 'exit');
        operator.kill('SIGTERM');
        expect(await ended).toEqual([0, null]);
      } finally {
        operator.kill('SIGKILL');
      }
    } finally {
      await environment.close();
    }
  });
});
