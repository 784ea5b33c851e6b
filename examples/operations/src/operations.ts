import { ArrayMaxSize, ArrayMinSize, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import type { Condition } from 'evenkeel';
import {
  Conditions,
  CustomResource,
  Format,
  Immutable,
  IsDuration,
  KubernetesObject,
  PrinterColumn,
  Rule,
  Spec,
  Status,
} from 'evenkeel';

/** What all operations have in common. What they do cannot change. */
export class OperationSpec {
  /** The Deployment of the operation. A Deployment has one operation at a time. */
  @Matches(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/)
  @Immutable()
  deployment!: string;

  /** Cancels the operation, and takes back what it has changed. */
  @Rule('self || !oldSelf', { message: 'cancel must stay true; create another operation' })
  cancel = false;

  /** The time after which a running operation is given up and taken back. */
  @IsDuration()
  @Rule("duration(self) > duration('0s')", { message: 'timeout must be more than 0' })
  timeout = '10m';

  /** The time after which an operation that has ended is deleted. Default: never. */
  @IsOptional()
  @IsDuration()
  @Rule("duration(self) >= duration('0s')", { message: 'ttlAfterFinished must not be negative' })
  ttlAfterFinished?: string;

  /** How many ended operations of this kind and Deployment to keep when this one has ended. */
  @IsInt()
  @Min(1)
  @Max(100)
  historyLimit = 10;
}

export class OperationStatus {
  /** When the operation started. It may have waited for others before. */
  @Format('date-time')
  startTime?: string;

  /** When the operation ended. */
  @Format('date-time')
  completionTime?: string;

  /** The uid of the Deployment. Another Deployment of the same name is another target. */
  deploymentUid?: string;

  /** What the operation has replaced, to take it back. */
  previous?: string;

  /** Succeeded: Unknown until the operation has ended. The reason is its state, and the message its progress. */
  @Conditions()
  conditions?: Condition[];
}

@PrinterColumn({ name: 'Deployment', type: 'string', jsonPath: '.spec.deployment' })
@PrinterColumn({ name: 'State', type: 'string', jsonPath: '.status.conditions[?(@.type=="Succeeded")].reason' })
@PrinterColumn({ name: 'Progress', type: 'string', jsonPath: '.status.conditions[?(@.type=="Succeeded")].message' })
@PrinterColumn({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' })
export abstract class Operation extends KubernetesObject {
  abstract readonly spec: OperationSpec;
  @Status() status!: OperationStatus;
}

const served = { group: 'operations.example.com', version: 'v1alpha1', categories: ['operations'] };

/** Replaces all pods of a Deployment, a few at a time. */
@CustomResource({ ...served })
export class Restart extends Operation {
  @Spec() spec!: OperationSpec;
}

export class UpgradeSpec extends OperationSpec {
  /** The new image. */
  @Matches(/^[-\w./:@]{1,500}$/)
  @Immutable()
  image!: string;

  /** The container that gets the image. Default: the first one. */
  @IsOptional()
  @Matches(/^[-a-z0-9]{1,63}$/)
  @Immutable()
  container?: string;
}

/** Gives a Deployment another image, and the previous one back if its pods do not become ready. */
@CustomResource({ ...served })
export class Upgrade extends Operation {
  @Spec() spec!: UpgradeSpec;
}

export class BackupSpec extends OperationSpec {
  /** The image of the Job that takes the backup. */
  @Matches(/^[-\w./:@]{1,500}$/)
  @Immutable()
  image!: string;

  /** The command of the Job. $BACKUP and $DEPLOYMENT are the names, and /backups is the claim. */
  @Matches(/^[\t\n -~]{0,1000}$/, { each: true })
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @Immutable()
  command!: string[];

  /** The PersistentVolumeClaim that keeps the backups. */
  @Matches(/^[-.a-z0-9]{1,253}$/)
  @Immutable()
  claim!: string;
}

/** Backs up the data of a Deployment once, with a Job. */
@CustomResource({ ...served })
export class Backup extends Operation {
  @Spec() spec!: BackupSpec;
}
