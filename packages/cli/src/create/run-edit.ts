import { EvenkeelError } from '@evenkeel/core';
import type { Terminal } from '../terminal.ts';
import { ProjectEdit } from './project-edit.ts';

/** The options that all commands have which edit sources. */
export interface EditOptions {
  readonly config?: string;
  readonly dryRun?: boolean;
  readonly output: 'text' | 'json';
}

/** What `--output json` prints. */
export interface EditReport {
  /** Paths from the folder of the command. */
  readonly created: readonly string[];
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
  readonly notices: readonly string[];
  /** Whether the files were written. */
  readonly written: boolean;
  /** The changes as a unified diff. Only with `--dry-run`. */
  readonly diff?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Plans an edit, then writes all of it, or prints its diff. Resolves to the exit code. */
export async function runEdit(
  options: EditOptions,
  terminal: Terminal,
  plan: (edit: ProjectEdit) => void | Promise<void>,
): Promise<number> {
  try {
    const edit = new ProjectEdit(terminal.folder, options.config);
    await plan(edit);
    const { project, notices } = edit;
    const isWritten = options.dryRun !== true;
    if (isWritten) await project.changes.write(project.folder);
    const shown = (isOfType: (before?: string, after?: string) => boolean): string[] =>
      project.changes
        .changes()
        .filter(({ before, after }) => isOfType(before, after))
        .map(({ path }) => project.shown(path));
    const report: EditReport = {
      created: shown((before) => before === undefined),
      changed: shown((before, after) => before !== undefined && after !== undefined),
      deleted: shown((_before, after) => after === undefined),
      notices,
      written: isWritten,
      ...(isWritten ? {} : { diff: project.changes.diff(project.folder) }),
    };
    if (options.output === 'json') terminal.out(JSON.stringify(report, null, 2));
    else if (isWritten) printReport(report, terminal);
    else (terminal.outSource ?? terminal.out)(project.changes.diff(project.folder));
    if (options.output !== 'json') for (const notice of notices) terminal.err(notice, 'notice');
    return 0;
  } catch (error) {
    if (!(error instanceof EvenkeelError) || options.output !== 'json') throw error;
    const { code, message } = error;
    const report: EditReport = {
      created: [],
      changed: [],
      deleted: [],
      notices: [],
      written: false,
      error: { code, message },
    };
    terminal.out(JSON.stringify(report, null, 2));
    return 1;
  }
}

function printReport({ created, changed, deleted }: EditReport, terminal: Terminal): void {
  for (const [effect, paths] of Object.entries({ created, changed, deleted })) {
    for (const path of paths) terminal.out(`${path} ${effect}`);
  }
  terminal.out('next: evenkeel generate');
}
