import { IsInt, Matches, Max, MaxLength, Min } from 'class-validator';
import { type Condition, Conditions, CustomResource, KubernetesObject, PrinterColumn, Spec, Status } from 'evenkeel';

export class MemcachedSpec {
  /** The number of pods. */
  @IsInt() @Min(0) @Max(10) replicas = 1;
  /** The container image. */
  @MaxLength(255) @Matches(/^[!-~]+$/) image = 'registry.k8s.io/pause:3.10';
}

export class MemcachedStatus {
  @IsInt() readyReplicas?: number;
  @Conditions() conditions?: Condition[];
}

/** Runs an image in pods. */
@CustomResource({ group: 'cache.example.com', version: 'v1alpha1' })
@PrinterColumn({ name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' })
@PrinterColumn({ name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' })
export class Memcached extends KubernetesObject {
  @Spec() spec!: MemcachedSpec;
  @Status() status!: MemcachedStatus;
}
