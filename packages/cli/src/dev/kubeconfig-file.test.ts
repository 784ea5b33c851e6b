import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer } from '@evenkeel/apiserver';
import { SystemClock } from '@evenkeel/core';
import { KubeconfigFile, type KubeconfigFileOptions } from './kubeconfig-file.ts';

const clock = new SystemClock();

describe('the kubeconfig of a session', () => {
  let folder: string;
  const servers: ApiServer[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-kubeconfig-'));
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    await rm(folder, { recursive: true });
  });

  async function open(
    link?: KubeconfigFileOptions['link'],
  ): Promise<{ server: ApiServer; url: string; file: KubeconfigFile }> {
    const server = await ApiServer.create({ clock, controllers: false });
    servers.push(server);
    const { url } = await server.listen();
    const write = (path: string): Promise<void> => server.writeKubeconfig(path);
    const file = await KubeconfigFile.create({ folder, write, clock, ...(link && { link }) });
    return { server, url, file };
  }
  const text = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

  it('is named kubeconfig, is readable only by the user, and is deleted with the session', async () => {
    const { file, url } = await open();
    expect(await readdir(folder)).toEqual(['kubeconfig']);
    expect(file).toMatchObject({ path: join(folder, 'kubeconfig'), isAnother: false });
    expect(await text('kubeconfig')).toContain(url);
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    await file.remove();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is written if the file system does not support links', async () => {
    const link = (): Promise<never> => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' }));
    const { url } = await open(link);
    const second = await open(link);
    expect((await readdir(folder)).sort()).toEqual(['kubeconfig', 'kubeconfig-2']);
    expect(await text('kubeconfig')).toContain(url);
    expect((await stat(second.file.path)).mode & 0o777).toBe(0o600);
  });

  it('keeps the file of another running session, and deletes only its own', async () => {
    const [first, second, third] = [await open(), await open(), await open()];
    expect((await readdir(folder)).sort()).toEqual(['kubeconfig', 'kubeconfig-2', 'kubeconfig-3']);
    expect(second.file.isAnother).toBe(true);
    expect(await text('kubeconfig')).toContain(first.url);
    expect(await text('kubeconfig-2')).toContain(second.url);
    expect(await text('kubeconfig-3')).toContain(third.url);
    await second.file.remove();
    expect((await readdir(folder)).sort()).toEqual(['kubeconfig', 'kubeconfig-3']);
  });

  it('replaces the file of a killed session, even if another server has its port now', async () => {
    const { server, url } = await open();
    await server.close();
    const port = Number(new URL(url).port);
    const other = await ApiServer.create({ clock, controllers: false });
    servers.push(other);
    await other.listen({ port });
    const second = await open();
    expect(await readdir(folder)).toEqual(['kubeconfig']);
    expect(await text('kubeconfig')).toContain(second.url);
  });

  it('keeps a file that another session wrote while this one checked the file of a killed session', async () => {
    const { url, file } = await open();
    const running = await text('kubeconfig');
    const gone = createServer((_request, response) => {
      writeFileSync(file.path, running);
      response.destroy();
    });
    await once(gone.listen(0, '127.0.0.1'), 'listening');
    const { port } = gone.address() as AddressInfo;
    await writeFile(file.path, running.replace(url, `http://127.0.0.1:${port}`));
    const second = await open();
    gone.close();
    expect((await readdir(folder)).sort()).toEqual(['kubeconfig', 'kubeconfig-2']);
    expect(await text('kubeconfig')).toBe(running);
    expect(await text('kubeconfig-2')).toContain(second.url);
  });

  it('probes the server of a left-over file without its credentials, and runs no program of it', async () => {
    const answered: IncomingHttpHeaders[] = [];
    const other = createServer((request, response) => {
      answered.push(request.headers);
      response.writeHead(401);
      // A body that never ends does not delay the session.
      response.write('no');
    });
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { port } = other.address() as AddressInfo;
    const leftOver = (user: object): string =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}`, 'proxy-url': 'http://127.0.0.1:1' } }],
        users: [{ name: 'u', user }],
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
        'current-context': 'x',
      });
    const marker = join(folder, 'executed');
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: '/bin/sh',
      args: ['-c', `touch ${marker}; exit 1`],
      interactiveMode: 'Never',
    };
    await writeFile(join(folder, 'kubeconfig'), leftOver({ exec }));
    await writeFile(join(folder, 'kubeconfig-2'), leftOver({ token: 'hunter2' }));
    const third = await open();
    other.closeAllConnections();
    other.close();
    expect(third.file.path).toBe(join(folder, 'kubeconfig-3'));
    expect(await readdir(folder)).not.toContain('executed');
    expect(answered).toHaveLength(2);
    expect(JSON.stringify(answered)).not.toMatch(/authorization|hunter2/);
  });

  it('replaces an invalid kubeconfig, and keeps a file that was later written in its place', async () => {
    await writeFile(join(folder, 'kubeconfig'), '');
    const { file, url } = await open();
    expect(await text('kubeconfig')).toContain(url);
    await writeFile(file.path, 'of somebody else');
    await file.remove();
    expect(await text('kubeconfig')).toBe('of somebody else');
  });
});
