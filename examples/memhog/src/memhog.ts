import { IsOptional, IsString, Matches } from 'class-validator';
import {
  type Condition,
  Conditions,
  CustomResource,
  IsDuration,
  KubernetesObject,
  PrinterColumn,
  Rule,
  Spec,
  Status,
} from 'evenkeel';

@Rule('!has(self.limit) || quantity(self.limit).compareTo(quantity(self.memory)) >= 0', {
  message: 'limit must not be less than memory, or the program is killed at once',
  fieldPath: '.limit',
})
export class MemHogSpec {
  /** The memory that the program allocates, such as 200Mi. */
  @Matches(/^[1-9][0-9]{0,8}(Ki|Mi|Gi)$/)
  memory!: string;

  /** The memory request and limit of the pod. Default: none. */
  @IsOptional()
  @IsString()
  @Matches(/^[1-9][0-9]{0,8}(Ki|Mi|Gi)$/)
  limit?: string;

  /** How long the program keeps the memory. */
  @IsDuration()
  @Rule("duration(self) >= duration('1s')", { message: 'duration must be at least 1s' })
  duration = '1m';
}

export class MemHogStatus {
  /** The Job of the present spec. */
  job?: string;

  /** The most memory that a pod of the Job has used so far, in MiB. */
  peak?: string;

  /** The recommended memory request and limit: the peak and a margin. */
  recommendation?: string;

  /** Complete: whether the Job has ended well. Recommended: whether there is a recommendation. Degraded: whether the Job has failed. */
  @Conditions()
  conditions?: Condition[];
}

/** A program that needs a given amount of memory for a given time, and a recommendation how much to request for it. */
@CustomResource({ group: 'capacity.example.com', version: 'v1alpha1', plural: 'memhogs', shortNames: ['hog'] })
@Rule('size(self.metadata.name) <= 50', { message: 'the name must not be longer than 50 characters' })
@PrinterColumn({ name: 'Memory', type: 'string', jsonPath: '.spec.memory' })
@PrinterColumn({ name: 'Limit', type: 'string', jsonPath: '.spec.limit' })
@PrinterColumn({ name: 'Peak', type: 'string', jsonPath: '.status.peak' })
@PrinterColumn({ name: 'Recommended', type: 'string', jsonPath: '.status.recommendation' })
@PrinterColumn({ name: 'Complete', type: 'string', jsonPath: '.status.conditions[?(@.type=="Complete")].reason' })
@PrinterColumn({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' })
export class MemHog extends KubernetesObject {
  @Spec() spec!: MemHogSpec;
  @Status() status!: MemHogStatus;
}
