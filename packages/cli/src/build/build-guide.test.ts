import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../../test/imports.fixture.ts';
import { commandsIn } from '../../../../test/shown-output.fixture.ts';
import { buildCommand } from '../commands/build.ts';
import { writeBaseLayout } from '../image/node-base.fixture.ts';
import { ownPlatform, platformText } from '../image/platform.ts';
import { Project } from '../project.fixture.ts';
import { CommandTerminal } from '../report/command-terminal.ts';
import { projectFiles } from '../scaffold/project-files.ts';
import { planProject } from '../scaffold/project-plan.ts';
import { createTerminal } from '../terminal.ts';

const page = readFileSync(join(root, 'docs/build.md'), 'utf8');
const files = projectFiles(
  planProject({ folder: 'cache-operator', kinds: 'Memcached', group: 'cache.example.com' }, '/'),
);

/** The output without what depends on the versions of packages and on the processor. */
function comparable(output: string): string {
  return output
    .replace(/[\d,.]+ (KB|MB)/g, 'SIZE $1')
    .replace(`for ${platformText(ownPlatform())}, SIZE`, 'for linux/amd64, SIZE')
    .trim();
}

describe('the guide to images', () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.create(files);
    await writeBaseLayout(join(project.folder, 'node-24'), { architectures: ['amd64', 'arm64'] });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0 });
  });
  afterAll(() => project?.remove());

  it('shows the output of its commands', async () => {
    const blocks = [...page.matchAll(/^```console\n(.*?)^```$/gms)].map(([, block = '']) => block);
    const commands = blocks.flatMap(commandsIn);
    expect(commands.length).toBeGreaterThan(3);
    for (const { command, output } of commands) {
      const printed = await project.process(...command.replace('npx evenkeel ', '').split(' '));
      expect({ command, output: comparable(printed.output) }).toEqual({ command, output: comparable(output) });
    }
  });

  it('uses the names in evenkeel.config.ts, and prints a report for programs', async () => {
    const options =
      "{ image: { base: 'oci:node-24', platforms: ['linux/arm64'] }, deployment: { image: 'example.com/a:2' }, ";
    const config = (files['evenkeel.config.ts'] ?? '').replace('defineConfig({', `defineConfig(${options}`);
    await project.write({ 'images.config.ts': config });
    const { output } = await project.process(
      'build',
      '--config',
      'images.config.ts',
      '--layout',
      'image',
      '--output',
      'json',
    );
    expect(JSON.parse(output)).toEqual({
      ...{ version: 1, command: 'build', ok: true, findings: [] },
      bundle: { file: 'dist/operator.mjs', bytes: expect.any(Number) },
      image: {
        reference: 'example.com/a:2',
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        platforms: ['linux/arm64'],
        base: { name: 'oci:node-24', digest: expect.stringMatching(/^sha256:/) },
        layerBytes: expect.any(Number),
        layout: 'image',
        billOfMaterials: 'image.spdx.json',
        pushed: false,
      },
    });
    const bill = JSON.parse(await project.read('image.spdx.json')) as { packages: { name: string }[] };
    const names = bill.packages.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'cache-operator',
        '@evenkeel/core',
        'class-validator',
        'pino',
        '@oxc-project/runtime',
        'rolldown',
      ]),
    );
    // Installed, but not in the bundle.
    expect(names).not.toContain('@evenkeel/apiserver');
    expect(names).not.toContain('jest');
  });

  it('makes the same image byte for byte in another folder', async () => {
    const other = await Project.create(files);
    try {
      await writeBaseLayout(join(other.folder, 'node-24'), { architectures: ['amd64', 'arm64'] });
      expect(await other.run('generate')).toMatchObject({ exitCode: 0 });
      const options = ['--image', 'a:1', '--base', 'oci:node-24', '--archive', 'same.tar'];
      for (const each of [project, other])
        expect(await each.process('build', ...options)).toMatchObject({ exitCode: 0 });
      for (const name of ['same.tar', 'same.spdx.json', 'dist/operator.mjs.map']) {
        const [first, second] = [project, other].map(({ folder }) => readFileSync(join(folder, name)));
        expect(first?.length).toBeGreaterThan(10_000);
        expect({ name, isSame: second?.equals(first ?? Buffer.alloc(0)) }).toEqual({ name, isSame: true });
      }
    } finally {
      await other.remove();
    }
  });

  it('lists every option of the command and of the configuration', () => {
    const streams = { folder: '/', out: () => undefined, err: () => undefined };
    const terminal = new CommandTerminal(createTerminal(streams), () => false);
    const options = buildCommand(terminal, () => undefined).options.map(({ long }) => long ?? '');
    const shown = [...page.matchAll(/^\| `(--[\w-]+)/gm)].map(([, option]) => option);
    expect(shown).toEqual(options.toSorted((a, b) => shown.indexOf(a) - shown.indexOf(b)));
  });

  it.each([
    [['--base', 'node:24'], /--base has no effect without an image; add --image NAME/],
    [
      ['--outfile', 'image.tar', '--image', 'a:1'],
      /^error: --outfile image\.tar: this is the file of the bundle; pass --archive image\.tar/,
    ],
    [['--image', 'a:1', '--base', 'oci:none'], /\[image-not-found\]\n$/],
    [['--image', 'a:1'], /needs a base image with Node.* \[image-base-missing\]\n {4}--base node/],
  ])('reports %j', async (options, message) => {
    const { exitCode, output } = await project.process('build', ...options);
    expect(output).toMatch(message);
    expect(exitCode).toBe(1);
  });

  it('rejects wrong options of the configuration', async () => {
    const wrong = "defineConfig({ image: { bases: 'a', base: 5, platforms: [] }, ";
    await project.write({ 'wrong.config.ts': (files['evenkeel.config.ts'] ?? '').replace('defineConfig({', wrong) });
    const { output } = await project.process('build', '--config', 'wrong.config.ts', '--push');
    expect(output).toContain('unknown option "image.bases"; did you mean "base"?');
    expect(output).toContain('image.base must be the name of an image');
    expect(output).toContain('image.platforms must be a list of platforms');
  });
});
