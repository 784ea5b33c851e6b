import type { Condition } from '@evenkeel/core';
import { Conditions, CustomResource, KubernetesObject, PrinterColumn, Scale, Spec, Status } from '@evenkeel/core';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsEnum,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { Backup } from './backup.fixture.ts';

export enum Eviction {
  Lru = 'lru',
  Lfu = 'lfu',
}

type Tier = 'bronze' | 'silver' | 'gold';

class Port {
  @IsString()
  name!: string;

  @IsInt()
  @Min(1)
  @Max(65535)
  port!: number;
}

export class Limits {
  /** In megabytes. */
  @IsInt()
  memory = 64;

  @IsOptional()
  @IsNumber()
  @Min(0.5)
  cpu?: number;
}

/** What is asked for. */
export class CacheSpec {
  /**
   * How many members.
   * TODO: more than five
   *
   * An odd number, see {@link Limits}.
   * ---
   * Not for users.
   */
  @IsInt()
  @Min(1)
  @Max(5)
  size = 3;

  @IsEnum(Eviction)
  eviction = Eviction.Lru;

  @IsIn(['bronze', 'silver'])
  tier: Tier = 'bronze';

  @Length(1, 63)
  @Matches(/^[a-z]\w*$/i)
  owner!: string;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(8)
  @ValidateNested({ each: true })
  @Type(() => Port)
  ports!: Port[];

  @IsString({ each: true })
  hosts: string[] = [];

  @IsOptional()
  labels?: Record<string, string>;

  extra?: Record<string, unknown>;

  @ValidateNested()
  limits!: Limits;

  @IsOptional()
  @ValidateNested()
  backup?: Backup;

  @IsBoolean()
  'read-only' = false;
}

export class CacheStatus {
  @IsOptional()
  @IsInt()
  readyMembers?: number;

  @Conditions()
  conditions?: Condition[];
}

/** A cache of some members. */
@CustomResource({
  group: 'cache.example.com',
  version: 'v1alpha1',
  shortNames: ['ca'],
  categories: ['all'],
  scope: 'Cluster',
})
@PrinterColumn({ name: 'Ready', type: 'integer', jsonPath: '.status.readyMembers' })
@PrinterColumn({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' })
@Scale({ specReplicasPath: '.spec.size', statusReplicasPath: '.status.readyMembers' })
export class Cache extends KubernetesObject {
  @Spec() spec!: CacheSpec;
  @Status() status!: CacheStatus;
}
