import {
  awaitChange,
  Controller,
  durationMs,
  Job,
  Owns,
  quantityValue,
  Rbac,
  Reconcile,
  ReconcileContext,
  type ReconcileResult,
  requeueAfter,
} from 'evenkeel';
import { MemHog } from './memhog.ts';
import { MemoryMetrics } from './memory-metrics.ts';

/** How often a running Job is measured. The metrics-server measures as often by default. */
const interval = '15s';
/** How much is added to the peak. The VerticalPodAutoscaler adds as much by default. */
const marginPercent = 15;
const mebibyte = 2 ** 20;

@Controller(MemHog)
@Owns(Job)
@Rbac(Job, ['delete'], { reason: 'deletes the Job of an earlier spec' })
export class MemHogController {
  constructor(private readonly metrics: MemoryMetrics) {}

  /** Called when a MemHog or its Job has changed, and at each measurement. */
  @Reconcile({ maxConcurrent: 4 })
  async reconcile(hog: MemHog, context: ReconcileContext): Promise<ReconcileResult> {
    const job = await context.apply(jobFor(hog));
    await context.prune();
    const { status } = hog;
    if (status.job !== job.metadata.name) {
      context.events.normal('Started', `Started Job ${job.metadata.name}`);
      Object.assign(status, { job: job.metadata.name, peak: undefined, recommendation: undefined });
      context.conditions.remove('Recommended');
    }
    const hasEnded = report(job, context);
    if (hasEnded && context.conditions.get('Recommended')?.reason === 'Measured') return awaitChange();
    const isAvailable = await this.measure(hog, job, context);
    return hasEnded && isAvailable ? awaitChange() : requeueAfter(interval);
  }

  /** Updates the recommendation. Returns whether the metrics could be read. */
  private async measure({ status }: MemHog, job: Job, context: ReconcileContext): Promise<boolean> {
    const { conditions, events, signal } = context;
    let usage: readonly number[];
    try {
      usage = await this.metrics.usageOf(job, signal);
    } catch (error) {
      // The Job is not affected, and the next measurement may succeed.
      const { message } = error as Error;
      if (conditions.get('Recommended')?.message !== message) events.warning('MetricsUnavailable', message);
      conditions.set('Recommended', status.recommendation !== undefined, 'MetricsUnavailable', message);
      return false;
    }
    const peak = Math.max(...usage, status.peak === undefined ? 0 : quantityValue(status.peak));
    if (peak === 0) {
      conditions.set('Recommended', false, 'NotMeasured', 'no pod was measured yet');
      return true;
    }
    status.peak = roundedUp(peak);
    status.recommendation = roundedUp((quantityValue(status.peak) * (100 + marginPercent)) / 100);
    const message = `${status.recommendation} is the peak and ${marginPercent} %`;
    conditions.set('Recommended', true, 'Measured', message);
    return true;
  }
}

/** Reports the state of the Job, and returns whether it has ended. */
function report({ metadata: { name }, status = {} }: Job, { conditions }: ReconcileContext): boolean {
  const end = status.conditions?.find(({ type, status: is }) => is === 'True' && ['Complete', 'Failed'].includes(type));
  const hasFailed = end?.type === 'Failed';
  const [reason, verb] = hasFailed
    ? ['Failed', 'has failed']
    : end
      ? ['Completed', 'has completed']
      : ['Running', 'runs'];
  conditions.set('Complete', reason === 'Completed', reason, `Job ${name} ${verb}`);
  conditions.set(
    'Degraded',
    hasFailed,
    hasFailed ? (end.reason ?? 'JobFailed') : 'AsExpected',
    hasFailed ? end.message : '',
  );
  return end !== undefined;
}

function roundedUp(bytes: number): string {
  return `${Math.ceil(bytes / mebibyte)}Mi`;
}

/** The pods of a Job cannot change, so each spec has its own Job. */
function jobFor({ metadata: { name, generation }, spec: { memory, limit, duration } }: MemHog): Job {
  const seconds = Math.ceil(durationMs(duration) / 1000);
  const resources = limit === undefined ? {} : { requests: { memory: limit }, limits: { memory: limit } };
  // The program writes 1Mi as 1M.
  const bytes = memory.replace('i', '');
  const container = {
    name: 'hog',
    image: 'polinux/stress:1.0.4',
    command: ['stress', '--vm', '1', '--vm-hang', '0', '--vm-bytes', bytes, '--timeout', `${seconds}s`],
    resources,
  };
  const template = { spec: { restartPolicy: 'Never' as const, containers: [container] } };
  const spec = { backoffLimit: 0, template };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: `${name}-${generation}` }, spec };
}
