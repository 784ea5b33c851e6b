import { withProjectLock } from '../project-lock.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { ProjectEdit } from './project-edit.ts';

/** The options of all commands that edit sources. */
export interface EditOptions {
  readonly config?: string;
  readonly dryRun?: boolean;
}

/** The changes of a command. */
interface EditReport {
  /** Paths from the folder of the command. */
  readonly created: readonly string[];
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
  /** Whether the files were written. */
  readonly written: boolean;
  /** The changes as a unified diff. Only with `--dry-run`. */
  readonly diff?: string;
}

/** Plans an edit, then writes all of it, or prints its diff. Resolves to the exit code. */
export async function runEdit(
  options: EditOptions,
  terminal: CommandTerminal,
  plan: (edit: ProjectEdit) => void | Promise<void>,
): Promise<number> {
  const edit = new ProjectEdit(terminal.folder, options.config);
  await plan(edit);
  const { project, notices } = edit;
  const isWritten = options.dryRun !== true;
  const lock = { folder: project.folder, command: 'create or delete', terminal };
  if (isWritten) await withProjectLock(lock, () => project.changes.write(project.folder));
  const shown = (isOfType: (before?: string, after?: string) => boolean): string[] =>
    project.changes
      .changes()
      .filter(({ before, after }) => isOfType(before, after))
      .map(({ path }) => project.shown(path));
  const diff = isWritten ? undefined : project.changes.diff(project.folder);
  const report: EditReport = {
    created: shown((before) => before === undefined),
    changed: shown((before, after) => before !== undefined && after !== undefined),
    deleted: shown((_before, after) => after === undefined),
    written: isWritten,
    ...(diff === undefined ? {} : { diff }),
  };
  terminal.add(report);
  if (diff === undefined) printReport(report, terminal);
  else terminal.outSource(diff);
  for (const notice of notices) terminal.err(notice, 'notice');
  return 0;
}

function printReport({ created, changed, deleted }: EditReport, terminal: CommandTerminal): void {
  for (const [effect, paths] of Object.entries({ created, changed, deleted })) {
    for (const path of paths) terminal.out(`${path} ${effect}`);
  }
  terminal.out('next: evenkeel generate');
}
