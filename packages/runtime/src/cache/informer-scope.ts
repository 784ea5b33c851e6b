import type { FieldFilter, LabelFilter } from '@evenkeel/client';

/** The objects of a kind that a cache contains. Default: all. */
export interface InformerScope {
  /** The namespaces, with one watch each. Ignored for cluster-scoped kinds. */
  namespaces?: readonly string[] | undefined;
  labels?: LabelFilter | undefined;
  fields?: FieldFilter | undefined;
}
