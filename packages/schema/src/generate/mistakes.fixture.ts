import { CustomResource, KubernetesObject, PrinterColumn, Spec, Status } from '@evenkeel/core';
import { Expose, Transform, Type } from 'class-transformer';
import { ArrayMaxSize, IsEmpty, IsInt, IsJSON, IsOptional, IsPort, IsString, Min, ValidateIf } from 'class-validator';

class BrokenSpec {
  @IsPort() port = 80;
  @Expose({ name: 'full_name' }) @IsString() fullName!: string;
  @Transform(({ value }) => value) @IsInt() size = 1;
  @Type(() => Date) since?: Date;
  @IsString() id = `${Math.random()}`;
  @Min(1) @IsInt() @IsString() both!: number;
  @IsOptional() anything: unknown;
}

/** Has one of each error. */
@CustomResource({ group: 'example', version: 'V1', shortname: 'b' } as never)
@PrinterColumn({ name: 'Size', type: 'integer', jsonPath: 'spec.size' })
export class Broken extends KubernetesObject {
  @Spec() spec!: BrokenSpec;
  @Status() state!: BrokenSpec;
}

class VagueSpec {
  @IsJSON() since!: string;
  @ValidateIf((spec: VagueSpec) => spec.since !== '') @Min(1) @IsInt() size!: number;
  @IsEmpty() same?: number;
  @IsInt({ groups: ['update'] }) @Min(1, { validateIf: () => false }) often = 1;
}

/** Uses decorators that no schema can express exactly. */
@CustomResource({ group: 'example.com', version: 'v1' })
export class Vague extends KubernetesObject {
  @Spec() spec!: VagueSpec;
}

class MenuSpec {
  @ArrayMaxSize(9) dishes?: string[];
}

/** A class without errors. */
@CustomResource({ group: 'example.com', version: 'v1' })
export class Menu extends KubernetesObject {
  @Spec() spec!: MenuSpec;
}
