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

/** What to do at a start while Jobs of earlier starts are still running. */
export type ConcurrencyPolicy = 'Allow' | 'Forbid' | 'Replace';

/** The fields that are the same in all versions. */
export class CronJobSettings {
  /**
   * The time zone of the schedule, as an IANA name: "Europe/Berlin". Default: that of the namespace, in its annotation
   * batch.example.com/time-zone, or else "Etc/UTC".
   */
  @IsOptional()
  @IsString()
  @MaxLength(64)
  @Matches(/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/)
  timeZone?: string;

  /**
   * The maximum delay of a Job's start, in seconds. A start with a longer delay, because the operator was down or
   * another Job was still running, is skipped. Without this field, a missed start is made up for after any delay.
   */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(31_536_000)
  startingDeadlineSeconds?: number;

  /**
   * What to do at a start while Jobs of earlier starts are still running: "Allow" runs them concurrently, "Forbid"
   * waits for the earlier one, "Replace" deletes the earlier one.
   */
  concurrencyPolicy: ConcurrencyPolicy = 'Allow';

  /** Whether to start no more Jobs. Running Jobs are not stopped. */
  suspend = false;

  /** The template of the Jobs. */
  jobTemplate!: JobTemplateSpec;

  /** The number of successful Jobs to keep. */
  @IsInt()
  @Min(0)
  @Max(1000)
  successfulJobsHistoryLimit = 3;

  /** The number of failed Jobs to keep. */
  @IsInt()
  @Min(0)
  @Max(1000)
  failedJobsHistoryLimit = 1;
}

export class CronJobSpec extends CronJobSettings {
  /** When to start Jobs: minute, hour, day of the month, month and day of the week, or a nickname such as "@daily". */
  @IsString()
  @MaxLength(512)
  @Matches(/^(@[a-z]{1,99}|[!-~]{1,100}( +[!-~]{1,100}){4})$/)
  schedule!: string;
}

export class CronJobStatus {
  /** The running Jobs. */
  @ListType('atomic')
  active?: ObjectReference[];

  /** The latest time of the schedule for which a Job was started. */
  @Format('date-time')
  lastScheduleTime?: string;

  /** Ready: whether Jobs are started according to the schedule, and when the next start is. */
  @Conditions()
  conditions?: Condition[];
}

/** Starts Jobs at the times of a schedule. */
@CustomResource({ group: 'batch.example.com', version: 'v1', kind: 'CronJob', storage: true, shortNames: ['cron'] })
@Rule('size(self.metadata.name) <= 52', {
  message: 'the name must not be longer than 52 characters, because the names of Jobs add 11',
})
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
