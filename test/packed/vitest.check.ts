import { readFileSync } from 'node:fs';
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../imports.fixture.ts';
import { describePacked } from './describe-packed.fixture.ts';
import { Installation } from './installation.fixture.ts';
import { pack } from './package.fixture.ts';

const example = join(root, 'examples/vitest');
const page = readFileSync(join(root, 'docs/vitest.md'), 'utf8');
const [, ofOlderVite = ''] = page.split('\n## Use an older Vite');
const blockOf = (text: string, language: string): string =>
  new RegExp(`^\`\`\`${language}[^\\n]*\\n(.*?)^\`\`\``, 'ms').exec(text)?.[1] ?? '';

describePacked('the project examples/vitest', () => {
  let folder: string;
  let project: Installation;
  beforeAll(async () => {
    folder = await mkdtemp(join(await realpath(tmpdir()), 'evenkeel-vitest-'));
    const tarballs = Object.fromEntries(
      (await pack(folder)).map(({ name, filename }) => [name, `file:${join(folder, filename)}`]),
    );
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8'));
    const wanted = { ...dependencies, ...devDependencies, ...tarballs };
    project = await Installation.create(join(folder, 'operator'), wanted, tarballs);
    const { scripts } = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8'));
    const installed = JSON.parse(readFileSync(join(project.folder, 'package.json'), 'utf8'));
    await cp(example, project.folder, { recursive: true });
    await project.write({ 'package.json': JSON.stringify({ ...installed, scripts }) });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is generated and compiled, and passes its tests', async () => {
    await project.script('generate');
    await project.script('build');
    const output = await project.script('test');
    expect(output).toMatch(/Tests +3 passed \(3\)/);
  });

  it('learns how to let Vitest compile the modules of readSources()', async () => {
    const current = readFileSync(join(example, 'vitest.config.ts'), 'utf8');
    const without = current.replace(/^ *server: .*\n/m, '');
    expect(without).not.toBe(current);
    await project.write({ 'vitest.config.ts': without });
    await expect(project.script('test')).rejects.toThrow(
      /src\/greeting\.ts cannot be imported: .*; add server: \{ deps: \{ inline: \['@evenkeel\/schema'\] \} \}/,
    );
    await project.write({ 'vitest.config.ts': current });
  });

  it('passes its tests with Vite 7 and swc, and needs swc then', async () => {
    const [command = '', ...commandArguments] = blockOf(ofOlderVite, 'sh').trim().split(' ');
    await project.run(command, ...commandArguments, '--no-audit', '--no-fund', '--loglevel=error');
    await expect(project.script('test')).rejects.toThrow(
      'Dictionary: the compiler did not record the types of its constructor parameters',
    );
    await project.write({ 'vitest.config.ts': blockOf(ofOlderVite, 'ts') });
    expect(await project.script('test')).toMatch(/Tests +3 passed \(3\)/);
  });
});
