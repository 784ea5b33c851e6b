import { type AnyClass, CustomResource, KubernetesObject, Spec, Status } from '@evenkeel/core';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Max, Min, ValidateNested } from 'class-validator';
import type { ValidatorGroups } from '../constraints/constraint-metadata.ts';
import { findingText } from '../finding/finding.ts';
import { customResourceDefinitionOf, generateCustomResourceDefinitions } from './generate.ts';

async function findingsOf(...types: AnyClass[]): Promise<string[]> {
  const { findings } = await generateCustomResourceDefinitions(types);
  return findings.map((finding) => `${finding.code}: ${findingText(finding)}`);
}

describe('generateCustomResourceDefinitions() with invalid classes', () => {
  it('rejects a recursive class', async () => {
    class Tree {
      @IsOptional() @Type(() => Tree) left?: unknown;
    }
    @CustomResource({ group: 'example.com', version: 'v1' })
    class Forest extends KubernetesObject {
      @Spec() spec!: Tree;
    }
    expect(await findingsOf(Forest)).toEqual([
      expect.stringContaining('recursive-class: Tree.left: Tree.left -> Tree is a cycle'),
    ]);
  });

  it('rejects a class whose initialisers throw', async () => {
    class FragileSpec {
      @IsString() name = (undefined as unknown as { name: string }).name;
    }
    @CustomResource({ group: 'example.com', version: 'v1' })
    class Fragile extends KubernetesObject {
      @Spec() spec!: FragileSpec;
    }
    expect(await findingsOf(Fragile)).toEqual([
      expect.stringContaining('class-not-constructible: FragileSpec: new FragileSpec() threw'),
    ]);
  });

  it('reports what the API server would reject, with the property', async () => {
    class Port {
      @IsInt() @Min(1) @Max(65535) port = 0;
    }
    class PickySpec {
      @IsInt() @Min(0) @Max(5) size = 10;
      @ValidateNested({ each: true }) @Type(() => Port) ports: Port[] = [];
    }
    @CustomResource({ group: 'example.com', version: 'v1', shortNames: ['Not_A_Name'] })
    class Picky extends KubernetesObject {
      @Spec() spec!: PickySpec;
    }
    expect(await findingsOf(Picky)).toEqual([
      expect.stringMatching(/^invalid-option: Picky: @CustomResource: shortNames \["Not_A_Name"\] must be a list/),
      expect.stringMatching(/^invalid-default: PickySpec\.size: .*should be less than or equal to 5/),
      expect.stringMatching(/^invalid-default: Port\.port: .*should be greater than or equal to 1/),
    ]);
  });

  it('reports a class without @CustomResource', async () => {
    class Plain extends KubernetesObject {}
    await expect(customResourceDefinitionOf(Plain)).rejects.toThrow(
      'Plain: it has no @CustomResource; add @CustomResource({ group, version }) above the class',
    );
  });

  it('rejects a class that does not extend KubernetesObject', async () => {
    @CustomResource({ group: 'example.com', version: 'v1' })
    class Loose {}
    expect(await findingsOf(Loose)).toEqual([
      expect.stringMatching(/^decorator-without-class: Loose: .* write "class Loose extends KubernetesObject"$/),
    ]);
  });

  it('rejects two classes for one resource', async () => {
    @CustomResource({ group: 'example.com', version: 'v1', kind: 'Thing' })
    class First extends KubernetesObject {}
    @CustomResource({ group: 'example.com', version: 'v1', kind: 'Thing' })
    class Second extends KubernetesObject {}
    expect(await findingsOf(First, Second)).toEqual([
      'duplicate-declaration: Second: First declares Thing of example.com/v1 too; give one of them another version or kind, or list only one',
    ]);
  });
});

describe('customResourceDefinitionOf() without sources', () => {
  it('uses decorators and initialisers', async () => {
    class Sized {
      @IsInt() @Min(1) size = 3;
      @IsOptional() @IsString() image?: string;
      @IsIn(['a', 'b'], { each: true }) zones!: string[];
    }
    @CustomResource({ group: 'example.com', version: 'v1' })
    class Thing extends KubernetesObject {
      @Spec() spec!: Sized;
    }
    expect(
      (await customResourceDefinitionOf(Thing)).spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec'],
    ).toEqual({
      type: 'object',
      properties: {
        size: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 3 },
        image: { type: 'string' },
        zones: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      },
      required: ['zones'],
    });
  });
});

describe('required and default', () => {
  class Empty {
    @IsOptional() @IsString() note?: string;
  }
  class Demanding {
    @IsString() name!: string;
  }

  it('gives a spec of optional properties a default, and requires one with required properties', async () => {
    @CustomResource({ group: 'example.com', version: 'v1' })
    class Lenient extends KubernetesObject {
      @Spec() @Type(() => Empty) spec!: Empty;
    }
    @CustomResource({ group: 'example.com', version: 'v1' })
    class Strict extends KubernetesObject {
      @Spec() @Type(() => Demanding) spec!: Demanding;
    }
    expect(await rootOf(Lenient)).toMatchObject({ properties: { spec: { default: {} } } });
    expect(await rootOf(Lenient)).not.toHaveProperty('required');
    expect(await rootOf(Strict)).toMatchObject({ required: ['spec'] });
    expect(await rootOf(Strict)).not.toHaveProperty('properties.spec.default');
  });

  it('never requires a status', async () => {
    @CustomResource({ group: 'example.com', version: 'v1' })
    class Reporting extends KubernetesObject {
      @Status() @Type(() => Demanding) status!: Demanding;
    }
    expect(await rootOf(Reporting)).not.toHaveProperty('required');
  });

  async function rootOf(type: AnyClass): Promise<unknown> {
    return (await customResourceDefinitionOf(type)).spec.versions[0]?.schema?.openAPIV3Schema;
  }
});

describe("class-validator's groups", () => {
  class Grouped {
    @IsOptional({ always: true }) @IsInt({ always: true }) @Min(1, { groups: ['create'] }) @Max(5) size?: number;
  }
  @CustomResource({ group: 'example.com', version: 'v1' })
  class Thing extends KubernetesObject {
    @Spec() @Type(() => Grouped) spec!: Grouped;
  }

  async function limitsWith(validator: ValidatorGroups): Promise<unknown> {
    const { spec } = await customResourceDefinitionOf(Thing, { validator });
    const size = spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec']?.properties?.['size'];
    return [size?.minimum, size?.maximum];
  }

  it('select the same decorators as validation does', async () => {
    const [least, most] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
    expect(await limitsWith({})).toEqual([1, 5]);
    expect(await limitsWith({ groups: ['create'] })).toEqual([1, most]);
    expect(await limitsWith({ groups: ['update'] })).toEqual([least, most]);
    expect(await limitsWith({ groups: ['create'], always: true })).toEqual([1, 5]);
    expect(await limitsWith({ strictGroups: true })).toEqual([least, 5]);
  });
});
