import { IsBoolean, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min, MinLength } from 'class-validator';
import {
  type Condition,
  Conditions,
  CustomResource,
  Items,
  KubernetesObject,
  MaxProperties,
  PrinterColumn,
  ResourceRequirements,
  Rule,
  Spec,
  Status,
  Toleration,
} from 'evenkeel';

/** What the pods of all members have in common. Changes apply to members that are added later. */
export class PodPolicy {
  /** More labels of the pods. */
  @IsOptional() @MaxProperties(32) labels?: Record<string, string>;

  /** The labels of the nodes on which members may run. */
  @IsOptional() @MaxProperties(32) nodeSelector?: Record<string, string>;

  /** The taints of nodes that members tolerate. */
  @IsOptional() tolerations?: Toleration[];

  /** The resources of each member. */
  @IsOptional() resources?: ResourceRequirements;

  /** Whether two members must not run on the same node. */
  @IsBoolean() antiAffinity = false;
}

export class EtcdClusterSpec {
  /** The number of members. An odd number is best: with 4 members, no more may fail than with 3. */
  @IsInt() @Min(1) @Max(7) size = 3;

  /**
   * The version of etcd. The members are upgraded one at a time. The minor version may increase by one at a time, as etcd
   * requires. It may decrease again only until all members have been upgraded.
   */
  @IsString()
  @MaxLength(32)
  @Matches(/^[0-9]+\.[0-9]+\.[0-9]+$/)
  @Rule(
    "self.split('.')[0] == oldSelf.split('.')[0] && int(self.split('.')[1]) - int(oldSelf.split('.')[1]) in [-1, 0, 1]",
    { message: 'the minor version must change by one at a time, and the major version must not change' },
  )
  version = '3.6.16';

  /** The image without its tag, which is the version after a "v". */
  @IsString() @MinLength(1) @MaxLength(400) @Matches(/^[!-~]+$/) repository = 'quay.io/coreos/etcd';

  /** Whether the operator leaves the cluster unchanged. */
  @IsBoolean() paused = false;

  /** The settings of the members' pods. */
  @IsOptional() pod?: PodPolicy;
}

/** The members by the readiness to serve clients. */
export class EtcdMembers {
  @Items(MaxLength(63), Matches(/^[a-z0-9-]*$/)) ready: string[] = [];
  @Items(MaxLength(63), Matches(/^[a-z0-9-]*$/)) unready: string[] = [];
}

export class EtcdClusterStatus {
  /** The ID that etcd gave the cluster. While it is set, the operator never starts another cluster under this name. */
  @IsOptional() @IsString() clusterId?: string;

  /** The EtcdRestore whose data the cluster has. */
  @IsOptional() @IsString() restored?: string;

  /** The number of members that take part in votes. */
  @IsOptional() @IsInt() size?: number;

  /** The version that all members run, or ran before the upgrade in progress. */
  @IsOptional() @IsString() version?: string;

  members?: EtcdMembers;

  /** The name of the Service for clients. */
  @IsOptional() @IsString() serviceName?: string;

  /** Available, Recovering, Scaling and Upgrading. */
  @Conditions() conditions?: Condition[];
}

/** An etcd cluster: one pod for each member. */
@CustomResource({ group: 'etcd.example.com', version: 'v1', kind: 'EtcdCluster', shortNames: ['etcd'] })
@Rule('size(self.metadata.name) <= 40', {
  message: 'the name must not be longer than 40 characters, because the names of members and Services are longer',
})
@PrinterColumn({ name: 'Size', type: 'integer', jsonPath: '.spec.size' })
@PrinterColumn({ name: 'Members', type: 'integer', jsonPath: '.status.size' })
@PrinterColumn({ name: 'Version', type: 'string', jsonPath: '.status.version' })
@PrinterColumn({ name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' })
@PrinterColumn({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' })
export class EtcdCluster extends KubernetesObject {
  @Spec() spec!: EtcdClusterSpec;
  @Status() status!: EtcdClusterStatus;
}

/**
 * Returns the mark of the EtcdRestore that the operator was asked to carry out last, or with whose data a pod started. The controller of
 * the EtcdRestore sets the annotation. The cluster has the data if `status.restored` is the same.
 */
export function restoreOf({ metadata }: Pick<KubernetesObject, 'metadata'>): string | undefined {
  return metadata.annotations?.[restoreOf.annotation];
}
restoreOf.annotation = 'etcd.example.com/restore';

/** Returns the mark of an EtcdRestore. It has the uid, because another one may have the same name later. */
export function restoreMark({ name, uid }: KubernetesObject['metadata']): string {
  return `${name}.${uid}`;
}

/** Returns the name of the EtcdRestore with a mark. */
export function restoreName(mark: string): string {
  return mark.slice(0, mark.lastIndexOf('.'));
}
