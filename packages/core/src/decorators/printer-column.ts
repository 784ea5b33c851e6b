import { declare, listed, recordField } from '../declarations/class-record.ts';
import type { AnyClass } from '../declarations/class-reference.ts';

/** A column of `kubectl get`, declared by `@PrinterColumn`. */
export interface PrinterColumnDeclaration {
  readonly name: string;
  readonly type: 'integer' | 'number' | 'string' | 'boolean' | 'date';
  /** A path that starts with a dot: `.status.readyReplicas`. kubectl shows only the first result. */
  readonly jsonPath: string;
  readonly format?: 'int32' | 'int64' | 'float' | 'double' | 'byte' | 'date' | 'date-time' | 'password';
  readonly description?: string;
  /** kubectl always shows columns with 0, and those with a higher number only with `-o wide`. Default: 0. */
  readonly priority?: number;
}

export const printerColumns = recordField('printerColumns', listed<PrinterColumnDeclaration>());

/** Adds a column to `kubectl get`. Repeat it for more columns; they keep the source order. */
export function PrinterColumn(column: PrinterColumnDeclaration): (target: AnyClass) => void {
  return (target) => declare(printerColumns, target, column);
}
