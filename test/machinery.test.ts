import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ApiServer } from '@evenkeel/apiserver';
import { transformSync } from 'oxc-transform';
import { root } from './imports.fixture.ts';

const run = promisify(execFile);

/** The programs of the page, in order. */
async function programs(): Promise<string[]> {
  const page = await readFile(join(root, 'docs/machinery.md'), 'utf8');
  return [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
}

describe('the programs of docs/machinery.md', () => {
  let folder: string;
  let server: ApiServer;
  let kubeconfig: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-programs-'));
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    server = await ApiServer.create();
    await server.listen();
    kubeconfig = join(folder, 'kubeconfig');
    await server.writeKubeconfig(kubeconfig);
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  async function output(text: string): Promise<string[]> {
    const { code, errors } = transformSync('program.ts', text);
    expect(errors).toEqual([]);
    const file = join(folder, 'program.mjs');
    await writeFile(file, code);
    // As TypeScript whose types Node strips, so that nothing must be built first.
    const { stdout } = await run(process.execPath, ['--conditions=evenkeel-source', file], {
      cwd: folder,
      env: { PATH: process.env['PATH'], KUBECONFIG: kubeconfig },
      timeout: 180_000,
    });
    return stdout.trim().split('\n');
  }

  it('print what they do, one after another on one server', async () => {
    const [script = '', informer = '', queue = '', ...more] = await programs();
    expect(more).toEqual([]);
    expect(await output(script)).toEqual(['a is at 2', 'b is at 2']);
    expect(await output(informer)).toEqual(['2 maps, 2 of them at 2, 0 secrets', 'a: 2 to 3', '1 at 2, 1 at 3']);
    expect(await output(queue)).toEqual(['default/a done at attempt 1', 'default/b done at attempt 2']);
  });
});
