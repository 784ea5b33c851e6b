import type { PrinterColumnDeclaration, ScaleDeclaration } from '@evenkeel/core';
import type { CheckedConversion } from '@evenkeel/core/conversion';
import type { PathStep } from '../evaluate/json-path-parser.ts';
import type { AcceptedLosses } from './accepted-losses.ts';

/**
 * The checked declarations of the class-level decorators of one class. Invalid values have been reported; they are missing
 * here, or replaced by a placeholder if the field is required.
 */
export interface ResourceDeclaration {
  /** Whether group, version and kind are the user's, so that the class can be compared with others. */
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
  readonly lossy: AcceptedLosses;
  /** Whether the class declares a conversion, even an invalid one. */
  readonly isConverted: boolean;
  readonly conversion?: CheckedConversion;
  readonly printerColumns: readonly CheckedColumn[];
  readonly scale?: ScaleDeclaration;
  /** JSON paths. */
  readonly selectableFields: readonly string[];
}

export interface CheckedColumn {
  readonly column: PrinterColumnDeclaration;
  readonly path: readonly PathStep[];
}
