import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { EvenkeelError } from '@evenkeel/core';
import { interruptedCode } from '../exit-codes.ts';
import { packageManagerProgram, runProgram } from '../package-manager/run-program.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { notWritten, writeNewFiles } from './new-files.ts';
import { projectFiles } from './project-files.ts';
import { scriptCommand } from './project-manager.ts';
import { defaultGroup, defaultKind, type ProjectAnswers, type ProjectPlan, planProject } from './project-plan.ts';
import { ask, type Question } from './questions.ts';

export interface InitOptions {
  readonly kind?: string;
  readonly group?: string;
  readonly functions?: boolean;
  readonly githubActions?: boolean;
  readonly devcontainer?: boolean;
  readonly committed?: boolean;
  readonly yes?: boolean;
  readonly install: boolean;
  readonly git: boolean;
}

/** The files that the folder may already contain: a repository, and files that its hosting service or an editor adds. */
const allowedBefore: ReadonlySet<string> = new Set([
  '.git',
  '.gitattributes',
  '.idea',
  '.vscode',
  'LICENSE',
  'LICENSE.md',
]);

/**
 * Creates a project and installs its packages. Resolves to the exit code: 0, or 1 if the packages could not be installed; the
 * project exists then. Throws `invalid-option` for invalid names and a folder that is not empty, and `output-not-written`; nothing
 * is created then.
 */
export async function init(
  folder: string | undefined,
  options: InitOptions,
  terminal: CommandTerminal,
): Promise<number> {
  const answers = await answersOf(folder, options, terminal);
  if (answers === undefined) return interruptedCode;
  const plan = planProject(answers, terminal.folder);
  await rejectUsedFolder(plan, terminal);
  const files = projectFiles(plan);
  await writeNewFiles(plan.folder, files);
  terminal.out(`created ${shown(plan, terminal)}: ${Object.keys(files).length} files`);
  if (options.git) await startRepository(plan, terminal);
  const isInstalled = options.install && (await install(plan, terminal));
  terminal.add({ folder: shown(plan, terminal), created: Object.keys(files), installed: isInstalled });
  const { manager } = plan.runningManager;
  const enter = plan.folder === terminal.folder ? '' : `cd ${shown(plan, terminal)} && `;
  if (options.install && !isInstalled) {
    terminal.err(`${manager.name} install failed; run ${enter}${manager.name} install`, 'error');
    return 1;
  }
  const first = isInstalled ? '' : `${manager.name} install && `;
  terminal.out(`next: ${enter}${first}${scriptCommand(plan.runningManager, 'dev')}`);
  return 0;
}

async function answersOf(
  folder: string | undefined,
  options: InitOptions,
  { isInteractive = false }: CommandTerminal,
): Promise<ProjectAnswers | undefined> {
  const { kind, group } = options;
  const given = { ...options, folder, kinds: kind, group };
  const asked: [keyof typeof given & ('folder' | 'kinds' | 'group'), Question][] = [
    ['folder', { text: 'The folder of the project', byDefault: 'my-operator' }],
    ['kinds', { text: 'The kind', byDefault: defaultKind }],
    ['group', { text: 'The API group, a domain of yours', byDefault: defaultGroup }],
  ];
  const open = asked.filter(([name]) => given[name] === undefined);
  const mayAsk = isInteractive && options.yes !== true && process.stdin.isTTY === true;
  if (!mayAsk && folder === undefined) {
    throw new EvenkeelError('invalid-option', 'the folder of the project is missing; run evenkeel init <folder>');
  }
  const answers = mayAsk ? await ask(open.map(([, question]) => question)) : open.map(([, { byDefault }]) => byDefault);
  if (answers === undefined) return undefined;
  const answered = Object.fromEntries(open.map(([name], index) => [name, answers[index]]));
  return { ...given, ...answered } as ProjectAnswers;
}

async function rejectUsedFolder(plan: ProjectPlan, terminal: CommandTerminal): Promise<void> {
  const entries = await readdir(plan.folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw notWritten(plan.folder, error);
  });
  const others = entries.filter((entry) => !allowedBefore.has(entry)).sort();
  if (others.length === 0) return;
  const some = others.slice(0, 3).join(', ');
  const more = others.length > 3 ? ` and ${others.length - 3} more` : '';
  throw new EvenkeelError(
    'invalid-option',
    `the folder ${shown(plan, terminal)} contains ${some}${more}; choose a folder that is empty or does not exist`,
  );
}

/** A project inside a repository needs no other repository. */
async function startRepository({ folder }: ProjectPlan, terminal: CommandTerminal): Promise<void> {
  for (let parent = folder; ; parent = dirname(parent)) {
    if (existsSync(join(parent, '.git'))) return;
    if (parent === dirname(parent)) break;
  }
  const { exitCode } = await runProgram(folder, { path: 'git', arguments: [] }, ['init', '--quiet']);
  if (exitCode !== 0)
    terminal.err('git init failed, so the project has no repository; run git init in its folder', 'notice');
}

async function install({ folder, runningManager }: ProjectPlan, terminal: CommandTerminal): Promise<boolean> {
  const { name, install: options, variables = {} } = runningManager.manager;
  terminal.err(`installing the packages with ${name} ...`);
  const { exitCode } = await runProgram(folder, packageManagerProgram(name), options, { variables });
  return exitCode === 0;
}

function shown({ folder }: ProjectPlan, terminal: CommandTerminal): string {
  return relative(terminal.folder, folder) || '.';
}
