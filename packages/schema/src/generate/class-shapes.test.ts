import {
  type AnyClass,
  CustomResource,
  Default,
  EmbeddedResource,
  ExactlyOneOf,
  Immutable,
  Items,
  KubernetesObject,
  ListType,
  MinProperties,
  Nullable,
  PreserveUnknownFields,
  Recursive,
  Rule,
  Schema,
  Schemaless,
  Spec,
  Status,
  Union,
  Values,
} from '@evenkeel/core';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { findingText } from '../finding/finding.ts';
import { customResourceDefinitionOf, type GenerationOptions, generateCustomResourceDefinitions } from './generate.ts';

/** A kind with such a spec; `prepare` adds decorators that cannot be written in the class. */
function kindOf(spec: AnyClass): AnyClass {
  @CustomResource({ group: 'example.com', version: 'v1', kind: 'Thing' })
  class Thing extends KubernetesObject {
    @Spec() @Type(() => spec as new () => object) spec!: object;
  }
  return Thing;
}

async function schemaOf(spec: AnyClass, options: GenerationOptions = {}): Promise<StructuralSchema> {
  const { spec: definition } = await customResourceDefinitionOf(kindOf(spec), options);
  const schema = definition.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec'];
  if (schema === undefined) throw new Error('the schema has no spec');
  return schema as StructuralSchema;
}

async function errorsOf(spec: AnyClass): Promise<string[]> {
  const { findings } = await generateCustomResourceDefinitions([kindOf(spec)]);
  return findings.filter(({ level }) => level === 'error').map((finding) => `${finding.code} ${findingText(finding)}`);
}

const anyObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

describe('a recursive class', () => {
  it('is rejected with the whole cycle', async () => {
    class Node {
      @IsOptional() @Type(() => Tree) children?: unknown;
    }
    class Tree {
      @IsOptional() @Type(() => Node) root?: unknown;
    }
    expect(await errorsOf(Node)).toEqual([
      'recursive-class Tree.root: Node.children -> Tree.root -> Node is a cycle, which a structural schema cannot express; add @Recursive(levels) to one of these properties to repeat it that many times, or @PreserveUnknownFields() to keep whatever is sent there',
    ]);
  });

  it('is repeated as many times as @Recursive says', async () => {
    class Node {
      @IsString() name!: string;
      @Recursive(2) @IsOptional() @IsArray() @Type(() => Node) children?: Node[];
    }
    const level = (items: StructuralSchema): StructuralSchema => ({
      type: 'object',
      properties: { children: { type: 'array', items }, name: { type: 'string' } },
      required: ['name'],
    });
    expect(await schemaOf(Node)).toEqual(level(level(level(anyObject))));
  });

  it('is cut by @Recursive() and by @PreserveUnknownFields(), also in a cycle of several classes', async () => {
    class Left {
      @IsOptional() @Recursive() @Type(() => Right) right?: unknown;
    }
    class Right {
      @IsOptional() @Type(() => Left) left?: unknown;
    }
    expect(await schemaOf(Left)).toEqual({ type: 'object', properties: { right: anyObject }, default: {} });
    class Top {
      @IsOptional() @PreserveUnknownFields() @Type(() => Bottom) bottom?: unknown;
    }
    class Bottom {
      @IsOptional() @Type(() => Top) top?: unknown;
    }
    expect(await schemaOf(Top)).toEqual({
      type: 'object',
      properties: { bottom: { ...anyObject, properties: { top: anyObject } } },
      default: {},
    });
    expect(await schemaOf(Bottom)).toEqual({
      type: 'object',
      properties: { top: { type: 'object', properties: { bottom: anyObject } } },
      default: {},
    });
  });

  it('can be cut below a list or a map, with the same schema at every use', async () => {
    class Node {
      @IsOptional()
      @Values(
        Recursive(1),
        Type(() => Node),
      )
      byName?: Record<string, Node>;
    }
    class Forest {
      @IsOptional() @Type(() => Node) first?: Node;
      @IsOptional() @Type(() => Node) second?: Node;
    }
    const { properties } = await schemaOf(Forest);
    const node = (values: StructuralSchema): StructuralSchema => ({
      type: 'object',
      properties: { byName: { type: 'object', additionalProperties: values } },
    });
    expect(properties?.['first']).toEqual(node(node(anyObject)));
    expect(properties?.['second']).toEqual(properties?.['first']);
  });

  it('is rejected if its levels give too many objects', async () => {
    class Wide {
      @Recursive(1000) @IsOptional() @Type(() => Wide) left?: unknown;
      @Recursive(1000) @IsOptional() @Type(() => Wide) right?: unknown;
    }
    const errors = await errorsOf(Wide);
    expect(errors).toEqual([
      expect.stringMatching(/^recursive-class Wide\.left: the schema would have more than 2000 classes or more/),
      expect.stringMatching(/^recursive-class Wide\.right: the schema would have/),
    ]);
  });
});

