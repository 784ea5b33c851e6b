import { IsInt, IsOptional, Matches, Max, MaxLength, Min, ValidateNested } from 'class-validator';
import { type Condition, Conditions, CustomResource, KubernetesObject, Spec, Status } from 'evenkeel';

export class Frame {
  @IsInt() @Min(1) @Max(10) width = 1;
}

export class GreetingSpec {
  /** The name to greet. */
  @MaxLength(63) @Matches(/^[ -~]+$/) name!: string;
  language: 'en' | 'fr' = 'en';
  /** Stars before and after the greeting. */
  @IsOptional() @ValidateNested() frame?: Frame;
}

export class GreetingStatus {
  @Conditions() conditions?: Condition[];
}

/** A greeting, in a ConfigMap of the same name. */
@CustomResource({ group: 'hello.example.com', version: 'v1' })
export class Greeting extends KubernetesObject {
  @Spec() spec!: GreetingSpec;
  @Status() status!: GreetingStatus;
}
