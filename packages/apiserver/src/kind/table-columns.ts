import type { KubernetesObject } from '@evenkeel/core';
import type { ApiObject } from './api-object.ts';

/** `metav1.TableColumnDefinition`, with an optional description because clients do not need one. */
export interface TableColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** `name` marks the identifier. Default: empty. */
  readonly format?: string;
  readonly description?: string;
  /** Columns of priority 0 are always shown, others only with `-o wide`. */
  readonly priority: number;
}

export type TableCell = string | number | bigint | boolean | null;

/** How a kind is printed as a `meta.k8s.io/v1` Table: what `kubectl get` shows. */
export interface TablePrinter<T extends KubernetesObject = ApiObject> {
  readonly columns: readonly TableColumn[];
  /** Whether an empty Table has null as its rows, as upstream's default. Default: false. */
  readonly emptyRowsAreNull?: boolean;
  /** Returns one cell per column. `now`: the time for ages, in milliseconds since the epoch. */
  cells(object: T, now: number): readonly TableCell[];
  /** `metav1.TableRow.conditions`, such as a pod's `Completed`. */
  rowConditions?(object: T): readonly { type: string; status: string; reason?: string; message?: string }[];
}
