import { column, definePrinter, nameColumn } from './define-printer.ts';

/** The printer of kinds that have none: name and creation time. Source: apiserver `registry/rest/table.go`. */
export const defaultPrinter = definePrinter({
  emptyRowsAreNull: true,
  columns: [nameColumn, column('Created At', 'date')],
  cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp ?? null],
});
