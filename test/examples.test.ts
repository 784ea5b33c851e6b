import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../packages/cli/src/run.ts';
import { projectFiles } from '../packages/cli/src/scaffold/project-files.ts';
import { planProject } from '../packages/cli/src/scaffold/project-plan.ts';
import { examples } from './examples.fixture.ts';
import { importsBelow, root, sourceFilesBelow } from './imports.fixture.ts';

/** What every example has. */
const files = [
  'evenkeel.config.ts',
  '.gitignore',
  'src/operator.ts',
  'src/main.ts',
  'src/fields.ts',
  // One list of tests for every server: test/examples.server.test.ts runs it on a cluster.
  'src/operator.test.ts',
  'src/validation.test.ts',
  // The sweeps, whose counts it compares with the README.
  'src/verified.test.ts',
  'config/rbac/role.yaml',
];

/** The sections of a README, in this order. */
const sections = ['Try it', 'What it owns', 'Capability level', 'What is verified', 'Copy it'];

/** The most lines of an API and its controller together. */
const linesMax = 300;

describe.each(examples)('examples/%s', (name) => {
  const folder = join(root, 'examples', name);
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const readme = read('README.md');
  const sectionOf = (title: string): string =>
    new RegExp(`^## ${title}\n(.*?)(?=^## |$(?![\\s\\S]))`, 'ms').exec(readme)?.[1] ?? '';

  it('has the files of every example', () => {
    expect(files.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  });

  it('has the package of a new project, so that its copy can be installed and run', () => {
    const created = projectFiles(planProject({ folder: name, kinds: 'Site', group: 'example.com' }, '/'));
    const own = JSON.parse(read('package.json'));
    const { scripts, jest, engines, dependencies, devDependencies } = JSON.parse(created['package.json'] ?? '');
    const exact = (ranges: Record<string, string>): Record<string, string> =>
      Object.fromEntries(
        Object.entries(ranges).map(([key, range]) => [key, /evenkeel/.test(key) ? range.replace('^', '') : range]),
      );
    expect(own).toMatchObject({ private: true, type: 'module', scripts, jest, engines });
    expect(own.dependencies).toMatchObject(exact(dependencies));
    expect(own.devDependencies).toMatchObject(exact(devDependencies));
    expect(read('tsconfig.json')).toBe(created['tsconfig.json']);
  });

  it('imports nothing from outside of its folder', () => {
    const outside = importsBelow(`examples/${name}`)
      .filter(({ target }) => /^(?:packages|examples|test|scripts|bench)\//.test(target))
      .filter(({ target }) => !target.startsWith(`examples/${name}/`));
    expect(outside.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it(`has an API and a controller of at most ${linesMax} lines together`, () => {
    const written = sourceFilesBelow(`examples/${name}/src`)
      .filter((file) => !/\.test\.ts$|\/(?:fields|main|operator)\.ts$/.test(file))
      .map((file) => readFileSync(join(root, file), 'utf8').split('\n').length - 1);
    expect(written.length).toBeGreaterThan(1);
    expect(written.reduce((sum, lines) => sum + lines, 0)).toBeLessThanOrEqual(linesMax);
  });

  it('has a README with what you will see, the owner tree, the capability level and the counts of the sweeps', () => {
    expect([...readme.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(sections);
    expect(sectionOf('Try it')).toContain(`npm start -- --example ${name}`);
    expect(sectionOf('What it owns')).toMatch(/^```text\n\S+ \S+\n[└├]/m);
    expect(sectionOf('Capability level')).toMatch(/Level (?:I|II|III|IV|V)\b/);
    expect(sectionOf('What is verified')).toMatch(/^```text\npermissions: \d+.*\n(?:.*\n)+?foreign objects: \d+/m);
    expect(read('src/verified.test.ts')).toContain('README.md');
  });

  it('has generated files that are current; fix it with "npx evenkeel generate"', async () => {
    const lines: string[] = [];
    const say = (line: string): void => void lines.push(line);
    const exitCode = await run(['generate', '--check', '--timeout', '10m'], { folder, out: say, err: say });
    expect({ exitCode, lines }).toEqual({ exitCode: 0, lines: [expect.stringMatching(/^\d+ files are current$/)] });
  });
});
