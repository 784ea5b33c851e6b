import { IsInt, Matches, MaxLength, Min } from 'class-validator';
import { type Condition, Conditions, CustomResource, type IntOrString, KubernetesObject, Spec, Status } from 'evenkeel';

export class SiteSpec {
  /** What the page says. */
  @MaxLength(63) @Matches(/^[ -~]+$/) text!: string;
  @IsInt() @Min(1) copies = 1;
  port?: IntOrString;
}

export class SiteStatus {
  @Conditions() conditions?: Condition[];
  published?: number;
}

/** A page in as many ConfigMaps as it is asked for. */
@CustomResource({ group: 'packed.example.com', version: 'v1' })
export class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
  @Status() status!: SiteStatus;
}
