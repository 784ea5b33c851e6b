import { IsString, Matches, MaxLength } from 'class-validator';
import { CustomResource, KubernetesObject, PrinterColumn, Rule, Spec, Status } from 'evenkeel';
import { CronJob, CronJobSettings, CronJobStatus } from './cron-job.ts';

/** The five parts of a cron expression. A part that is missing is "*". */
export class CronSchedule {
  /** The minutes of an hour: "0", "*\/15", "0,30". */
  @IsString() @MaxLength(100) @Matches(/^[!-~]+$/) minute = '*';
  /** The hours of a day. */
  @IsString() @MaxLength(100) @Matches(/^[!-~]+$/) hour = '*';
  /** The days of a month. */
  @IsString() @MaxLength(100) @Matches(/^[!-~]+$/) dayOfMonth = '*';
  /** The months of a year, as numbers or names. */
  @IsString() @MaxLength(100) @Matches(/^[!-~]+$/) month = '*';
  /** The days of a week, as numbers or names; 0 and 7 are Sunday. */
  @IsString() @MaxLength(100) @Matches(/^[!-~]+$/) dayOfWeek = '*';
}

export class CronJobV2Spec extends CronJobSettings {
  /** When to start Jobs. */
  schedule: CronSchedule = new CronSchedule();
}

/** The parts of a schedule in the order of a cron expression. */
export const parts = ['minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek'] as const;

const nicknames: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** Starts Jobs at the times of a schedule. */
@CustomResource({
  group: 'batch.example.com',
  version: 'v2',
  kind: 'CronJob',
  conversion: {
    hub: () => CronJob,
    // v2 has no nicknames, and does not know how many spaces there were.
    keep: { hub: ['spec.schedule'] },
    toHub: ({ spec: { schedule } }: CronJobV2, hub) => {
      if (schedule !== undefined) hub.spec.schedule = parts.map((part) => schedule[part] ?? '*').join(' ');
    },
    fromHub: ({ spec: { schedule } }, cronJob: CronJobV2) => {
      if (schedule === undefined) return;
      const values = (nicknames[schedule] ?? schedule).split(/ +/);
      cronJob.spec.schedule = Object.fromEntries(
        parts.map((part, at) => [part, values[at] ?? '*']),
      ) as unknown as CronSchedule;
    },
  },
})
@Rule('size(self.metadata.name) <= 52', {
  message: 'the name must not be longer than 52 characters, because the names of Jobs add 11',
})
@PrinterColumn({ name: 'Minute', type: 'string', jsonPath: '.spec.schedule.minute' })
@PrinterColumn({ name: 'Hour', type: 'string', jsonPath: '.spec.schedule.hour' })
@PrinterColumn({ name: 'Suspend', type: 'boolean', jsonPath: '.spec.suspend' })
@PrinterColumn({
  name: 'Ready',
  type: 'string',
  jsonPath: '.status.conditions[?(@.type=="Ready")].status',
})
@PrinterColumn({ name: 'Last Schedule', type: 'date', jsonPath: '.status.lastScheduleTime' })
@PrinterColumn({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' })
export class CronJobV2 extends KubernetesObject {
  @Spec() spec!: CronJobV2Spec;
  @Status() status!: CronJobStatus;
}
