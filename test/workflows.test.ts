import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from './imports.fixture.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly uses?: string;
  readonly steps?: readonly Step[];
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly 'timeout-minutes'?: number;
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const folder = join(root, '.github/workflows');
const files = readdirSync(folder);
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');
const workflowOf = (file: string): Workflow => parse(textOf(file)) as Workflow;
const jobsOf = (file: string): Job[] => Object.values(workflowOf(file).jobs);
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** The commands of a job, each with every value of its matrix. */
function commandsOf({ steps = [], strategy }: Job): string[] {
  const runs = steps.flatMap(({ run }) => (run === undefined ? [] : run.split('\n')));
  return Object.entries(strategy?.matrix ?? {}).reduce(
    (commands, [name, values]) =>
      commands.flatMap((command) => values.map((value) => command.replace(`\${{ matrix.${name} }}`, value))),
    runs,
  );
}

describe('the workflows', () => {
  it('are those for changes and for releases', () => {
    expect(files.toSorted()).toEqual(['ci.yml', 'release.yml']);
  });

  it.each(files)('%s calls npm scripts and programs that exist', (file) => {
    const commands = jobsOf(file).flatMap(commandsOf);
    const called = commands.flatMap((command) => /^npm run (\S+)/.exec(command)?.[1] ?? []);
    expect(called.length).toBeGreaterThan(1);
    expect(called.filter((name) => scripts[name] === undefined)).toEqual([]);
    const programs = commands.flatMap((command) => /^node (\S+)/.exec(command)?.[1] ?? []);
    expect(programs.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(commands.filter((command) => command.includes('matrix.'))).toEqual([]);
  });

  it.each(files)('%s pins every action to a commit, with its version in a comment', (file) => {
    const uses = [...textOf(file).matchAll(/\buses: (.*)$/gm)].map(([, action = '']) => action);
    expect(uses.length).toBeGreaterThan(1);
    const pinned = /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(uses.filter((action) => !action.startsWith('./') && !pinned.test(action))).toEqual([]);
    for (const action of uses.filter((each) => each.startsWith('./')))
      expect(existsSync(join(root, action))).toBe(true);
  });

  it('may write only where they publish', () => {
    const writing = files.flatMap((file) =>
      Object.entries(workflowOf(file).jobs).flatMap(([job, { permissions = workflowOf(file).permissions }]) =>
        Object.entries(permissions ?? { everything: 'write' })
          .filter(([, level]) => level === 'write')
          .map(([scope]) => `${file} ${job} ${scope}`),
      ),
    );
    expect(writing).toEqual(['release.yml publish id-token', 'release.yml announce contents']);
  });

  it('end jobs that hang', () => {
    const endless = files
      .flatMap(jobsOf)
      .filter((job) => job.uses === undefined && job['timeout-minutes'] === undefined);
    expect(endless).toEqual([]);
  });

  it('check everything, and write the API reference, before they publish with provenance', () => {
    const { jobs } = workflowOf('release.yml') as { jobs: Record<string, Job & { needs?: readonly string[] }> };
    expect(jobs['check']?.uses).toBe('./.github/workflows/ci.yml');
    expect(jobs['publish']?.needs).toEqual(['check', 'pack']);
    expect(commandsOf(jobs['pack'] ?? {})).toContain('npm run docs:api');
    expect(commandsOf(jobs['publish'] ?? {})).toEqual(['node scripts/publish.mjs tarballs --provenance']);
    // The dependencies must not run where the token is.
    const uses = jobs['publish']?.steps
      ?.map(({ uses }) => uses?.split('@')[0])
      .filter((action) => action !== undefined);
    expect(uses).toEqual(['actions/checkout', 'actions/setup-node', 'actions/download-artifact']);
  });
});
