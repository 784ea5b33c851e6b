import {
  CustomResource,
  EvenkeelError,
  type KindClass,
  KubernetesObject,
  SeededRandom,
  Spec,
  type ValidationFinding,
} from '@evenkeel/core';
import { plainToInstance } from 'class-transformer';
import {
  IsDefined,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  Min,
  registerDecorator,
  ValidateBy,
  ValidateNested,
  type ValidationError,
  ValidatorConstraint,
  validateSync,
} from 'class-validator';
import { seed } from '../../../../test/seed.fixture.ts';
import { classValidator } from './class-validator.ts';
import { Port, Shop, ShopSpec, Stall } from './shop.fixture.ts';

/** An object as a cache returns it: deep-frozen JSON with the prototype of its kind. */
function cached<T extends KubernetesObject>(kind: KindClass<T>, fields: object): T {
  const object = { apiVersion: 'shop.example.com/v1', kind: kind.name, metadata: { name: 'it' }, ...fields };
  return deepFreeze(Object.setPrototypeOf(JSON.parse(JSON.stringify(object)), kind.prototype));
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}

const lines = (findings: readonly ValidationFinding[]): string[] =>
  findings.map(({ path, message }) => `${path}: ${message}`);

function findingsOf<T extends KubernetesObject>(kind: KindClass<T>, spec: object, options = {}): string[] {
  return lines(classValidator(options).validate(cached(kind, { spec })));
}

const sound = { size: 3, ports: [{ name: 'http', port: 80 }] };

