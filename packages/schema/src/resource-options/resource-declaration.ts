import type { PrinterColumnDeclaration, ScaleDeclaration } from '@evenkeel/core';
import type { PathStep } from '../evaluate/json-path-parser.ts';

/**
 * What the class-level decorators of one class say, checked: what was wrong has been reported and is missing here, or
 * stands in where something must be said.
 */
export interface ResourceDeclaration {
  /** Whether group, version and kind are what the user gave, so that other classes can be compared with it. */
  readonly isIdentified: boolean;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly singular?: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly storage?: boolean;
  readonly served: boolean;
  readonly deprecated: boolean | string;
  readonly printerColumns: readonly CheckedColumn[];
  readonly scale?: ScaleDeclaration;
  /** JSON paths. */
  readonly selectableFields: readonly string[];
}

export interface CheckedColumn {
  readonly column: PrinterColumnDeclaration;
  readonly path: readonly PathStep[];
}
