import {
  CustomResource,
  Default,
  ExactlyOneOf,
  KubernetesObject,
  ListType,
  Rule,
  Schema,
  SelectableField,
  Spec,
  Status,
} from '@evenkeel/core';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

class Tls {
  @IsString() cert!: string;
}

@Rule('self.cert != ""')
@Rule('self.kert != ""')
class RuledTls extends Tls {}

@ExactlyOneOf('name', 'alias')
@Rule('self.name.startsWith("a"')
@Rule('self.size', { message: 'must be there' })
class Ruled {
  @IsOptional() @IsString() @Rule('self.size() > oldSlef.size()') name?: string;
  @IsOptional() @IsString() @Rule('self == "a"', { optionalOldSelf: true }) alias?: string;
  @IsOptional() @IsInt() @Rule('self > 0', { reason: 'Wrong' as never }) size?: number;
  @IsOptional() @Type(() => RuledTls) tls?: RuledTls;
  @IsOptional() @IsInt() @Rule('self > 0', { messageExpression: '1 + 1' }) count?: number;
}

/** Has rules that do not compile. */
@CustomResource({ group: 'example.com', version: 'v1' })
export class WrongRules extends KubernetesObject {
  @Spec() spec!: Ruled;
}

class Host {
  @IsString() @Rule('self.matches("^[a-z]+$")') name!: string;
  @IsString({ each: true }) paths!: string[];
}

@Rule('self.hosts.all(a, self.hosts.exists_one(b, a.name == b.name))')
@Rule('self.hosts.size() > 0')
class Costly {
  @Type(() => Host) hosts!: Host[];
}

/** Has rules that are too expensive. */
@CustomResource({ group: 'example.com', version: 'v1' })
export class CostlyRules extends KubernetesObject {
  @Spec() spec!: Costly;
}

class LimitedHost {
  @IsString() @MaxLength(200) @Rule('self.matches("^[a-z]+$")') name!: string;
}

@Rule('self.hosts.all(a, self.hosts.exists_one(b, a.name == b.name))')
class Limited {
  @ArrayMaxSize(200) @Type(() => LimitedHost) hosts!: LimitedHost[];
}

/** The same class with limits. */
@CustomResource({ group: 'example.com', version: 'v1' })
export class LimitedRules extends KubernetesObject {
  @Spec() spec!: Limited;
}

class Port {
  @IsOptional() @IsString() name?: string;
  @IsInt() @Min(1) @Max(65535) port!: number;
}

class Wrong {
  @Type(() => Port) @ListType('map', 'name') ports: Port[] = [];
  @Type(() => Port) @ListType('map', 'nmae') others: Port[] = [];
  @IsString({ each: true }) @Schema({ uniqueItems: true } as never) tags: string[] = [];
  @IsInt() @Default('three') size!: number;
  @Type(() => Port) @Default({ port: 0, protocol: 'TCP' }) main!: Port;
  @IsString() @Rule('slef == "a"') name!: string;
}

/** Has a schema that breaks rules of several stages. */
@CustomResource({ group: 'example.com', version: 'v1' })
export class WrongSchema extends KubernetesObject {
  @Spec() spec!: Wrong;
}

class Large {
  @IsInt() @Max(5) size = 6;
}

class Small {
  @IsInt() @Max(5) size = 1;
}

@CustomResource({ group: 'example.com', version: 'v3', kind: 'Sized', storage: true })
export class SmallSized extends KubernetesObject {
  @Spec() spec!: Small;
}

/** Its error is in the second version. */
@CustomResource({ group: 'example.com', version: 'v2', kind: 'Sized' })
export class LargeSized extends KubernetesObject {
  @Spec() spec!: Large;
}

class OtherLarge {
  @IsInt() @Max(5) size = 6;
}

/** Has the same error in a separate class, so that the schemas are equal. */
@CustomResource({ group: 'example.com', version: 'v4', kind: 'Sized', storage: true })
export class OtherLargeSized extends KubernetesObject {
  @Spec() spec!: OtherLarge;
}

/** Shares a wrong class with another version. */
@CustomResource({ group: 'example.com', version: 'v1', kind: 'Sized' })
export class AlsoLargeSized extends KubernetesObject {
  @Spec() spec!: Large;
  @Status() status!: Port;
}

@CustomResource({ group: 'web.k8s.io', version: 'v1' })
export class Protected extends KubernetesObject {}

@CustomResource({ group: 'example.com', version: 'v2', kind: 'Selected', storage: true })
@SelectableField('.spec.size')
export class SelectedV2 extends KubernetesObject {
  @Spec() spec!: Small;
}

/** Has the schema of the other version, but not its selectable field. */
@CustomResource({ group: 'example.com', version: 'v1', kind: 'Selected' })
export class SelectedV1 extends KubernetesObject {
  @Spec() spec!: Small;
}
