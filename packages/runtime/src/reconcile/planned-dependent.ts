import type { KindClass } from '@evenkeel/core';

/** A dependent as a run processes it. */
export interface PlannedDependent {
  readonly name: string;
  readonly kind: KindClass;
  readonly desired: (needed: object) => unknown;
  readonly needs: readonly string[];
  readonly isWanted: boolean;
  readonly ready: ((child: never) => unknown) | undefined;
  readonly adopt: boolean | undefined;
}
