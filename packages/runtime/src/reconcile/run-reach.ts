import type { ObjectKey } from '@evenkeel/core';

/** The namespace that a run is restricted to. */
export interface RunReach {
  readonly controller: string;
  /** The reconciled object. */
  readonly key: ObjectKey;
  readonly namespace: string;
}
