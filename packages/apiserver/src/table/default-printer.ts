import { column, definePrinter, nameColumn } from './define-printer.ts';

/** What kinds without columns of their own show: the name, and when the object was made. Source: apiserver `registry/rest/table.go`. */
export const defaultPrinter = definePrinter({
  columns: [nameColumn, column('Created At', 'date')],
  cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp ?? null],
});
