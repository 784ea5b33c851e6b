import type { Condition } from '@evenkeel/core';
import { Conditions, CustomResource, Items, KubernetesObject, Spec, Status, Values } from '@evenkeel/core';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsDefined,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';

export class Port {
  @IsString()
  @Length(1, 15)
  name!: string;

  @IsInt()
  @Min(1, { message: '$property of $target is $value, which is less than $constraint1' })
  @Max(65535)
  port!: number;
}

abstract class Delivery {
  @IsIn(['post', 'drone'])
  type!: string;
}

export class Post extends Delivery {
  @Matches(/^[0-9]{5}$/)
  code!: string;
}

export class Drone extends Delivery {
  @IsInt()
  @Max(10)
  kilograms!: number;
}

export class Department {
  @IsString()
  title!: string;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Department)
  below?: Department[];
}

export class ShopSpec {
  @IsInt()
  @Min(1)
  size!: number;

  @IsArray()
  @ArrayMaxSize(3)
  @ValidateNested({ each: true })
  @Type(() => Port)
  ports!: Port[];

  @IsOptional()
  @ValidateNested()
  @Type(() => Port)
  main?: Port;

  @IsOptional()
  @IsString({ each: true })
  @MaxLength(5, { each: true })
  hosts?: string[];

  @IsOptional()
  @ValidateNested()
  @Type(() => Delivery as never, {
    keepDiscriminatorProperty: true,
    discriminator: {
      property: 'type',
      subTypes: [
        { name: 'post', value: Post },
        { name: 'drone', value: Drone },
      ],
    },
  })
  delivery?: Post | Drone;

  @ValidateIf((spec: ShopSpec) => spec.size > 3)
  @IsDefined()
  @IsString()
  reason?: string;

  @IsOptional()
  @ValidateBy({
    name: 'lessThanSize',
    validator: {
      validate: (value, parameters) => parameters === undefined || value < (parameters.object as ShopSpec).size,
      defaultMessage: (parameters) => `${parameters?.property} must be less than size`,
    },
  })
  spare?: number;

  @IsOptional()
  @ValidateNested()
  @Type(() => Department)
  departments?: Department;
}

export class ShopStatus {
  @IsInt()
  ready!: number;

  @Conditions()
  conditions?: Condition[];
}

@CustomResource({ group: 'shop.example.com', version: 'v1' })
export class Shop extends KubernetesObject {
  @Spec() spec!: ShopSpec;
  @Status() status!: ShopStatus;
}

class StallSpec {
  // Without @ValidateNested.
  @IsOptional()
  main?: Port;

  @Type(() => Port)
  list?: Port[];

  @ValidateNested({ each: true })
  @Type(() => Port)
  byName?: Record<string, Port>;

  // May be a map or an interface.
  @Type(() => Port)
  either?: Record<string, Port>;

  @IsOptional()
  @MaxLength(3, { each: true })
  labels?: Record<string, string>;

  @IsOptional()
  @Matches(/^(a+)+$/)
  motto?: string;

  @Items(MaxLength(3))
  tags?: string[];

  @Values(
    ValidateNested(),
    Type(() => Port),
  )
  typed?: Record<string, Port>;

  @Items(Items(Min(2)))
  table?: number[][];
}

@CustomResource({ group: 'shop.example.com', version: 'v1' })
export class Stall extends KubernetesObject {
  @Spec() spec!: StallSpec;
}
