import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import {
  type Condition,
  Conditions,
  CustomResource,
  Immutable,
  KubernetesObject,
  PrinterColumn,
  Rule,
  Spec,
  Status,
} from 'evenkeel';

/** What happens to the claim of a deleted DemoVolume. */
export type ReclaimPolicy = 'Delete' | 'Retain';

@Rule('quantity(self.size).compareTo(quantity(oldSelf.size)) >= 0', {
  message: 'size must not decrease, because volumes cannot shrink',
  fieldPath: '.size',
})
export class DemoVolumeSpec {
  /** The size of the volume, such as 10Gi. It may grow if the StorageClass allows it. */
  @MaxLength(20)
  @Matches(/^[1-9][0-9]{0,12}(Ki|Mi|Gi|Ti)$/)
  size!: string;

  /** The StorageClass. Default: the default class of the cluster. */
  @IsOptional()
  @IsString()
  @MaxLength(253)
  @Matches(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/)
  @Immutable()
  storageClassName?: string;

  /** Whether the claim with its data is deleted with the DemoVolume, or stays. A new DemoVolume of the same name takes it over. */
  reclaimPolicy: ReclaimPolicy = 'Delete';
}

export class DemoVolumeStatus {
  /** The size of the volume as the cluster has provided it. */
  capacity?: string;

  /** Available: whether the claim has a volume. Progressing: whether it waits for one, or grows. Degraded: whether it cannot. */
  @Conditions()
  conditions?: Condition[];
}

/** A volume: a PersistentVolumeClaim that can grow, and whose data can outlive it. */
@CustomResource({ group: 'demo.example.com', version: 'v1', shortNames: ['dv'] })
@PrinterColumn({ name: 'Size', type: 'string', jsonPath: '.spec.size' })
@PrinterColumn({ name: 'Capacity', type: 'string', jsonPath: '.status.capacity' })
@PrinterColumn({ name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' })
@PrinterColumn({ name: 'Policy', type: 'string', jsonPath: '.spec.reclaimPolicy' })
@PrinterColumn({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' })
export class DemoVolume extends KubernetesObject {
  @Spec() spec!: DemoVolumeSpec;
  @Status() status!: DemoVolumeStatus;
}
