import type { KubernetesObject } from '@evenkeel/core';
import type { TableColumn, TablePrinter } from '../kind/table-columns.ts';

/** A printer written for the type of its kind, as the registry holds it. */
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
