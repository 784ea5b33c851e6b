import type { ServerOptions } from 'node:http';
import {
  CustomResource,
  IsDuration,
  IsIntOrString,
  IsQuantity,
  KubernetesObject,
  PreserveUnknownFields,
  Spec,
} from '@evenkeel/core';
import { IsBoolean, IsIn, IsString } from 'class-validator';

export class Password {
  password!: string;
}

export class Token {
  token!: string;
}

/** Refused types with a decorator or an initialiser that names one type. */
export class DecoratedSpec {
  initialised: boolean | string = false;
  emptyList: string | string[] = [];
  object: Password | Token = new Password();
  literals: 'a' | true = 'a';
  @IsBoolean() decorated?: boolean | string;
  @IsDuration() durationOrFlag: boolean | string = '1s';
  @IsDuration() numberOrText?: number | string;
  @IsIntOrString() flagOrText?: boolean | string;
  @IsQuantity() either?: Password | Token;
  @IsDuration() date?: Date;
  @IsDuration() map?: Map<string, string>;
  @IsDuration() anything?: unknown;
  @IsDuration() unread?: ServerOptions;
  @IsString() unreadOrText?: ServerOptions | string;
  @IsQuantity() quantity?: number | string;
  @IsIntOrString() amount?: number | string;
  @IsIn(['a', 'b']) listed?: string | number;
  @PreserveUnknownFields() kept?: Password | string;
}

@CustomResource({ group: 'decorated.example.com', version: 'v1' })
export class Decorated extends KubernetesObject {
  @Spec() spec!: DecoratedSpec;
}
