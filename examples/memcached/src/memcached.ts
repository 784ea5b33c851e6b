import { IsInt, Max, Min } from 'class-validator';
import {
  type Condition,
  Conditions,
  CustomResource,
  KubernetesObject,
  ListType,
  PrinterColumn,
  Spec,
  Status,
} from 'evenkeel';

export class MemcachedSpec {
  /** The number of memcached pods. */
  @IsInt()
  @Min(0)
  @Max(10)
  size = 1;

  /** The port on which memcached listens in its pods. */
  @IsInt()
  @Min(1024)
  @Max(65535)
  containerPort = 11211;
}

export class MemcachedStatus {
  /** The names of the pods, sorted. */
  @ListType('atomic')
  nodes?: string[];

  /** Available: whether all pods are ready. Degraded: whether the Deployment cannot reach the wanted state. */
  @Conditions()
  conditions?: Condition[];
}

/** A memcached server: a Deployment of equal pods without storage. */
@CustomResource({ group: 'cache.example.com', version: 'v1alpha1', plural: 'memcacheds' })
@PrinterColumn({ name: 'Size', type: 'integer', jsonPath: '.spec.size' })
@PrinterColumn({ name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' })
@PrinterColumn({ name: 'Degraded', type: 'string', jsonPath: '.status.conditions[?(@.type=="Degraded")].status' })
@PrinterColumn({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' })
export class Memcached extends KubernetesObject {
  @Spec() spec!: MemcachedSpec;
  @Status() status!: MemcachedStatus;
}
