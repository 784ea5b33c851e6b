import { CustomResource, EvenkeelError, KubernetesObject, Spec, Status } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { customResourceDefinitionOf } from '../generate/generate.ts';
import { readSources } from '../source/read-sources.ts';
import { validate } from './validate.ts';

class Port {
  @IsInt()
  @Max(65535)
  port!: number;
}

/** A decorator that no schema can express. */
const oddLength = ValidateBy({
  name: 'oddLength',
  validator: { validate: (value) => String(value).length % 2 === 1, defaultMessage: () => '$property must be odd' },
});

class MemcachedSpec {
  @IsInt()
  @Min(1)
  @Max(5)
  size = 3;

  @IsIn(['bronze', 'gold'])
  tier = 'bronze';

  @IsOptional()
  @IsString()
  @oddLength
  owner?: string;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(3)
  @ValidateNested({ each: true })
  @Type(() => Port)
  ports?: Port[];
}

class MemcachedStatus {
  @IsOptional()
  @IsInt()
  ready?: number;
}

@CustomResource({ group: 'cache.example.com', version: 'v1' })
class Memcached extends KubernetesObject {
  @Spec() spec!: MemcachedSpec;
  @Status() status!: MemcachedStatus;
}

@CustomResource({ group: 'cache.example.com', version: 'v2', kind: 'Cache' })
class Hub extends KubernetesObject {
  @Spec() spec!: MemcachedSpec;
}

class OldSpec {
  @IsInt()
  @Max(5)
  shards = 3;
}

@CustomResource({
  group: 'cache.example.com',
  version: 'v1',
  kind: 'Cache',
  storage: false,
  conversion: { hub: () => Hub, moves: { 'spec.shards': 'spec.size' }, keep: { hub: ['spec.tier'] } },
})
class Spoke extends KubernetesObject {
  @Spec() spec!: OldSpec;
}

