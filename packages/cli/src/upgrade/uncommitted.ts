import { spawnSync } from 'node:child_process';
import { EvenkeelError } from '@evenkeel/core';

const shownFiles = 5;

/** Throws `uncommitted-changes` if git could not undo the changes of a command. Without git or a repository, nothing is checked. */
export function rejectUncommitted(folder: string): void {
  const { status, stdout } = spawnSync('git', ['status', '--porcelain', '-z'], { cwd: folder, encoding: 'utf8' });
  if (status !== 0 || stdout === '') return;
  const files = stdout.split('\0').flatMap((entry) => (/^.{2} /.test(entry) ? [entry.slice(3)] : []));
  const more = files.length > shownFiles ? ` and ${files.length - shownFiles} more` : '';
  throw new EvenkeelError(
    'uncommitted-changes',
    `uncommitted changes: ${files.slice(0, shownFiles).join(', ')}${more}; commit everything, so that git shows what the upgrade changes, or pass --allow-dirty`,
  );
}
