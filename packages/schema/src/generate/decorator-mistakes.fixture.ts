import {
  AtLeastOneOf,
  AtMostOneOf,
  CustomResource,
  Default,
  EmbeddedResource,
  ExactlyOneOf,
  Example,
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
import { ArrayUnique, IsBoolean, IsIn, IsInt, IsString, Min } from 'class-validator';

export class Entry {
  @IsString() name!: string;
  label?: string;
  nested: string[] = [];
}

/** Invalid arguments of property decorators. */
export class WrongArguments {
  @Title(3 as never) title!: string;
  @ExternalDocs({ url: 'docs/page', descripton: 'x' } as never) docs!: string;
  @Format('datetime' as never) time!: string;
  @Format('int64') text!: string;
  @Rule('') empty!: string;
  @Rule('self != ""', { mesage: 'x', reason: 'Invalid', optionalOldSelf: 1 } as never) rule!: string;
  @ListType('list' as never) list!: string[];
  @ListType('set' as never, 'name') set!: string[];
  @ListType('map' as never) keyless!: Entry[];
  @ListType('map', 'nam', 'label', 'nested', 'name', 'name') keyed!: Entry[];
  @MapType('fine' as never) map!: Record<string, string>;
  @MinProperties(-1) @MaxProperties(1.5) sized!: Record<string, string>;
  @ExclusiveMinimum('3' as never) @MultipleOf(0) number!: number;
  @IsInt() @MultipleOf(0.5) whole!: number;
  @Recursive(-1) tree!: Entry;
  @EmbeddedResource((() => undefined) as never, { meta: true } as never) embedded!: object;
  @Items(IsString as never, 'x' as never) items!: string[];
  @Items(Default('x'), MultipleOf(2)) elements!: string[];
  @Values(Items(Min(1), Title(1 as never))) values!: Record<string, number[]>;
  @Schema({ minimun: 1, items: { $ref: '#' }, properties: 3 } as never) raw!: number;
  @Schema('type: string' as never) yaml!: number;
  @Example(() => 1) example!: number;
  @Title('a') @Title('b') twice!: string;
}

const hidden = Symbol('hidden');

/** Decorators on properties that they do not apply to. */
export class WrongPlaces {
  @ListType('atomic') a!: string;
  @MapType('atomic') b!: string[];
  @MinProperties(1) c!: string[];
  @MultipleOf(2) d!: string;
  @Format('email') e!: boolean;
  @MultipleOf(0.5) @IsQuantity() quantity!: string;
  @Items(Min(1)) f!: Record<string, number>;
  @Values(Min(1)) g!: number[];
  @PreserveUnknownFields() h!: string;
  @Recursive() i!: string;
  @IsQuantity() j!: boolean;
  @IsIntOrString() @IsQuantity() k!: string;
  @IsDuration() l!: number;
  @IsIntOrString() @IsBoolean() m!: unknown;
  @ListType('atomic') @ArrayUnique() @IsString({ each: true }) n!: string[];
  @Title('Hidden') [hidden]!: string;
  @IsString() get accessor(): string {
    return 'x';
  }
  @Nullable() method(): void {}
  // @ts-expect-error The compiler rejects it too.
  @Immutable() static o = 1;
}

/** Invalid defaults. */
export class WrongDefaults {
  @Default(3) differs = 4;
  @Default(null) @Nullable() nothing!: string | null;
  @Default(new Date(0)) date!: string;
  @Default('three') @IsInt() text!: number;
  @Default({ nam: 'x' }) pruned!: Entry;
  random = Math.random();
  map = new Map<string, string>();
  @IsInt() invalid = 1.5;
  none: string | undefined = undefined;
}

@ExactlyOneOf('one')
@AtMostOneOf('two', 'tow', 'two')
@AtLeastOneOf('three', 'four')
@Union('kind', { A: 'one', B: 'missing' })
@Union('number', {})
@Union('sort', { A: 'one', C: 'two' })
@Union('kind2', { A: 'one', B: 'two' })
@Rule(3 as never)
@Title(null as never)
export class WrongGroups {
  one?: string;
  two?: string;
  three!: string;
  four = 4;
  kind?: string;
  number!: number;
  sort!: 'A' | 'B';
  @IsIn(['A', 'D']) kind2!: string;
}

export class Round {
  type!: 'round';
  radius!: number;
  width!: number;
}

export class Square {
  type!: 'square';
  width!: string;
  color = 'red';
}

/** Invalid unions. */
export class WrongUnions {
  @Type(() => Object, {
    discriminator: {
      property: 'type',
      subTypes: [
        { name: 'round', value: Round },
        { name: 'square', value: Square },
      ],
    },
  })
  shape!: Round | Square;

  @Type(() => Object, { discriminator: { property: 'type', subTypes: [] } })
  empty!: Round;
}

export class WrongSpec {
  arguments!: WrongArguments;
  places!: WrongPlaces;
  defaults!: WrongDefaults;
  groups!: WrongGroups;
  unions!: WrongUnions;
  @Schemaless() nothing!: string;
}

/** Has every error with schema decorators. */
@CustomResource({ group: 'example.com', version: 'v1' })
export class Wrong extends KubernetesObject {
  @Spec() spec!: WrongSpec;
}