describe('classValidator()', () => {
  it('has no findings for a valid object', () => {
    expect(findingsOf(Shop, sound)).toEqual([]);
  });

  it("reports findings with the path in the JSON and class-validator's message", () => {
    const ports = [
      { name: 'http', port: 80 },
      { name: '', port: 0 },
    ];
    expect(findingsOf(Shop, { ...sound, size: 0.5, ports, main: { name: 'x', port: 1e6 } })).toEqual([
      'spec.size: size must not be less than 1',
      'spec.size: size must be an integer number',
      'spec.ports[1].name: name must be longer than or equal to 1 characters',
      'spec.ports[1].port: port of Port is 0, which is less than 1',
      'spec.main.port: port must not be greater than 65535',
    ]);
  });

  it('names the first invalid element', () => {
    expect(findingsOf(Shop, { ...sound, hosts: ['a', 5, 'far too long'] })).toEqual([
      'spec.hosts[1]: each value in hosts must be shorter than or equal to 5 characters',
      'spec.hosts[1]: each value in hosts must be a string',
    ]);
  });

  it('uses the class that a discriminator selects, or the base class if it selects none', () => {
    expect(findingsOf(Shop, { ...sound, delivery: { type: 'post', code: 'x' } })).toEqual([
      'spec.delivery.code: code must match /^[0-9]{5}$/ regular expression',
    ]);
    expect(findingsOf(Shop, { ...sound, delivery: { type: 'drone', kilograms: 11 } })).toEqual([
      'spec.delivery.kilograms: kilograms must not be greater than 10',
    ]);
    expect(findingsOf(Shop, { ...sound, delivery: { type: '__proto__' } })).toEqual([
      'spec.delivery.type: type must be one of the following values: post, drone',
    ]);
  });

  it('passes the object to a validator as an instance of its class', () => {
    expect(findingsOf(Shop, { ...sound, spare: 3 })).toEqual(['spec.spare: spare must be less than size']);
    const seen: unknown[] = [];
    class HallSpec {
      @ValidateBy({ name: 'spy', validator: { validate: (_, args) => seen.push(args?.object, args?.targetName) > 0 } })
      size!: number;
    }
    @CustomResource({ group: 'shop.example.com', version: 'v1' })
    class Hall extends KubernetesObject {
      @Spec() spec!: HallSpec;
    }
    expect(findingsOf(Hall, { size: 1 })).toEqual([]);
    expect(seen).toEqual([{ size: 1 }, 'HallSpec']);
    expect(seen[0]).toBeInstanceOf(HallSpec);
  });

  it('checks recursive classes', () => {
    const departments = { title: 'a', below: [{ title: 'b', below: [{ title: 5 }] }] };
    expect(findingsOf(Shop, { ...sound, departments })).toEqual([
      'spec.departments.below[0].below[0].title: title must be a string',
    ]);
  });

  it('does not check the status, which only a reconcile could fix', () => {
    expect(classValidator().validate(cached(Shop, { spec: sound, status: { ready: 'no' } }))).toEqual([]);
  });

  it('checks nested objects of known classes, with and without @ValidateNested', () => {
    const port = { name: 'http', port: 0.5 };
    const wrong = 'port must be an integer number';
    const less = 'port of Port is 0.5, which is less than 1';
    expect(findingsOf(Stall, { main: port })).toEqual([`spec.main.port: ${less}`, `spec.main.port: ${wrong}`]);
    expect(findingsOf(Stall, { list: [[port]] })).toHaveLength(2);
    expect(findingsOf(Stall, { byName: { a: port, b: 1 } })).toEqual(
      expect.arrayContaining([
        `spec.byName.a.port: ${wrong}`,
        'spec.byName.b: each value in nested property byName must be either object or array',
      ]),
    );
  });

  it('has no findings if a value may be a map or an object', () => {
    expect(findingsOf(Stall, { either: { a: { name: 5 } } })).toEqual([]);
  });

  it('checks decorators of elements in lists, maps and lists of lists', () => {
    expect(
      findingsOf(Stall, { tags: ['abc', 'abcd'], typed: { a: { name: 5, port: 1 } }, table: [[2], [2, 1]] }),
    ).toEqual(
      expect.arrayContaining([
        'spec.tags[1]: element must be shorter than or equal to 3 characters',
        'spec.typed.a.name: name must be a string',
        'spec.table[1][1]: element must not be less than 2',
      ]),
    );
    expect(findingsOf(Stall, { labels: { a: 'abc', b: 'abcd' } })).toEqual([
      'spec.labels.b: each value in labels must be shorter than or equal to 3 characters',
    ]);
    // The schema checks their type.
    expect(findingsOf(Stall, { tags: 'no list', table: 7, typed: [] })).toEqual([]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('is not confused by a key named %s', (key) => {
    const hostile = JSON.parse(
      `{ "size": 3, "ports": [], "main": { "name": "x", "port": 1, "${key}": { "port": 0 } } }`,
    );
    const object = cached(Shop, {});
    const withSpec = Object.freeze(Object.setPrototypeOf({ ...object, spec: hostile }, Shop.prototype));
    expect(lines(classValidator().validate(withSpec))).toEqual([]);
  });

  it('is not blocked by a pattern that backtracks', () => {
    const text = `${'a'.repeat(50_000)}!`;
    const started = process.cpuUsage();
    expect(findingsOf(Stall, { motto: text })).toEqual(['spec.motto: motto must match /^(a+)+$/ regular expression']);
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
    expect(findingsOf(Stall, { motto: 'a'.repeat(50_000) })).toEqual([]);
  });

  it('matches as JavaScript does, even expressions that RE2 does not support or counts differently', () => {
    class InnSpec {
      @Matches(/^.{2}$/) two?: string;
      @Matches(/^(?=a)/) ahead?: string;
      @Matches('^[a-z]+$', 'i') letters?: string;
      @Matches(/a/g) global?: string;
    }
    @CustomResource({ group: 'shop.example.com', version: 'v1' })
    class Inn extends KubernetesObject {
      @Spec() spec!: InnSpec;
    }
    const good = { two: '\u{1F600}', ahead: 'ab', letters: 'AbC', global: 'aaa' };
    expect(findingsOf(Inn, good)).toEqual([]);
    expect(findingsOf(Inn, good)).toEqual([]);
    expect(findingsOf(Inn, { two: 'abc', ahead: 'ba', letters: 'a1', global: 'b' })).toHaveLength(4);
    expect(findingsOf(Inn, { ...good, letters: 5 })).toHaveLength(1);
  });

  it('calls no accessor of a class', () => {
    class GateSpec {
      set total(_: number) {
        throw new Error('called');
      }
      @IsInt() size!: number;
    }
    @CustomResource({ group: 'shop.example.com', version: 'v1' })
    class Gate extends KubernetesObject {
      @Spec() spec!: GateSpec;
    }
    expect(findingsOf(Gate, { total: 5, size: 1 })).toEqual([]);
  });

  it('reports an object that is nested too deeply', () => {
    let departments: object = { title: 'deepest' };
    for (let i = 0; i < 5000; i++) departments = { title: 'x', below: [departments] };
    const object = Object.setPrototypeOf({ kind: 'Shop', spec: { ...sound, departments } }, Shop.prototype);
    expect(lines(classValidator().validate(object))).toEqual([': the object nests deeper than 1000 levels']);
  });

  it('has no findings for an object without a class, or with a class without decorators', () => {
    class Plain extends KubernetesObject {}
    expect(classValidator().validate({ apiVersion: 'v1', kind: 'X', metadata: { name: 'x' } })).toEqual([]);
    expect(findingsOf(Plain, { size: 'x' })).toEqual([]);
  });

  it("supports class-validator's groups and its options for missing values", () => {
    class StandSpec {
      @IsInt({ groups: ['strict'] }) size!: number;
      @IsString() @MaxLength(1) name!: string;
      @IsDefined() needed!: string;
    }
    @CustomResource({ group: 'shop.example.com', version: 'v1' })
    class Stand extends KubernetesObject {
      @Spec() spec!: StandSpec;
    }
    const paths = (spec: object, options: object): string[] =>
      findingsOf(Stand, spec, options).map((line) => line.slice(5, line.indexOf(':')));
    const all = { skipMissingProperties: false };
    expect(paths({ name: 'ab', needed: '' }, { ...all, groups: ['strict'] })).toEqual(['size']);
    expect(paths({ name: 'ab', needed: '' }, { ...all, groups: ['strict'], always: true })).toEqual(['size', 'name']);
    expect(paths({ name: 'ab', needed: '' }, { ...all, strictGroups: true })).toEqual(['name']);
    expect(paths({ name: 5 }, all)).toEqual(['size', 'name', 'name', 'needed']);
    expect(paths({ name: 5 }, { ...all, stopAtFirstError: true })).toEqual(['size', 'name', 'needed']);
    expect(paths({}, { ...all, skipUndefinedProperties: true })).toEqual(['needed']);
    expect(paths({ size: null, name: null }, { ...all, skipNullProperties: true })).toEqual(['needed']);
    expect(paths({ size: null }, { skipMissingProperties: true })).toEqual(['needed']);
  });

  it('accepts missing values, which the CRD checks, unless they must be defined', () => {
    class CertificateSpec {
      @MaxLength(64) commonName?: string;
      @ValidateNested() @IsDefined() port!: Port;
      @IsDefined() issuer!: string;
    }
    @CustomResource({ group: 'shop.example.com', version: 'v1' })
    class Certificate extends KubernetesObject {
      @Spec() spec!: CertificateSpec;
    }
    expect(findingsOf(Certificate, { issuer: 'x', port: { name: 'x', port: 1 } })).toEqual([]);
    expect(findingsOf(Certificate, { commonName: null, issuer: null, port: { port: 0 } })).toEqual([
      'spec.port.port: port of Port is 0, which is less than 1',
      'spec.issuer: issuer should not be null or undefined',
    ]);
    const long = { commonName: 'x'.repeat(65), issuer: 'x', port: { name: 'x', port: 1 } };
    expect(findingsOf(Certificate, long)).toHaveLength(1);
  });

  describe('rejects', () => {
    function mistakeOf(kind: KindClass): string {
      try {
        classValidator().prepare?.(kind);
      } catch (error) {
        if (error instanceof EvenkeelError) return `${error.code}: ${error.message}`;
      }
      return 'none';
    }

    it('all asynchronous validators, before the first object', () => {
      @ValidatorConstraint({ name: 'byClass' })
      class ByClass {
        async validate(): Promise<boolean> {
          return true;
        }
      }
      class BarSpec {
        @ValidateBy({ name: 'said', async: true, validator: { validate: () => true } } as never)
        name!: string;
        @IsInt()
        size!: number;
      }
      registerDecorator({ target: BarSpec, propertyName: 'size', name: 'flagged', async: true, validator: ByClass });
      registerDecorator({
        target: BarSpec,
        propertyName: 'name',
        name: 'flagged',
        async: true,
        validator: { validate: () => true },
      });
      @CustomResource({ group: 'shop.example.com', version: 'v1' })
      class Bar extends KubernetesObject {
        @Spec() spec!: BarSpec;
      }
      const mistake = mistakeOf(Bar);
      expect(mistake).toContain('asynchronous-validator');
      expect(mistake).toContain(
        'BarSpec.size: the validator "byClass" is asynchronous, so classValidator() cannot run it',
      );
      expect(mistake).toContain('BarSpec.name: the validator "flagged" is asynchronous');
      expect(() => findingsOf(Bar, {})).toThrow('asynchronous');
    });

    it('a validator that returns a promise without declaring it, and handles the rejection', async () => {
      class CafeSpec {
        @ValidateBy({ name: 'late', validator: { validate: () => Promise.reject(new Error('later')) as never } })
        name!: string;
      }
      @CustomResource({ group: 'shop.example.com', version: 'v1' })
      class Cafe extends KubernetesObject {
        @Spec() spec!: CafeSpec;
      }
      expect(mistakeOf(Cafe)).toBe('none');
      expect(() => findingsOf(Cafe, { name: 'x' })).toThrow('CafeSpec.name: the validator "late" is asynchronous');
      await new Promise((resolve) => setImmediate(resolve));
    });

    it('a nested value of unknown class', () => {
      class PubSpec {
        @ValidateNested({ each: true }) list!: ShopSpec[];
        @IsOptional() @Min(1) size?: number;
      }
      @CustomResource({ group: 'shop.example.com', version: 'v1' })
      class Pub extends KubernetesObject {
        @Spec() spec!: PubSpec;
      }
      expect(mistakeOf(Pub)).toBe(
        'unknown-type: PubSpec.list: it has @ValidateNested(), but its class is unknown at run time; add @Type(() => TheClass)',
      );
    });
  });

  it.each([true, false])(
    'agrees with validateSync on 3,000 random objects, with skipMissingProperties: %s',
    (skips) => {
      const random = new SeededRandom(seed);
      const validator = classValidator(skips ? {} : { skipMissingProperties: false });
      let refused = 0;
      for (let i = 0; i < 3000; i++) {
        const spec = randomSpec(random);
        const theirs = flatten(
          validateSync(plainToInstance(ShopSpec, spec), { skipMissingProperties: skips }),
          'spec',
        ).sort();
        const found = validator.validate(cached(Shop, { spec }));
        // class-validator names the list, we name the element.
        const ours = found.map(({ path, message }) => `${path.replace(/(hosts)\[\d+\]$/, '$1')}: ${message}`).sort();
        if (theirs.length > 0) refused++;
        if (String(ours) !== String(theirs)) expect({ seed, spec, found: ours }).toEqual({ seed, spec, found: theirs });
      }
      expect(refused).toBeGreaterThan(300);
      expect(refused).toBeLessThan(2970);
    },
  );
});

function flatten(errors: readonly ValidationError[], path: string): string[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => {
    const below = /^\d+$/.test(property) ? `${path}[${property}]` : `${path}.${property}`;
    return [...Object.values(constraints).map((message) => `${below}: ${message}`), ...flatten(children, below)];
  });
}

function randomSpec(random: SeededRandom): Record<string, unknown> {
  const pick = (...values: readonly unknown[]): unknown => values[random.integer(values.length)];
  const maybe = (value: () => unknown): unknown =>
    random.integer(6) === 0 ? pick(undefined, null, 5, 'x', [], {}) : value();
  const port = (): unknown => ({
    name: maybe(() => pick('http', 'a'.repeat(15), 'a'.repeat(16), '')),
    port: maybe(() => pick(80, 1, 65535)),
  });
  const list = (of: () => unknown): unknown => Array.from({ length: random.integer(5) }, of);
  const department = (depth: number): unknown => ({
    title: maybe(() => 'x'),
    ...(depth > 0 && { below: pick(undefined, null, [department(depth - 1)]) }),
  });
  const spec = {
    size: maybe(() => random.integer(6)),
    ports: maybe(() => list(() => (random.integer(10) === 0 ? pick(null, 5, 'x') : port()))),
    main: pick(undefined, null, port()),
    hosts: pick(
      undefined,
      list(() => pick('a', 'abcde', 'abcdef', 5, null)),
    ),
    delivery: pick(undefined, { type: 'post', code: pick('12345', 'x') }, { type: 'drone', kilograms: pick(5, 11) }),
    reason: pick(undefined, null, 'why', 5),
    spare: pick(undefined, 0, 2, 9),
    departments: pick(undefined, department(2)),
  };
  return JSON.parse(JSON.stringify(spec)) as Record<string, unknown>;
}
