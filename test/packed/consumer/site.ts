import { IsInt, Matches, MaxLength, Min } from 'class-validator';
import { type Condition, Conditions, CustomResource, type IntOrString, KubernetesObject, Spec, Status } from 'evenkeel';

export class SiteSpec {
  /** The text of the page. */
  @MaxLength(63) @Matches(/^[ -~]+$/) text!: string;
  @IsInt() @Min(1) copies = 1;
  port?: IntOrString;
}

export class SiteStatus {
  @Conditions() conditions?: Condition[];
  published?: number;
}

/** A page that is stored in several ConfigMaps. */
@CustomResource({ group: 'packed.example.com', version: 'v1' })
export class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
  @Status() status!: SiteStatus;
}
