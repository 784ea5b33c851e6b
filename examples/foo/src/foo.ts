import { IsInt, Matches, Max, MaxLength, Min } from 'class-validator';
import { CustomResource, KubernetesObject, PrinterColumn, Spec, Status } from 'evenkeel';

export class FooSpec {
  /** The name of the Deployment. If you change it, the Deployment of the old name is deleted. */
  @MaxLength(63)
  @Matches(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
  deploymentName!: string;

  /** The number of nginx pods. */
  @IsInt()
  @Min(1)
  @Max(10)
  replicas = 1;
}

export class FooStatus {
  /** The number of available pods. */
  @IsInt()
  @Min(0)
  availableReplicas?: number;
}

/** A Deployment of nginx with a chosen name. */
@CustomResource({ group: 'samplecontroller.example.com', version: 'v1alpha1' })
@PrinterColumn({ name: 'Deployment', type: 'string', jsonPath: '.spec.deploymentName' })
@PrinterColumn({ name: 'Wanted', type: 'integer', jsonPath: '.spec.replicas' })
@PrinterColumn({ name: 'Available', type: 'integer', jsonPath: '.status.availableReplicas' })
@PrinterColumn({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' })
export class Foo extends KubernetesObject {
  @Spec() spec!: FooSpec;
  @Status() status!: FooStatus;
}