describe('an object that is not optional', () => {
  class Choice {
    @IsOptional() @IsString() one?: string;
    @IsOptional() @IsString() other?: string;
  }

  it('is required if a rule needs one of its properties, and has a default otherwise', async () => {
    @ExactlyOneOf('one', 'other')
    class Exactly extends Choice {}
    @Rule('has(self.one) || !has(self.other)')
    class Loose extends Choice {}
    @Union('type', { One: 'one', None: undefined })
    class Typed extends Choice {
      @IsString() type!: string;
    }
    @Union('type', { One: 'one', None: undefined })
    class Defaulted extends Choice {
      @IsString() type = 'None';
    }
    class Outer {
      @Type(() => Exactly) @ValidateNested() @Nullable() exactly!: Exactly;
      @Type(() => Loose) @Nullable() loose!: Loose;
      @Type(() => Typed) @Nullable() typed!: Typed;
      @Type(() => Defaulted) @Nullable() defaulted!: Defaulted;
      @Type(() => Choice) @Nullable() @MinProperties(1) some!: Choice;
    }
    const { required, properties } = await schemaOf(Outer);
    expect(required).toEqual(['exactly', 'some', 'typed']);
    expect(properties?.['loose']?.default).toEqual({});
    expect(properties?.['defaulted']).toMatchObject({ default: { type: 'None' } });
    for (const name of required ?? []) expect(properties?.[name]).not.toHaveProperty('default');
  });

  it('is required, as the spec is, if it is an embedded resource', async () => {
    class Outer {
      @EmbeddedResource() object!: object;
    }
    expect((await schemaOf(Outer)).required).toEqual(['object']);
    const definition = await customResourceDefinitionOf(kindOf(Outer));
    expect(definition.spec.versions[0]?.schema?.openAPIV3Schema?.required).toEqual(['spec']);
  });

  it('has the default of @Default, even if it has fewer properties than the defaults of its class', async () => {
    class Inner {
      @IsInt() size = 3;
    }
    class Outer {
      @Default({ size: 5 }) @Type(() => Inner) large!: Inner;
      @Default({}) @Type(() => Inner) usual!: Inner;
      @Default({ size: 3 }) @Type(() => Inner) same!: Inner;
    }
    const { properties, required } = await schemaOf(Outer);
    expect(required).toBeUndefined();
    expect(Object.entries(properties ?? {}).map(([name, schema]) => [name, schema.default])).toEqual([
      ['large', { size: 5 }],
      ['same', {}],
      ['usual', {}],
    ]);
  });
});

