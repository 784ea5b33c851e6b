/** The status of a condition. `Unknown`: it cannot be determined yet. */
export type ConditionStatus = 'True' | 'False' | 'Unknown';

/** A condition of an object, as JSON: `metav1.Condition` of the API conventions. */
export class Condition {
  declare type: string;
  declare status: ConditionStatus;
  /** CamelCase, for machines. */
  declare reason: string;
  /** A sentence for people; may be empty. */
  declare message: string;
  /** When `status` last changed, RFC 3339. */
  declare lastTransitionTime: string;
  /** The `metadata.generation` that the condition is about. */
  declare observedGeneration?: number;
}

/**
 * Returns the list with `condition` added or replaced. `lastTransitionTime` becomes `now` only if `status` differs from before.
 * If nothing differs, it returns the same array. The rule is that of apimachinery's `meta.SetStatusCondition`.
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

/** Returns the condition of a type; undefined if the list has none. */
export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Formats a time like `metav1.Time`: RFC 3339 in UTC, with seconds and no fraction. */
export function rfc3339(time: Date): string {
  const second = Math.floor(time.getTime() / 1000);
  // Most callers write the present time, several times for each object: equal texts are then one string.
  if (second !== latest.second) latest = { second, text: `${time.toISOString().slice(0, 19)}Z` };
  return latest.text;
}

let latest = { second: Number.NaN, text: '' };
