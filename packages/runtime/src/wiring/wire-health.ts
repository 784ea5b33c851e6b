import type { Clock, Logger } from '@evenkeel/core';
import type { RunningController } from '../controller/running-controller.ts';
import type { LeaderElection } from '../election/leader-election.ts';
import { BlockageReport } from '../health/blockage-report.ts';
import { type ManagerHealth, managerHealth, type ServerAnswers } from '../health/manager-health.ts';
import type { ManagerMetrics } from '../metrics/manager-metrics.ts';
import { EventLoopWatch } from '../process/event-loop-watch.ts';
import type { ReconcileRun } from '../reconcile/reconcile-run.ts';
import type { WrittenCaches } from '../reconcile/written-caches.ts';
import type { RunnableGroups } from '../runnable/runnable-groups.ts';

export interface HealthParts {
  readonly groups: RunnableGroups;
  /** The controllers that have been created so far. */
  readonly controllers: () => readonly RunningController[];
  /** Why the webhooks cannot be called yet. Absent if there are none. */
  readonly webhooks?: () => readonly string[];
  readonly caches: WrittenCaches;
  readonly answers: ServerAnswers;
  readonly election: LeaderElection | undefined;
  readonly measures: ManagerMetrics | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** False if the clock is not that of the machine, which the event loop uses. */
  readonly watchesEventLoop: boolean;
}

export interface WiredHealth {
  readonly health: () => ManagerHealth;
  /** Must be called after each run, because the run may have blocked the event loop. */
  readonly runEnded: (run: ReconcileRun) => void;
}

/** Wires the health and the metrics of a manager, and the report of blocked event loops. */
export function wireHealth(parts: HealthParts): WiredHealth {
  const { groups, controllers, caches, answers, election, measures, clock, logger } = parts;
  const states = () => controllers().map(({ state }) => state);
  const blockage = new BlockageReport(states, logger);
  const eventLoop = parts.watchesEventLoop ? watchedEventLoop(clock, blockage, measures) : undefined;
  if (eventLoop !== undefined) groups.add('events', eventLoop);
  const health = (): ManagerHealth =>
    managerHealth({
      controllers: states(),
      webhooks: parts.webhooks?.(),
      usage: caches.usage,
      lateWrites: caches.late,
      answers,
      leadership: election?.state,
      eventLoop: eventLoop?.state,
      clock,
    });
  measures?.watch({
    controllers,
    caches,
    isReady: () => health().ready,
    ...(election === undefined ? {} : { election }),
  });
  return {
    health,
    runEnded: (run) => {
      blockage.ended(run);
      measures?.runEnded(run);
    },
  };
}

function watchedEventLoop(
  clock: Clock,
  blockage: BlockageReport,
  measures: ManagerMetrics | undefined,
): EventLoopWatch {
  return new EventLoopWatch(
    clock,
    (forMs) => blockage.report(forMs),
    (delayMs) => {
      blockage.forget();
      measures?.eventLoopDelayed(delayMs);
    },
  );
}