describe('@Default()', () => {
  it('works like an initialiser, and is checked against the schema too', async () => {
    class Sized {
      @Default(3) @IsInt() @Max(5) size = 3;
    }
    expect((await schemaOf(Sized)).properties?.['size']).toMatchObject({ default: 3 });
    class Broken {
      @Default('three') @IsInt() text!: number;
      @Default(7) @IsInt() @Max(5) large!: number;
      @Default({ one: 1, odd: 2 })
      @Schemaless()
      @Schema({ type: 'object', properties: { one: { type: 'integer' } } })
      odd!: object;
      @Default(2) @IsInt() @Rule('self > 2') ruled!: number;
    }
    expect(await errorsOf(Broken)).toEqual([
      expect.stringMatching(
        /^invalid-default Broken\.large: its default .* violates its own schema: .*less than or equal to 5/,
      ),
      expect.stringMatching(
        /^invalid-default Broken\.odd: its default .* violates its own schema: must not have unknown fields/,
      ),
      expect.stringMatching(/^invalid-default Broken\.ruled: its default .* violates its own schema: .*failed rule/),
      expect.stringMatching(
        /^invalid-default Broken\.text: its default .* violates its own schema: .*must be of type integer/,
      ),
    ]);
  });
});

describe('the default of a list with unique items', () => {
  class Port {
    @IsString() name = 'http';
    @IsInt() port!: number;
  }

  it('has no duplicates, compared by keys with their defaults', async () => {
    class Lists {
      @Default(['a', 'b', 'a']) @ListType('set') @IsString({ each: true }) set!: string[];
      @Default([{ port: 80 }, { name: 'http', port: 81 }])
      @ListType('map', 'name')
      @Items(Type(() => Port))
      map!: Port[];
      @Default([{ port: 80 }, { name: 'https', port: 80 }])
      @ListType('map', 'name')
      @Items(Type(() => Port))
      fine!: Port[];
    }
    expect(await errorsOf(Lists)).toEqual([
      'invalid-default Lists.map: its default violates its own schema: item [1] is a duplicate; remove it',
      'invalid-default Lists.set: its default violates its own schema: item [2] is a duplicate; remove it',
    ]);
  });
});

describe('groups of class-validator', () => {
  it('select the decorators of elements as those of properties', async () => {
    class Grouped {
      @IsInt({ groups: ['update'] }) @Min(1, { groups: ['update'] }) @Max(9, { groups: ['create'] }) size!: number;
      @IsString({ each: true })
      @Items(MaxLength(5, { groups: ['create'] }), Matches(/^a/, { always: true }))
      tags!: string[];
    }
    const { properties } = await schemaOf(Grouped, { validator: { groups: ['create'] } });
    expect(properties?.['size']).toMatchObject({ type: 'number', maximum: 9 });
    expect(properties?.['size']).not.toHaveProperty('minimum');
    expect(properties?.['tags']?.items).toEqual({ type: 'string', maxLength: 5, pattern: '^a' });
  });
});

describe('elements', () => {
  it('have the decorators of @Items and @Values beside those with each', async () => {
    class Lists {
      @IsString({ each: true }) @MaxLength(10, { each: true }) @Items(IsIn(['a', 'b']), Nullable()) list!: string[];
      @Items(Items(IsInt(), Min(1))) lists!: number[][];
      @Items(
        IsArray(),
        Type(() => Point),
      )
      points!: Point[][];
      @Values(
        Items(
          Type(() => Point),
          Rule('self.x > 0'),
        ),
      )
      byName!: Record<string, Point[]>;
    }
    class Point {
      @IsInt() @Min(0) @Max(9) x!: number;
    }
    const { properties } = await schemaOf(Lists);
    const point = { type: 'object', properties: { x: { type: 'integer', minimum: 0, maximum: 9 } }, required: ['x'] };
    expect(properties?.['list']?.items).toEqual({
      type: 'string',
      maxLength: 10,
      nullable: true,
      allOf: [{ enum: ['a', 'b'] }],
    });
    expect(properties?.['lists']?.items?.items).toMatchObject({ type: 'integer', minimum: 1 });
    expect(properties?.['points']?.items).toEqual({ type: 'array', items: point });
    expect(properties?.['byName']?.additionalProperties).toEqual({
      type: 'array',
      items: { ...point, 'x-kubernetes-validations': [{ rule: 'self.x > 0' }] },
    });
  });

  it('that are objects do not change their class', async () => {
    class Point {
      @IsInt() x!: number;
    }
    class Lists {
      @Items(
        Type(() => Point),
        Rule('self.x > 0'),
      )
      ruled!: Point[];
      @Type(() => Point) @IsArray() plain!: Point[];
    }
    const { properties } = await schemaOf(Lists);
    expect(properties?.['ruled']?.items).toHaveProperty('x-kubernetes-validations');
    expect(properties?.['plain']?.items).not.toHaveProperty('x-kubernetes-validations');
  });
});

