import type { Job, JobSpec, Pod, PodStatus } from '@evenkeel/kinds';
import { countCommonIndexes, countIndexes, type IndexRanges, parseIndexes } from './job-indexes.ts';

type Rule = NonNullable<JobSpec['podFailurePolicy']>['rules'][number];
type ExitCodes = NonNullable<Rule['onExitCodes']>;
type ContainerStatus = NonNullable<PodStatus['containerStatuses']>[number];

/** The effect of a Job's failure policy on a failed pod. */
export interface PodFailure {
  /** Whether the failure counts towards `backoffLimit`. */
  readonly counts: boolean;
  readonly action?: Rule['action'];
  /** The message with which the failure fails the whole Job. */
  readonly failsJob?: string;
}

/** The first matching rule decides. Source: `matchPodFailurePolicy`, `pkg/controller/job/pod_failure_policy.go`. */
export function matchFailurePolicy(job: Job, pod: Pod): PodFailure {
  for (const [index, rule] of (job.spec?.podFailurePolicy?.rules ?? []).entries()) {
    const why = reasonOf(rule, pod);
    if (why === undefined) continue;
    const { action } = rule;
    if (action === 'Ignore') return { counts: false, action };
    if (action !== 'FailJob') return { counts: true, action };
    return { counts: true, action, failsJob: `${why} matching ${action} rule at index ${index}` };
  }
  return { counts: true };
}

function reasonOf(rule: Rule, { metadata, status }: Pod): string | undefined {
  const name = `${metadata.namespace ?? ''}/${metadata.name}`;
  const { onExitCodes } = rule;
  if (onExitCodes !== undefined) {
    const containers = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
    const failed = containers.find((container) => matchesExitCode(onExitCodes, container));
    if (failed === undefined) return undefined;
    return `Container ${failed.name} for pod ${name} failed with exit code ${failed.state?.terminated?.exitCode}`;
  }
  const condition = status?.conditions?.find(({ type, status: holds }) =>
    rule.onPodConditions?.some((pattern) => pattern.type === type && (pattern.status ?? 'True') === holds),
  );
  return condition === undefined ? undefined : `Pod ${name} has condition ${condition.type}`;
}

function matchesExitCode({ containerName, operator, values }: ExitCodes, { name, state }: ContainerStatus): boolean {
  const exitCode = state?.terminated?.exitCode ?? 0;
  if (exitCode === 0 || (containerName !== undefined && containerName !== name)) return false;
  return values.includes(exitCode) === (operator === 'In');
}

/** The condition message for the success-policy rule that the succeeded indexes fulfil. Source: `matchSuccessPolicy`. */
export function matchSuccessPolicy(
  { successPolicy, completions = 0 }: JobSpec,
  succeeded: IndexRanges,
): string | undefined {
  if (succeeded.length === 0) return undefined;
  const index = (successPolicy?.rules ?? []).findIndex(({ succeededCount, succeededIndexes }) => {
    if (succeededIndexes === undefined) {
      return succeededCount !== undefined && countIndexes(succeeded) >= succeededCount;
    }
    const wanted = parseIndexes(succeededIndexes, completions);
    if (wanted.length === 0) return false;
    const reached = countCommonIndexes(wanted, succeeded);
    return reached === countIndexes(wanted) || (succeededCount !== undefined && reached >= succeededCount);
  });
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}
