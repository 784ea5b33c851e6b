import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Environment, eventually } from '@evenkeel/testing';
import { jest } from '@jest/globals';
import { type CustomResourceDefinition, Deployment } from 'evenkeel';
import { parse } from 'yaml';
import { Nginx } from '../examples/nginx/src/nginx.ts';
import { root } from './imports.fixture.ts';

jest.setTimeout(60_000);

const guide = readFileSync(join(root, 'docs/running.md'), 'utf8');
const fileOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const blockAfter = (start: string): string => {
  const [, block = ''] = guide.slice(guide.indexOf(start)).match(/^```\w+[^\n]*\n(.*?)^```$/ms) ?? [];
  return block;
};

const main = join(root, 'examples/nginx/dist/main.js');
const isBuilt = existsSync(main);
if (!isBuilt) process.stdout.write('skipped: running what docs/running.md shows: the example is not built\n');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** What it says, without what differs each time. */
const masked = (text: string): string[] =>
  text
    .replace(/"20\d\d-[\d-]+T[\d:.]+Z"/g, 'TIME')
    .replace(/127\.0\.0\.1:\d+/g, 'ADDRESS')
    .replace(/(?<=^\w+\{.*\}) \d+$/gm, ' COUNT')
    .split('\n')
    .filter((line) => line !== '');

describe('the guide to running', () => {
  let environment: Environment;
  let operator: ChildProcess | undefined;
  beforeAll(async () => {
    const definition = parse(fileOf('examples/nginx/config/crd/web.example.com_nginxes.yaml'));
    environment = await Environment.create({ kind: 'embedded', definitions: [definition as CustomResourceDefinition] });
  });
  afterAll(async () => {
    operator?.kill('SIGKILL');
    await environment.close();
  });

  it('shows the program of the first example', () => {
    expect(blockAfter('## The program')).toBe(fileOf('examples/nginx/src/main.ts'));
  });

  it('shows a Deployment that a server takes as it is', async () => {
    const manifest = parse(blockAfter('## In a cluster')) as Deployment;
    const { client } = environment;
    const namespace = manifest.metadata.namespace ?? '';
    expect(namespace).not.toBe('');
    const made = await client.create(Deployment, {
      ...manifest,
      metadata: { ...manifest.metadata, namespace: 'default' },
    });
    const [container] = manifest.spec?.template.spec?.containers ?? [];
    expect(made.spec?.template.spec?.containers[0]).toMatchObject({ ...container });
    await client.delete(Deployment, 'default/nginx-operator');
  });

  (isBuilt ? it : it.skip)('shows what it tells from its start to its end', async () => {
    const [health, metrics] = [await freePort(), await freePort()];
    const [, command = '', shown = ''] = /^\$ (node .*)\n((?:\{.*\n)*)/m.exec(blockAfter('## What you will see')) ?? [];
    const given = command.replace('8081', String(health)).replace('8080', String(metrics)).split(' ').slice(2);
    const env = { PATH: process.env['PATH'], KUBECONFIG: await environment.kubeconfig() };
    operator = spawn(process.execPath, ['--conditions=evenkeel-source', '--no-warnings', main, ...given], { env });
    let told = '';
    operator.stdout?.setEncoding('utf8').on('data', (text: string) => {
      told += text;
    });
    const ended = new Promise((resolve) => operator?.once('close', resolve));
    await environment.client.create(Nginx, { metadata: { name: 'web', namespace: 'default' }, spec: {} } as never);
    const begun = masked(shown).filter((line) => !line.includes('stop'));
    await eventually(() => expect(masked(told)).toEqual(begun), { timeout: '20s' });

    const answers = blockAfter('In another terminal');
    for (const [, url = '', body = ''] of answers.matchAll(/^\$ curl --silent '([^']+)'.*\n((?:(?!\$ ).*\n)*)/gm)) {
      const address = url.replace('8081', String(health)).replace('8080', String(metrics));
      const wanted = masked(body);
      await eventually(
        async () => {
          const got = masked(await (await fetch(`http://${address}`)).text());
          expect(got).toEqual(expect.arrayContaining(wanted));
        },
        { timeout: '20s' },
      );
    }
    operator.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(masked(told)).toEqual(masked(shown));
  });
});
