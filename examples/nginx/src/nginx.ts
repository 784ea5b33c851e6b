import { IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min, MinLength } from 'class-validator';
import {
  type Condition,
  Conditions,
  CustomResource,
  KubernetesObject,
  PrinterColumn,
  Scale,
  Spec,
  Status,
} from 'evenkeel';

export class NginxSpec {
  /** The number of nginx pods. */
  @IsInt()
  @Min(0)
  @Max(50)
  replicaCount = 1;

  /** The port of the Service. nginx itself listens on 80. */
  @IsInt()
  @Min(1)
  @Max(65535)
  port = 80;

  /** The container image of nginx, with a tag or a digest. */
  @IsString()
  @MinLength(1)
  @MaxLength(512)
  @Matches(/^[!-~]+$/)
  image = 'nginx:1.29';

  /**
   * The name of a ConfigMap in the same namespace. Its keys are the files that nginx serves, such as index.html. A
   * changed page replaces the pods. Without this field, nginx serves its welcome page.
   */
  @IsOptional()
  @IsString()
  @MaxLength(253)
  @Matches(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/)
  pageConfigMap?: string;
}

export class NginxStatus {
  /** The number of pods that are ready to serve. */
  @IsOptional()
  @IsInt()
  @Min(0)
  readyReplicas?: number;

  /** The labels of the pods as a string, by which an autoscaler finds them. */
  @IsOptional()
  @IsString()
  selector?: string;

  /** The external address of the Service, when it has one. */
  @IsOptional()
  @IsString()
  address?: string;

  /** Available, Progressing and Degraded. */
  @Conditions()
  conditions?: Condition[];
}

/** An nginx web server: a Deployment, and a Service that makes it reachable. */
@CustomResource({
  group: 'web.example.com',
  version: 'v1alpha1',
  kind: 'Nginx',
  shortNames: ['ngx'],
})
@PrinterColumn({ name: 'Replicas', type: 'integer', jsonPath: '.spec.replicaCount' })
@PrinterColumn({ name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' })
@PrinterColumn({
  name: 'Available',
  type: 'string',
  jsonPath: '.status.conditions[?(@.type=="Available")].status',
})
@PrinterColumn({ name: 'Address', type: 'string', jsonPath: '.status.address' })
@PrinterColumn({ name: 'Image', type: 'string', jsonPath: '.spec.image', priority: 1 })
@PrinterColumn({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' })
@Scale({
  specReplicasPath: '.spec.replicaCount',
  statusReplicasPath: '.status.readyReplicas',
  labelSelectorPath: '.status.selector',
})
export class Nginx extends KubernetesObject {
  @Spec() spec!: NginxSpec;
  @Status() status!: NginxStatus;
}
