import { declare, listed, recordField } from '../declarations/class-record.ts';
import type { AnyClass } from '../declarations/class-reference.ts';

export interface PrinterColumnDeclaration {
  readonly name: string;
  readonly type: 'integer' | 'number' | 'string' | 'boolean' | 'date';
  /** Begins with a dot: `.status.readyReplicas`. Only the first result is shown. */
  readonly jsonPath: string;
  readonly format?: 'int32' | 'int64' | 'float' | 'double' | 'byte' | 'date' | 'date-time' | 'password';
  readonly description?: string;
  /** 0, the default, is always shown; higher ones only by `-o wide`. */
  readonly priority?: number;
}

export const printerColumns = recordField('printerColumns', listed<PrinterColumnDeclaration>());

/** A column of `kubectl get`. Repeat it; columns stand in source order. */
export function PrinterColumn(column: PrinterColumnDeclaration): (target: AnyClass) => void {
  return (target) => declare(printerColumns, target, column);
}
