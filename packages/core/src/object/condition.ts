/** What a condition may say; `Unknown` where it cannot be told yet. */
export type ConditionStatus = 'True' | 'False' | 'Unknown';

/** One aspect of an object's state, after `metav1.Condition` of the API conventions. JSON on the wire. */
export class Condition {
  declare type: string;
  declare status: ConditionStatus;
  /** CamelCase, for machines. */
  declare reason: string;
  /** A sentence for people; may be empty. */
  declare message: string;
  /** When `status` last changed, RFC 3339. */
  declare lastTransitionTime: string;
  /** The `metadata.generation` this was concluded from. */
  declare observedGeneration?: number;
}

/**
 * The list with `condition` put in: `lastTransitionTime` moves to `now` only where `status` differs from before, and
 * the list is returned unchanged (the same array) where nothing differs at all. The rule is that of apimachinery's
 * `meta.SetStatusCondition`.
 */
export function withCondition(
  conditions: readonly Condition[] | undefined,
  condition: Omit<Condition, 'lastTransitionTime'>,
  now: Date,
): readonly Condition[] {
  const list = conditions ?? [];
  const index = list.findIndex((existing) => existing.type === condition.type);
  const existing = list[index];
  if (
    existing !== undefined &&
    existing.status === condition.status &&
    existing.reason === condition.reason &&
    existing.message === condition.message &&
    existing.observedGeneration === condition.observedGeneration
  ) {
    return list;
  }
  const lastTransitionTime =
    existing !== undefined && existing.status === condition.status ? existing.lastTransitionTime : rfc3339(now);
  const next: Condition = { ...condition, lastTransitionTime };
  return existing === undefined ? [...list, next] : list.with(index, next);
}

/** The condition of a type; undefined where the list has none. */
export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Seconds, UTC, no fraction: how `metav1.Time` is written. */
export function rfc3339(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
