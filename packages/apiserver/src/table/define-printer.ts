import type { KubernetesObject } from '@evenkeel/core';
import type { TableColumn, TablePrinter } from '../kind/table-columns.ts';

/** Converts a printer for the type of one kind to one for any object. */
export function definePrinter<T extends KubernetesObject>(printer: TablePrinter<T>): TablePrinter {
  return printer as unknown as TablePrinter;
}

/** A column that is always shown. */
export function column(name: string, type: TableColumn['type'] = 'string'): TableColumn {
  return { name, type, priority: 0 };
}

/** A column that only `kubectl get -o wide` shows. */
export function wideColumn(name: string, type: TableColumn['type'] = 'string'): TableColumn {
  return { name, type, priority: 1 };
}

export const nameColumn: TableColumn = { name: 'Name', type: 'string', format: 'name', priority: 0 };
export const ageColumn: TableColumn = column('Age');
