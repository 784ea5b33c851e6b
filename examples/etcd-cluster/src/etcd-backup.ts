import { IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import {
  type Condition,
  Conditions,
  CustomResource,
  Format,
  IsDuration,
  KubernetesObject,
  ListType,
  PrinterColumn,
  Rule,
  Spec,
  Status,
} from 'evenkeel';

/** The name of an object. */
const objectName = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

export class EtcdBackupSpec {
  /** The name of the EtcdCluster, in the same namespace. */
  @IsString()
  @MaxLength(40)
  @Matches(objectName)
  @Rule('self == oldSelf', { message: 'must not change' })
  cluster!: string;

  /** The time from one backup to the next. Without it, one backup is taken. */
  @IsOptional() @IsDuration() interval?: string;

  /** The number of snapshots to keep. Older ones are deleted. */
  @IsInt() @Min(1) @Max(1000) maxBackups = 7;
}

/** One stored snapshot. */
export class EtcdSnapshot {
  @IsString() @MaxLength(128) @Matches(/^[A-Za-z0-9._-]*$/) name!: string;
  @Format('date-time') takenAt!: string;
}

export class EtcdBackupStatus {
  /** The stored snapshots, the latest one last. */
  @ListType('atomic') snapshots?: EtcdSnapshot[];

  /** Ready: whether the last backup that was due is stored. */
  @Conditions() conditions?: Condition[];
}

/** Backups of an EtcdCluster: one, or one in each interval. If it is deleted, its snapshots stay. */
@CustomResource({ group: 'etcd.example.com', version: 'v1', kind: 'EtcdBackup' })
@PrinterColumn({ name: 'Cluster', type: 'string', jsonPath: '.spec.cluster' })
@PrinterColumn({ name: 'Interval', type: 'string', jsonPath: '.spec.interval' })
@PrinterColumn({ name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' })
@PrinterColumn({ name: 'Latest', type: 'string', jsonPath: '.status.snapshots[-1:].name' })
export class EtcdBackup extends KubernetesObject {
  @Spec() spec!: EtcdBackupSpec;
  @Status() status!: EtcdBackupStatus;
}

@Rule('self == oldSelf', { message: 'a restore must not change; create another one' })
export class EtcdRestoreSpec {
  /** The name of the EtcdCluster in the same namespace whose data is replaced. */
  @IsString() @MaxLength(40) @Matches(objectName) cluster!: string;

  /** The name of the EtcdBackup in the same namespace. It may have been deleted. */
  @IsString() @MaxLength(253) @Matches(objectName) backup!: string;

  /** The name of the snapshot. Default: the latest one when the restore starts. */
  @IsOptional() @IsString() @MaxLength(128) @Matches(/^[A-Za-z0-9][A-Za-z0-9._-]*$/) snapshot?: string;
}

export class EtcdRestoreStatus {
  /** The snapshot that is restored. */
  @IsOptional() @IsString() snapshot?: string;

  /** Complete: whether the cluster has the data of the snapshot. */
  @Conditions() conditions?: Condition[];
}

/** Replaces all data of an EtcdCluster by that of a snapshot, once. */
@CustomResource({ group: 'etcd.example.com', version: 'v1', kind: 'EtcdRestore' })
@PrinterColumn({ name: 'Cluster', type: 'string', jsonPath: '.spec.cluster' })
@PrinterColumn({ name: 'Snapshot', type: 'string', jsonPath: '.status.snapshot' })
@PrinterColumn({ name: 'Complete', type: 'string', jsonPath: '.status.conditions[?(@.type=="Complete")].status' })
export class EtcdRestore extends KubernetesObject {
  @Spec() spec!: EtcdRestoreSpec;
  @Status() status!: EtcdRestoreStatus;
}
