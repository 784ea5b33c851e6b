import { CustomResource, Items, KubernetesObject, Spec, Status, Values } from '@evenkeel/core';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, MaxLength, Min, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';

const odd = (): PropertyDecorator =>
  ValidateBy({ name: 'isOdd', validator: { validate: (value) => typeof value === 'number' && value % 2 === 1 } });

export class Exact {
  @IsInt() @Min(1) size!: number;
}

export class Deep {
  @odd() count!: number;
}

export class Inner {
  @odd() x!: number;
  @ValidateIf(() => true) @Min(1) y?: number;
  @ValidateNested() @Type(() => Deep) known!: Deep;
  unknown!: Deep;
  exact!: Exact;
}

interface Written {
  inner: Inner;
}

class Post {
  readonly kind = 'post' as const;
  @odd() code!: number;
}

class Drone {
  readonly kind = 'drone' as const;
  weight!: number;
}

export { Drone, Post };

export class UncheckedSpec {
  inner!: Inner;
  optional?: Inner;
  list?: Inner[];
  map?: Record<string, Inner[]>;
  partial?: Partial<Inner>;
  written?: Written;
  either?: Post | Drone;
  @Items(MaxLength(3)) names?: string[];
  @Type(() => Deep) unmarkedMap?: Record<string, Deep>;

  exact!: Exact;
  exacts!: Exact[];
  /** The compiler records the types of decorated members. */
  @IsOptional() recorded?: Inner;
  @ValidateNested() @Type(() => Inner) marked!: Inner;
  @ValidateNested({ each: true }) @Type(() => Inner) markedList!: Inner[];
  @ValidateNested({ each: true }) @Type(() => Inner) markedMap!: Record<string, Inner>;
  @Items(Type(() => Inner)) items!: Inner[];
  @Values(Items(Type(() => Inner))) values!: Record<string, Inner[]>;
}

export class UncheckedStatus {
  inner?: Inner;
}

@CustomResource({ group: 'example.com', version: 'v1' })
export class Unchecked extends KubernetesObject {
  @Spec() spec!: UncheckedSpec;
  @Status() status?: UncheckedStatus;
}
