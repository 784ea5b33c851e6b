import type { KubernetesObject } from '@evenkeel/core';
import type { ApiObject } from './api-object.ts';

/** `metav1.TableColumnDefinition` without its description's obligation: the server's clients read the rest. */
export interface TableColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** `name` marks the identifier. Default empty. */
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown, 1 only with `-o wide`. */
  readonly priority: number;
}

export type TableCell = string | number | boolean | null;

/** How a kind is printed as a `meta.k8s.io/v1` Table: what `kubectl get` shows. */
export interface TablePrinter<T extends KubernetesObject = ApiObject> {
  readonly columns: readonly TableColumn[];
  /** One cell per column. `now` is for ages, in milliseconds since the epoch. */
  cells(object: T, now: number): readonly TableCell[];
  /** `metav1.TableRow.conditions`, such as a pod's `Completed`. */
  rowConditions?(object: T): readonly { type: string; status: string; reason?: string; message?: string }[];
}
