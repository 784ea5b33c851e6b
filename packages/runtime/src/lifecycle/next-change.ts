import { quorumOf } from './quorum.ts';

/** How {@link nextChange} reads a member. */
export interface RollingChange<M> {
  /** Whether the member already is declared as desired, for example its image. It need not run so yet. */
  readonly isCurrent: (member: M) => boolean;
  /** Whether the member works, and runs what is declared. */
  readonly isHealthy: (member: M) => boolean;
  /**
   * Whether nothing of the member runs, so that its change stops nothing. This is not the opposite of `isHealthy`: a member
   * that does not respond may still work for others. Default: none.
   */
  readonly isDown?: (member: M) => boolean;
  /** Whether the member should be changed after all others, such as a leader. Default: none. */
  readonly isLast?: (member: M) => boolean;
}

/** What to do next in a rolling change. */
export type NextChange<M> =
  | { readonly outcome: 'done' }
  /** Change this member now. `interrupts`: there is no quorum meanwhile, because the group has fewer than three members. */
  | { readonly outcome: 'change'; readonly member: M; readonly interrupts: boolean }
  /** Call again when these members are healthy. */
  | { readonly outcome: 'wait'; readonly unhealthy: readonly M[] };

/**
 * Returns which member of a group that votes to change next, such as a pod of a database that restarts when it gets another image.
 * Call it in each reconcile with the observed state.
 *
 * Promised:
 * - A running member is returned only if all members are healthy. So one member at a time is stopped, and a group of three or
 *   more keeps its quorum.
 * - A member that is down and not current is returned at once. So a change that cannot start, such as a missing image, can be
 *   corrected.
 * - Members are changed in the given order, except that those with `isLast` follow.
 *
 * Not promised: that the quorum survives a failure of another member during the change.
 */
export function nextChange<M>(
  members: readonly M[],
  { isCurrent, isHealthy, isDown = () => false, isLast = () => false }: RollingChange<M>,
): NextChange<M> {
  const outdated = members.filter((member) => !isCurrent(member));
  const [first] = outdated;
  if (first === undefined) return { outcome: 'done' };
  const down = outdated.find(isDown);
  if (down !== undefined) return { outcome: 'change', member: down, interrupts: false };
  const unhealthy = members.filter((member) => !isHealthy(member));
  if (unhealthy.length > 0) return { outcome: 'wait', unhealthy };
  const member = outdated.find((one) => !isLast(one)) ?? first;
  return { outcome: 'change', member, interrupts: members.length - 1 < quorumOf(members.length) };
}
