import type { HorizontalPodAutoscaler } from '@evenkeel/kinds';

type Rules = NonNullable<NonNullable<HorizontalPodAutoscaler['spec']['behavior']>['scaleUp']>;

interface Change {
  readonly atMs: number;
  /** Positive if replicas were added. */
  readonly replicas: number;
}

interface Recommendation {
  readonly atMs: number;
  readonly replicas: number;
}

/** A number of replicas, and the conditions AbleToScale and ScalingLimited that say how it came about. */
export interface LimitedReplicas {
  readonly replicas: number;
  readonly able: readonly [reason: string, message: string];
  readonly limited: readonly [isLimited: boolean, reason: string, message: string];
}

const downscaleWindowSeconds = 300;
const longestPeriodMs = 3_600_000;

/**
 * What an autoscaler recommended and changed lately. It limits how fast the replicas change, as its behavior says.
 * Source: `normalizeDesiredReplicas` and `normalizeDesiredReplicasWithBehaviors`, `pkg/controller/podautoscaler/horizontal.go`.
 */
export class ScalingLimits {
  #recommendations: Recommendation[] = [];
  #changes: Change[] = [];

  /** Records the replicas with which the autoscaler starts. */
  begin(replicas: number, nowMs: number): void {
    if (this.#recommendations.length === 0) this.#recommendations.push({ atMs: nowMs, replicas });
  }

  record(before: number, after: number, nowMs: number): void {
    this.#changes.push({ atMs: nowMs, replicas: after - before });
  }

  limit({ spec }: HorizontalPodAutoscaler, current: number, desired: number, nowMs: number): LimitedReplicas {
    const { behavior, maxReplicas, minReplicas = 1 } = spec;
    this.#recommendations = this.#recommendations.filter(({ atMs }) => atMs > nowMs - longestPeriodMs);
    this.#changes = this.#changes.filter(({ atMs }) => atMs > nowMs - longestPeriodMs);
    const upWindow = behavior?.scaleUp?.stabilizationWindowSeconds ?? 0;
    const downWindow = behavior?.scaleDown?.stabilizationWindowSeconds ?? downscaleWindowSeconds;
    const lowest = Math.min(desired, ...this.#since(nowMs - upWindow * 1000));
    const highest = Math.max(desired, ...this.#since(nowMs - downWindow * 1000));
    this.#recommendations.push({ atMs: nowMs, replicas: desired });
    const stable = Math.min(Math.max(current, lowest), highest);
    const able = ableOf(stable, desired, current);
    const upLimit =
      behavior === undefined ? Math.max(2 * current, 4) : this.#limitOf(behavior.scaleUp, current, nowMs, 1);
    const downLimit = behavior === undefined ? 0 : this.#limitOf(behavior.scaleDown, current, nowMs, -1);
    const most = stable > current ? Math.min(maxReplicas, Math.max(upLimit, current)) : maxReplicas;
    const least = stable < current ? Math.max(minReplicas, Math.min(downLimit, current)) : minReplicas;
    if (stable > most) {
      const limited = most < maxReplicas ? limits.up : limits.many;
      return { replicas: most, able, limited };
    }
    if (stable < least) {
      const limited = least > minReplicas ? limits.down : limits.few;
      return { replicas: least, able, limited };
    }
    return { replicas: stable, able, limited: limits.none };
  }

  #since(fromMs: number): number[] {
    return this.#recommendations.filter(({ atMs }) => atMs > fromMs).map(({ replicas }) => replicas);
  }

  /** How far policies allow the replicas to go in one direction. */
  #limitOf(rules: Rules | undefined, current: number, nowMs: number, direction: 1 | -1): number {
    if (rules?.selectPolicy === 'Disabled') return current;
    const proposals = (rules?.policies ?? []).map(({ type, value, periodSeconds }) => {
      const sinceMs = nowMs - periodSeconds * 1000;
      const changed = this.#changes
        .filter(({ atMs }) => atMs > sinceMs)
        .reduce((sum, { replicas }) => sum + replicas, 0);
      const start = current - changed;
      if (type === 'Pods') return start + direction * value;
      const percent = start * (1 + (direction * value) / 100);
      return direction > 0 ? Math.ceil(percent) : Math.floor(percent);
    });
    // `Min` selects the smallest change.
    const isSmallest = rules?.selectPolicy === 'Min';
    return isSmallest === direction > 0 ? Math.min(...proposals) : Math.max(...proposals);
  }
}

const limits = {
  up: [true, 'ScaleUpLimit', 'the desired replica count is increasing faster than the maximum scale rate'],
  down: [true, 'ScaleDownLimit', 'the desired replica count is decreasing faster than the maximum scale rate'],
  many: [true, 'TooManyReplicas', 'the desired replica count is more than the maximum replica count'],
  few: [true, 'TooFewReplicas', 'the desired replica count is less than the minimum replica count'],
  none: [false, 'DesiredWithinRange', 'the desired count is within the acceptable range'],
} as const;

function ableOf(stable: number, desired: number, current: number): LimitedReplicas['able'] {
  if (stable === desired) return ['ReadyForNewScale', 'recommended size matches current size'];
  return desired >= current
    ? [
        'ScaleUpStabilized',
        'recent recommendations were lower than current one, applying the lowest recent recommendation',
      ]
    : [
        'ScaleDownStabilized',
        'recent recommendations were higher than current one, applying the highest recent recommendation',
      ];
}
