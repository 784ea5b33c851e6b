import {
  AtLeastOneOf,
  AtMostOneOf,
  CustomResource,
  Default,
  EmbeddedResource,
  ExactlyOneOf,
  Example,
  ExclusiveMaximum,
  ExclusiveMinimum,
  ExternalDocs,
  Format,
  Immutable,
  IsDuration,
  IsIntOrString,
  IsQuantity,
  Items,
  KubernetesObject,
  ListType,
  MapType,
  MaxProperties,
  MinProperties,
  MultipleOf,
  Nullable,
  PreserveUnknownFields,
  Recursive,
  Rule,
  Schema,
  Schemaless,
  Spec,
  Title,
  Union,
  Values,
} from '@evenkeel/core';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsInt, IsOptional, IsString, MaxLength, Min, ValidateNested } from 'class-validator';

export class Port {
  @MaxLength(20) name!: string;
  @IsInt() port!: number;
  @IsInt() weight = 1;
}

/** An object that keeps unknown fields. */
@PreserveUnknownFields()
@MapType('atomic')
export class Loose {
  known?: boolean;
}

@ExactlyOneOf('exact-1', 'exact2')
@AtMostOneOf('most1', 'most2')
@AtLeastOneOf('least1', 'least2')
export class Groups {
  'exact-1'?: string;
  exact2?: string;
  most1?: string;
  most2?: string;
  least1?: string;
  least2?: string;
}

export class HttpCheck {
  @MaxLength(100) path!: string;
}

export class TcpCheck {
  port = 80;
}

@Union('type', { Http: 'http', Tcp: 'tcp', Either: 'tcp', None: undefined })
export class Check {
  @IsString() type!: string;
  http?: HttpCheck;
  tcp?: TcpCheck;
}

export abstract class Store {
  type!: string;
  @MaxLength(20) label?: string;
}

@Rule('!has(self.prefix) || self.bucket != self.prefix', { message: 'bucket and prefix must differ' })
export class BucketStore extends Store {
  @MaxLength(20) bucket!: string;
  @IsOptional() @MaxLength(20) prefix?: string;
}

export class DiskStore extends Store {
  size!: number;
  @MaxLength(20) bucket?: string;
}

export class Node {
  @MaxLength(20) name!: string;
  @Recursive(1) children?: Node[];
}

export class Config {
  replicas = 1;
}

@Title('Words')
@ExternalDocs({ url: 'https://example.com/words', description: 'All words.' })
@Rule('self.small <= self.large', {
  messageExpression: 'self.large < 0.0 ? "large is negative" : "small is larger than large"',
  reason: 'FieldValueForbidden',
  fieldPath: '.small',
})
export class WordSpec {
  @Default(3) small!: number;
  @Title('Large') @Example(7) @ExternalDocs({ url: 'https://example.com/large' }) large = 5;

  @Nullable() @IsOptional() @IsString() note?: string | null;
  @Nullable() level: 'low' | 'high' | null = 'low';
  @Format('date-time') since?: string;
  @Format('int32') count?: number;

  @Immutable() @MaxLength(20) zone!: string;
  @Immutable() @MaxLength(20) 'x-owner'?: string;
  @Rule('self >= oldSelf.orValue(0)', { optionalOldSelf: true, message: 'must not shrink' }) @IsInt() grows = 0;

  @IsIntOrString() target!: number | string;
  @IsQuantity() memory?: string | number;
  @IsDuration() every?: string;
  @EmbeddedResource(() => Embedded, { metadata: true }) template?: object;
  @EmbeddedResource() anything?: object;

  @Schemaless() @Schema({ type: 'string', maxLength: 3 }) raw?: unknown;
  @PreserveUnknownFields() extra?: unknown;
  loose?: Loose;

  @ListType('map', 'name') @ArrayMaxSize(10) ports: Port[] = [];
  @ListType('set') @Items(MaxLength(10)) tags?: string[];
  @ListType('atomic') order?: string[];
  @MapType('atomic') @MinProperties(1) @MaxProperties(3) @Values(Min(0), Rule('self < 100.0')) limits?: Record<
    string,
    number
  >;
  @Values(Items(MaxLength(5), Nullable())) matrixByName?: Record<string, (string | null)[]>;
  @Items(Items(Min(0), ExclusiveMaximum(10))) matrix?: number[][];
  @Items(Items(Type(() => Port))) portMatrix?: Port[][];

  @ExclusiveMinimum(0) @ExclusiveMaximum(1.5) ratio?: number;
  @MultipleOf(0.1) step?: number;
  @IsInt() @MultipleOf(5) fives?: number;

  groups?: Groups;
  check?: Check;
  @ValidateNested()
  @Type(() => Store, {
    discriminator: {
      property: 'type',
      subTypes: [
        { name: 'bucket', value: BucketStore },
        { name: 'disk', value: DiskStore },
      ],
    },
  })
  store?: BucketStore | DiskStore;
  tree?: Node;
  config!: Config;
  $ref?: string;
  'a/b'?: string;
}

export class EmbeddedSpec {
  replicas = 2;
}

export class Embedded extends KubernetesObject {
  spec!: EmbeddedSpec;
}

/** Uses every decorator. */
@CustomResource({ group: 'vocabulary.example.com', version: 'v1' })
@Rule('self.metadata.name != "taken"', { message: 'the name is taken' })
export class Word extends KubernetesObject {
  @Spec() spec!: WordSpec;
}
