import { fieldErrorText } from '@evenkeel/apimachinery/field-error';
import {
  type AnyClass,
  CustomResource,
  Default,
  KubernetesObject,
  MapType,
  PreserveUnknownFields,
  Rule,
  Spec,
} from '@evenkeel/core';
import { Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { compileSchema } from '../evaluate/custom-resource/compiled-schema.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { findingText } from '../finding/finding.ts';
import { generateCustomResourceDefinitions } from '../generate/generate.ts';

abstract class Shape {}

function variants(subTypes: Readonly<Record<string, AnyClass>>, property = 'kind'): PropertyDecorator {
  return Type(() => Shape, {
    discriminator: {
      property,
      subTypes: Object.entries(subTypes).map(([name, value]) => ({ name, value: value as new () => object })),
    },
  });
}

/** The schema of `spec.shape`, or the errors about it. */
async function read(spec: AnyClass): Promise<{ schema?: StructuralSchema; errors: readonly string[] }> {
  @CustomResource({ group: 'example.com', version: 'v1' })
  class Drawing extends KubernetesObject {
    @Spec() @Type(() => spec as new () => object) spec!: object;
  }
  const { definitions, findings } = await generateCustomResourceDefinitions([Drawing]);
  const root = definitions[0]?.spec.versions[0]?.schema?.openAPIV3Schema as StructuralSchema | undefined;
  const schema = root?.properties?.['spec']?.properties?.['shape'];
  return {
    ...(schema === undefined ? {} : { schema }),
    errors: findings.filter(({ level }) => level === 'error').map(findingText),
  };
}

/** The values that the schema rejects, with the reasons. */
function refusals(schema: StructuralSchema | undefined, values: readonly object[]): (readonly string[])[] {
  const compiled = compileSchema({ type: 'object', properties: { shape: schema ?? {} } });
  return values.map((shape) => {
    const object = { shape: structuredClone(shape) };
    compiled.default(object);
    return compiled.validate(object).map(fieldErrorText);
  });
}

class Style {
  @IsString() color = 'red';
}

class Circle {
  @IsString() kind!: string;
  @IsInt() radius!: number;
  @IsString() name!: string;
  @ValidateNested() @IsInt({ each: true }) marks!: number[];
  @ValidateNested() @IsOptional() @IsString() note?: string;
  @IsInt() zoom = 1;
}

class Square {
  @IsInt() side!: number;
  @IsOptional() @IsString() name?: string;
  @ValidateNested() @IsInt({ each: true }) marks!: number[];
  @IsString() style = 'flat';
  @IsInt() zoom = 1;
}

class Line {
  @IsInt() length!: number;
  @ValidateNested() @IsInt({ each: true }) marks!: number[];
  @IsInt() zoom = 1;
}

describe('unionSchema', () => {
  it('writes every property once, with the rules that restrict it to its variants', async () => {
    class Plain extends Square {
      @IsOptional() override style = undefined as unknown as string;
    }
    class Drawn {
      @variants({ circle: Circle, square: Plain, line: Line }) shape!: object;
    }
    const { schema, errors } = await read(Drawn);
    expect(errors).toEqual([]);
    expect(schema).toMatchObject({
      properties: { kind: { type: 'string', enum: ['circle', 'square', 'line'] }, zoom: { default: 1 } },
      required: ['kind', 'marks'],
    });
    expect(schema?.['x-kubernetes-validations']?.map(({ rule }) => rule)).toEqual([
      'self.kind == "line" ? has(self.length) : !has(self.length)',
      '(has(self.name) || self.kind != "circle") && (!has(self.name) || self.kind in ["circle", "square"])',
      '!has(self.note) || self.kind == "circle"',
      'self.kind == "circle" ? has(self.radius) : !has(self.radius)',
      'self.kind == "square" ? has(self.side) : !has(self.side)',
      '!has(self.style) || self.kind == "square"',
    ]);
    const [line, named, nameless, wrong, unknown] = refusals(schema, [
      { kind: 'line', length: 1, marks: [] },
      { kind: 'square', side: 1, marks: [], name: 'a', style: 'flat' },
      { kind: 'circle', radius: 1, marks: [] },
      { kind: 'line', length: 1, marks: [], name: 'a', radius: 1 },
      { kind: 'star', marks: [] },
    ]);
    expect([line, named]).toEqual([[], []]);
    expect(nameless).toEqual([
      expect.stringMatching(/^shape\.name: .*name must be set if kind is circle, and may only be set if/),
    ]);
    expect(wrong).toEqual([expect.stringMatching(/^shape\.name: /), expect.stringMatching(/^shape\.radius: /)]);
    expect(unknown?.[0]).toMatch(/^shape\.kind: Unsupported value: "star"/);
  });

  it('adds no default object in a variant without the property, and requires it in variants with it', async () => {
    class Styled {
      @Type(() => Style) @ValidateNested() @IsString({ groups: ['x'] }) style!: Style;
    }
    class Bare {
      @IsInt() size!: number;
    }
    class Drawn {
      @variants({ styled: Styled, bare: Bare }) shape!: object;
    }
    const { schema, errors } = await read(Drawn);
    expect(errors).toEqual([]);
    expect(schema?.properties?.['style']).not.toHaveProperty('default');
    const checked = refusals(schema, [{ kind: 'bare', size: 1 }, { kind: 'styled', style: {} }, { kind: 'styled' }]);
    expect(checked.map((errors) => errors.length)).toEqual([0, 0, 1]);
  });

  it('works in lists and maps', async () => {
    class Drawn {
      @IsArray() @variants({ circle: Circle, line: Line }) shape!: object[];
    }
    const { schema } = await read(Drawn);
    expect(schema).toMatchObject({ type: 'array', items: { required: ['kind', 'marks'] } });
  });

  it('writes a rule of the base class once, and applies other rules only to their variants', async () => {
    @Rule('self.size > 0')
    class Sized {
      @IsInt() size!: number;
    }
    @Rule('self.size < 10 // small', { reason: 'FieldValueForbidden' })
    class Small extends Sized {}
    class Large extends Sized {}
    class Drawn {
      @variants({ small: Small, large: Large }) shape!: object;
    }
    const { schema } = await read(Drawn);
    expect(schema?.['x-kubernetes-validations']).toEqual([
      { rule: 'self.size > 0' },
      {
        rule: 'self.kind != "small" || (self.size < 10 // small\n)',
        message: 'failed rule: self.size < 10 // small',
        reason: 'FieldValueForbidden',
      },
    ]);
    const checked = refusals(schema, [
      { kind: 'small', size: 9 },
      { kind: 'large', size: 10 },
      { kind: 'small', size: 10 },
      { kind: 'large', size: 0 },
    ]);
    expect(checked.map((errors) => errors.length)).toEqual([0, 0, 1, 1]);
  });

  it('rejects variants that contradict each other', async () => {
    class Text {
      @IsString() size!: string;
      @Default('a') @IsString() label!: string;
    }
    @PreserveUnknownFields()
    @MapType('atomic')
    class Count {
      @IsInt() size!: number;
      @Default('b') @IsString() label!: string;
      @IsString() only = 'here';
    }
    class Drawn {
      @variants({ text: Text, count: Count }) shape!: object;
    }
    class Unnamed {
      @variants({ text: Text }, '$kind') shape!: object;
    }
    expect((await read(Drawn)).errors).toEqual([
      'Count.only: the API server would set its default in every variant, even in those that do not declare it; make it optional and set it in the controller',
      'Shape: its variants have different decorators on their classes (@MapType(), @PreserveUnknownFields()), but share one schema; give all of them the same decorators',
      'Text.label: its variants have different defaults, and the API server cannot choose one; set the same default in all of them, or remove it',
      'Text.size: variants "text" and "count" declare it differently, but a structural schema has one schema for each property; declare it in the same way, or rename one',
    ]);
    expect((await read(Unnamed)).errors).toEqual(['Shape: CEL rules cannot name the discriminator "$kind"; rename it']);
  });
});
