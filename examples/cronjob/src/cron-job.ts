import { IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import {
  type Condition,
  Conditions,
  CustomResource,
  Format,
  JobTemplateSpec,
  KubernetesObject,
  ListType,
  ObjectReference,
  PrinterColumn,
  Rule,
  Spec,
  Status,
} from 'evenkeel';

/** What to do at a start while Jobs of earlier starts still run. */
export type ConcurrencyPolicy = 'Allow' | 'Forbid' | 'Replace';

export class CronJobSpec {
  /** When Jobs are started: minute, hour, day of the month, month and day of the week, or a nickname such as "@daily". */
  @IsString()
  @MaxLength(256)
  @Matches(/^(@[a-z]+|[!-~]+( +[!-~]+){4})$/)
  schedule!: string;

  /** The time zone of the schedule, by its name in the database of IANA: "Europe/Berlin". */
  @IsString()
  @MaxLength(64)
  @Matches(/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/)
  timeZone = 'Etc/UTC';

  /**
   * How late a Job may be started, in seconds. A start that was missed by more, because the operator was down or another
   * Job was still running, is left out. Without it a start is made up for, however late.
   */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(31_536_000)
  startingDeadlineSeconds?: number;

  /**
   * What to do at a start while Jobs of earlier starts still run: "Allow" runs them beside each other, "Forbid" waits for
   * the earlier one, "Replace" deletes the earlier one.
   */
  concurrencyPolicy: ConcurrencyPolicy = 'Allow';

  /** Whether no Job is started from now on. Jobs that run already are let finish. */
  suspend = false;

  /** The Jobs that are started. */
  jobTemplate!: JobTemplateSpec;

  /** How many Jobs that succeeded are kept. */
  @IsInt()
  @Min(0)
  @Max(1000)
  successfulJobsHistoryLimit = 3;

  /** How many Jobs that failed are kept. */
  @IsInt()
  @Min(0)
  @Max(1000)
  failedJobsHistoryLimit = 1;
}

export class CronJobStatus {
  /** The Jobs that run. */
  @ListType('atomic')
  active?: ObjectReference[];

  /** The latest time of the schedule for which a Job was started. */
  @Format('date-time')
  lastScheduleTime?: string;

  /** Ready: whether Jobs are started as the schedule says, and when the next one is. */
  @Conditions()
  conditions?: Condition[];
}

/** Starts Jobs at the times of a schedule. */
@CustomResource({ group: 'batch.example.com', version: 'v1', kind: 'CronJob', shortNames: ['cron'] })
@Rule('size(self.metadata.name) <= 52', { message: 'the name is longer than 52 characters, and Jobs add 11 to it' })
@PrinterColumn({ name: 'Schedule', type: 'string', jsonPath: '.spec.schedule' })
@PrinterColumn({ name: 'Suspend', type: 'boolean', jsonPath: '.spec.suspend' })
@PrinterColumn({
  name: 'Ready',
  type: 'string',
  jsonPath: '.status.conditions[?(@.type=="Ready")].status',
})
@PrinterColumn({ name: 'Last Schedule', type: 'date', jsonPath: '.status.lastScheduleTime' })
@PrinterColumn({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' })
@PrinterColumn({ name: 'Time Zone', type: 'string', jsonPath: '.spec.timeZone', priority: 1 })
export class CronJob extends KubernetesObject {
  @Spec() spec!: CronJobSpec;
  @Status() status!: CronJobStatus;
}
