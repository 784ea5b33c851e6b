import type { OperatorJournal } from './operator-journal.ts';

/** Global, because `eventually` does not get an environment, and its assertion may read only variables. */
const open = new Set<OperatorJournal>();

/** The journals of the environments that are open. */
export function openJournals(): readonly OperatorJournal[] {
  return [...open];
}

export function openJournal(journal: OperatorJournal): void {
  open.add(journal);
}

export function closeJournal(journal: OperatorJournal): void {
  open.delete(journal);
}