describe('@Schema()', () => {
  it('replaces keywords, and adds rules, properties and allOf', async () => {
    class Raw {
      @Schema({ minimum: 2, 'x-kubernetes-validations': [{ rule: 'self != 3' }] })
      @Schema({ allOf: [{ maximum: 9 }] })
      @Rule('self != 4')
      @IsInt()
      @Min(1)
      size!: number;
      @Schemaless() @PreserveUnknownFields() anything!: unknown;
    }
    const { properties } = await schemaOf(Raw);
    expect(properties?.['size']).toMatchObject({
      minimum: 2,
      allOf: [{ maximum: 9 }],
      'x-kubernetes-validations': [{ rule: 'self != 4' }, { rule: 'self != 3' }],
    });
    expect(properties?.['anything']).toEqual({ 'x-kubernetes-preserve-unknown-fields': true });
  });

  it('is rejected if it declares nothing', async () => {
    class Raw {
      @Schemaless() @IsOptional() nothing?: unknown;
    }
    expect(await errorsOf(Raw)).toEqual([expect.stringMatching(/^refused-by-api-server Raw\.nothing: .*type/)]);
  });
});

describe('@Immutable()', () => {
  it('forbids the removal of an optional or nullable value, and needs a name that CEL can express', async () => {
    class Fixed {
      @Immutable() @IsString() always!: string;
      @Immutable() @IsString() @IsOptional() 'some-times'?: string;
      @Immutable() @IsString() @Nullable() maybe!: string | null;
      @Immutable() @IsString() defaulted = 'a';
    }
    const rules = (await schemaOf(Fixed))['x-kubernetes-validations'];
    expect(rules?.map(({ rule, fieldPath }) => [rule, fieldPath])).toEqual([
      ['!has(oldSelf.maybe) || has(self.maybe)', '.maybe'],
      ['!has(oldSelf.some__dash__times) || has(self.some__dash__times)', "['some-times']"],
    ]);
    class Unnamed {
      @Immutable() @IsString() @IsOptional() $ref?: string;
    }
    expect(await errorsOf(Unnamed)).toEqual([
      expect.stringMatching(/^invalid-option Unnamed\.\$ref: @Immutable\(\): CEL rules cannot name this property/),
    ]);
  });

  it('is allowed on the status', async () => {
    class Once {
      @Immutable() @IsString() @IsOptional() phase?: string;
    }
    @CustomResource({ group: 'example.com', version: 'v1' })
    class Thing extends KubernetesObject {
      @Status() @Type(() => Once) status!: Once;
    }
    const { spec } = await customResourceDefinitionOf(Thing);
    expect(spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['status']).toMatchObject({
      'x-kubernetes-validations': [{ rule: '!has(oldSelf.phase) || has(self.phase)' }],
    });
  });
});

describe('a type that is not JSON', () => {
  it('is rejected with the fix, whatever its decorators', async () => {
    class Collections {
      @IsString({ each: true }) names!: Set<string>;
      @Type(() => Inner) byName = new Map<string, Inner>();
    }
    class Inner {
      @IsString() name!: string;
    }
    expect(await errorsOf(Collections)).toEqual([
      'unknown-type Collections.byName: objects are exactly their JSON, which has no Map; declare it as Record<string, X>',
      'unknown-type Collections.names: objects are exactly their JSON, which has no Set; declare it as an array with @ArrayUnique()',
    ]);
  });
});
