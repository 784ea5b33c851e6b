import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Project } from '../project.fixture.ts';
import { projectFiles } from '../scaffold/project-files.ts';
import { planProject } from '../scaffold/project-plan.ts';

/** A project as `evenkeel init` creates it, in a repository without changes. */
export async function createdProject(
  changes: Readonly<Record<string, string>> = {},
  functions = false,
  below?: string,
): Promise<Project> {
  const plan = planProject({ folder: 'shop', kinds: 'Shop', group: 'shop.example.com', functions }, '/');
  return repositoryOf({ ...projectFiles(plan), ...changes }, below);
}

/** A project in a repository without changes. `below` is a path below its temporary folder. */
export async function repositoryOf(files: Readonly<Record<string, string>>, below?: string): Promise<Project> {
  const project = await Project.create(files, below);
  git(project, 'init', '--quiet');
  commit(project);
  return project;
}

export function commit(project: Project): void {
  git(project, 'add', '--all');
  git(project, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'a');
}

export function git({ folder }: Project, ...options: string[]): string {
  return execFileSync('git', options, { cwd: folder, encoding: 'utf8' });
}

/** The files that git does not ignore, by their paths. */
export function sourcesOf(project: Project): Record<string, string> {
  const names = git(project, 'ls-files', '--cached', '--others', '--exclude-standard')
    .split('\n')
    .filter((name) => name !== '' && name !== 'node_modules' && existsSync(join(project.folder, name)));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(project.folder, name), 'utf8')]));
}

/** Runs a command that must succeed. Returns what it prints. */
export async function runs(project: Project, ...commandLine: string[]): Promise<string> {
  const { exitCode, out, err } = await project.run(...commandLine);
  expect({ exitCode, err: err.replace(/^notice: .*\n?/gm, '') }).toEqual({ exitCode: 0, err: '' });
  return out;
}

/** Runs a command that must fail and change nothing. Returns its errors. */
export async function fails(project: Project, ...commandLine: string[]): Promise<string> {
  const before = sourcesOf(project);
  const { exitCode, err } = await project.run(...commandLine);
  expect(exitCode).toBe(1);
  expect(sourcesOf(project)).toEqual(before);
  return err;
}