describe('validate()', () => {
  it('returns a valid object with its defaults, as an instance of the class', async () => {
    const { isValid, errors, messages, object, pruned } = await validate(Memcached, { spec: { size: 2 } });
    expect([isValid, errors, messages, pruned]).toEqual([true, [], [], []]);
    expect(object).toBeInstanceOf(Memcached);
    expect({ ...object }).toEqual({
      apiVersion: 'cache.example.com/v1',
      kind: 'Memcached',
      metadata: {},
      spec: { size: 2, tier: 'bronze' },
    });
  });

  it("reports errors with the API server's messages and paths", async () => {
    const { isValid, errors, messages } = await validate(Memcached, {
      spec: { size: 9, tier: 'wood', ports: [{ port: 80 }, { port: 70_000 }] },
    });
    expect(isValid).toBe(false);
    expect(messages).toEqual([
      'spec.size: Invalid value: 9: spec.size in body should be less than or equal to 5',
      'spec.tier: Unsupported value: "wood": supported values: "bronze", "gold"',
      'spec.ports[1].port: Invalid value: 70000: spec.ports[1].port in body should be less than or equal to 65535',
    ]);
    expect(errors.map(({ by }) => by)).toEqual(['api-server', 'api-server', 'api-server']);
    expect(errors[0]?.path).toBe('spec.size');
  });

  it('adds errors that only class-validator finds', async () => {
    const { errors } = await validate(Memcached, { spec: { owner: 'ab' } });
    expect(errors).toEqual([{ path: 'spec.owner', message: 'owner must be odd', by: 'class-validator' }]);
  });

  it('accepts missing values if the CRD does', async () => {
    class BoxSpec {
      @IsOptional() @IsString() label?: string;
      @Min(1) weight?: number;
    }
    @CustomResource({ group: 'cache.example.com', version: 'v1' })
    class Box extends KubernetesObject {
      @Spec() spec!: BoxSpec;
    }
    const definition = structuredClone(await customResourceDefinitionOf(Box)) as CustomResourceDefinition;
    const schema = definition.spec.versions[0]?.schema?.openAPIV3Schema as {
      properties: { spec: { required?: string[] } };
    };
    expect((await validate(Box, { spec: {} }, { definition })).messages).toEqual(['spec.weight: Required value']);
    delete schema.properties.spec.required;
    const lenient = structuredClone(definition);
    expect((await validate(Box, { spec: {} }, { definition: lenient })).messages).toEqual([]);
    const validator = { skipMissingProperties: false };
    expect((await validate(Box, { spec: {} }, { definition: lenient, validator })).messages).toEqual([
      'spec.weight: weight must not be less than 1',
    ]);
  });

  it('reports pruned fields, and does not change its argument', async () => {
    const given = Object.freeze({ spec: Object.freeze({ sise: 2 }), stray: 1 });
    const { isValid, pruned, object } = await validate(Memcached, given);
    expect([isValid, pruned]).toEqual([true, ['spec.sise', 'stray']]);
    expect(object.spec).toEqual({ size: 3, tier: 'bronze' });
    expect(given).toEqual({ spec: { sise: 2 }, stray: 1 });
  });

  it('ignores errors in unchanged parts of an update', async () => {
    const old = { spec: { size: 9 } };
    expect(await validate(Memcached, { spec: { size: 9, tier: 'gold' } }, { old })).toMatchObject({
      // class-validator does not compare with the old object: an operator would not reconcile it.
      errors: [{ path: 'spec.size', by: 'class-validator' }],
    });
    expect(await validate(Memcached, { spec: { size: 8 } }, { old })).toMatchObject({
      errors: [{ path: 'spec.size', by: 'api-server' }],
    });
  });

  it('evaluates rules, and rules with oldSelf on an update', async () => {
    const definition = structuredClone(await customResourceDefinitionOf(Memcached)) as CustomResourceDefinition;
    const schema = definition.spec.versions[0]?.schema?.openAPIV3Schema as { properties: { spec: object } };
    Object.assign(schema.properties.spec, {
      'x-kubernetes-validations': [{ rule: 'self.size >= oldSelf.size', message: 'never shrinks' }],
    });
    const object = { spec: { size: 2 } };
    expect((await validate(Memcached, object, { definition })).messages).toEqual([]);
    expect((await validate(Memcached, object, { definition, old: { spec: {} } })).messages).toEqual([
      'spec: Invalid value: never shrinks',
    ]);
  });

  it('rejects an object of another version or kind', async () => {
    const { messages } = await validate(Memcached, { apiVersion: 'cache.example.com/v2', kind: 'Redis' });
    expect(messages).toEqual([
      'kind: Invalid value: "Redis": must be Memcached',
      'apiVersion: Invalid value: "cache.example.com/v2": must be cache.example.com/v1',
    ]);
  });

  it('converts the object to JSON', async () => {
    const spec = Object.assign(new MemcachedSpec(), { owner: undefined });
    expect((await validate(Memcached, { spec })).messages).toEqual([]);
    const hostile = JSON.parse('{ "spec": { "__proto__": { "size": 9 } } }');
    const { pruned, object } = await validate(Memcached, hostile);
    expect([pruned, object.spec.size]).toEqual([['spec.__proto__'], 3]);
  });

  it('rejects a definition of another kind', async () => {
    @CustomResource({ group: 'cache.example.com', version: 'v2' })
    class Other extends KubernetesObject {
      @Spec() spec!: MemcachedSpec;
    }
    const definition = await customResourceDefinitionOf(Memcached);
    await expect(validate(Other, {}, { definition })).rejects.toThrow(
      'validate(Other): the definition memcacheds.cache.example.com has no cache.example.com/v2 Other; pass the CRD that was generated from Other',
    );
  });

  it('names the sources to pass if the class alone is not enough', async () => {
    class LooseSpec {
      @IsOptional() extra?: Record<string, unknown>;
    }
    @CustomResource({ group: 'cache.example.com', version: 'v1' })
    class Loose extends KubernetesObject {
      @Spec() spec!: LooseSpec;
    }
    await expect(validate(Loose, {})).rejects.toThrow(
      /LooseSpec\.extra: its type is unknown; .*\nvalidate\(Loose\) has no TypeScript sources, so "\?", literal unions and types without a decorator are unknown; write validate\(Loose, object, \{ sources: await readSources\('src\/loose\.ts'\) \}\) with the file of the class, or pass \{ definition \} with the generated CRD$/,
    );
    const sources = await readSources('packages/schema/src/generate/backup.fixture.ts');
    await expect(validate(Loose, {}, { sources })).rejects.toThrow(
      'validate(Loose): the sources do not contain the class Loose of this program; export it, and pass readSources() the module that exports it, by the name under which the program loads it',
    );
  });

  it('rejects deeply nested and very large objects quickly', async () => {
    let deep: object = {};
    for (let i = 0; i < 50_000; i++) deep = { below: deep };
    expect((await validate(Memcached, { spec: { tier: deep } })).messages).toEqual([
      'the object is too large or nested too deeply: Maximum call stack size exceeded',
    ]);
    const text = 'x'.repeat(50_000_000);
    expect((await validate(Memcached, { spec: { owner: text } })).messages).toEqual(['spec.owner: owner must be odd']);
  });

  it('rejects an object that defaults would make too large', async () => {
    const definition = await customResourceDefinitionOf(Memcached);
    const properties = { port: { type: 'integer' }, note: { type: 'string', default: 'x'.repeat(1_000_000) } };
    const spec = { type: 'object', properties: { ports: { type: 'array', items: { type: 'object', properties } } } };
    const [version] = definition.spec.versions;
    const generous = {
      ...definition,
      spec: {
        ...definition.spec,
        versions: [{ ...version, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }],
      },
    } as CustomResourceDefinition;
    const many = { spec: { ports: Array.from({ length: 200 }, () => ({})) } };
    const rejected = [
      { path: '', message: 'validation and defaults of the object need too much work', by: 'api-server' },
    ];
    const created = await validate(Memcached, many, { definition: generous });
    expect(created).toMatchObject({ isValid: false, errors: rejected, object: many });
    const updated = await validate(Memcached, { spec: {} }, { definition: generous, old: many });
    expect(updated).toMatchObject({ isValid: false, errors: rejected });
  });

  it('throws if no CRD can be generated from the class', async () => {
    class Nothing extends KubernetesObject {}
    await expect(validate(Nothing, {})).rejects.toThrow(EvenkeelError);
  });

  it('validates an object of one version without the classes of the others', async () => {
    const { object, messages } = await validate(Spoke, { spec: {} });
    expect([object.spec, messages]).toEqual([{ shards: 3 }, []]);
    const invalid = await validate(Spoke, { spec: { shards: 9 } });
    expect(invalid.messages).toEqual([
      'spec.shards: Invalid value: 9: spec.shards in body should be less than or equal to 5',
    ]);
    const { spec } = await customResourceDefinitionOf(Spoke);
    expect(spec.versions.map(({ name, storage }) => [name, storage])).toEqual([['v1', true]]);
    expect(spec.conversion).toBeUndefined();
  });
});
