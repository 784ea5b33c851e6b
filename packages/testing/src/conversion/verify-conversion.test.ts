import { CustomResource, type EvenkeelError, KubernetesObject, type LossyFields, Spec, Status } from '@evenkeel/core';
import { customResourceDefinitionOf } from '@evenkeel/schema';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min, ValidateNested } from 'class-validator';
import { seed } from '../../../../test/seed.fixture.ts';
import { convert } from './convert.ts';
import { verifyConversion } from './verify-conversion.ts';

class Port {
  @IsInt() @Min(1) @Max(65535) port!: number;
  @IsOptional() @IsString() @MaxLength(5) old?: string;
}

class NewPort {
  @IsInt() @Min(1) @Max(65535) number!: number;
}

class Schedule {
  @IsOptional() @IsString() @Matches(/^[0-9*]{1,5}$/) minute?: string;
  @IsOptional() @IsString() @Matches(/^[0-9*]{1,5}$/) hour?: string;
}

class NewSpec {
  @IsInt() @Min(0) @Max(9) replicas = 1;
  @ValidateNested() @Type(() => Schedule) schedule: Schedule = {};
  @IsOptional() @ValidateNested({ each: true }) @Type(() => NewPort) ports?: NewPort[];
  @IsOptional() @IsIn(['a', 'b']) mode?: string;
}

class NewStatus {
  @IsOptional() @IsString() phase?: string;
}

@CustomResource({ group: 'example.com', version: 'v2', kind: 'Task', storage: true })
class Task extends KubernetesObject {
  @Spec() spec!: NewSpec;
  @Status() status!: NewStatus;
}

class OldSpec {
  @IsInt() @Min(0) @Max(9) size = 1;
  @IsString() @Matches(/^[0-9*]{1,5} [0-9*]{1,5}$/) schedule = '* *';
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Port) ports?: Port[];
}

class OldStatus {
  @IsOptional() @IsString() state?: string;
}

const moves = {
  'spec.size': 'spec.replicas',
  'spec.ports[*].port': 'spec.ports[*].number',
  'status.state': 'status.phase',
} as const;

/** The hub has a value for each part, as long as it is set through this version. */
function toHub(old: { readonly spec: OldSpec }, hub: Task): void {
  const [minute = '*', hour = '*'] = old.spec.schedule?.split(' ') ?? [];
  hub.spec.schedule = { minute, hour };
}

function fromHub(hub: Task, old: { readonly spec: OldSpec }): void {
  const { minute = '*', hour = '*' } = hub.spec.schedule ?? {};
  old.spec.schedule = `${minute} ${hour}`;
}

class OldTaskFields extends KubernetesObject {
  @Spec() spec!: OldSpec;
  @Status() status!: OldStatus;
}

/** The CRD of both versions, also if "generate" would reject it because it sees what the conversion loses. */
async function definitionOf() {
  @CustomResource({ group: 'example.com', version: 'v1', kind: 'Task' })
  class UnconvertedTask extends OldTaskFields {}
  const [definition, old] = [await customResourceDefinitionOf(Task), await customResourceDefinitionOf(UnconvertedTask)];
  definition.spec.versions.push(...old.spec.versions);
  return definition;
}

/** A version v1 with this conversion, and the CRD of both versions. */
async function versions(conversion: object, spec: object = {}, lossy: LossyFields = {}) {
  @CustomResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Task',
    lossy,
    conversion: { hub: () => Task, ...conversion } as never,
  })
  class OldTask extends OldTaskFields {}
  const definition = await definitionOf();
  Object.assign(definition.spec.versions[1]?.schema?.openAPIV3Schema?.properties?.['spec'] ?? {}, spec);
  return { definition, OldTask };
}

async function messageOf(
  conversion: object,
  options: object = {},
  spec: object = {},
  lossy: LossyFields = {},
): Promise<string> {
  const { definition, OldTask } = await versions(conversion, spec, lossy);
  try {
    verifyConversion(definition, OldTask, { seed, ...options });
  } catch (error) {
    expect((error as EvenkeelError).code).toBe('lossy-conversion');
    return (error as Error).message;
  }
  return '';
}

const keep = { spoke: ['spec.ports[*].old', 'spec.schedule'], hub: ['spec.mode', 'spec.schedule'] };

describe('verifyConversion()', () => {
  it('accepts a conversion that loses nothing, in both directions', async () => {
    const { definition, OldTask } = await versions({ moves, keep, toHub, fromHub });
    expect(verifyConversion(definition, OldTask, { seed, runs: 300 })).toEqual({ seed, objects: 600 });
  });

  it('accepts kept fields with a default, which the other version has in its annotation afterwards', async () => {
    class QuotaSpec {
      @IsInt() @Min(0) @Max(9) size = 1;
      @IsString() @Matches(/^[0-9]{1,3}s$/) quotaTimeout = '2s';
    }
    @CustomResource({ group: 'example.com', version: 'v1', kind: 'Quota', storage: true })
    class Quota extends KubernetesObject {
      @Spec() spec!: QuotaSpec;
    }
    class OldQuotaSpec {
      @IsInt() @Min(0) @Max(9) size = 1;
    }
    const conversion = { hub: () => Quota, keep: { hub: ['spec.quotaTimeout'] } } as const;
    @CustomResource({ group: 'example.com', version: 'v1alpha1', kind: 'Quota', conversion })
    class OldQuota extends KubernetesObject {
      @Spec() spec!: OldQuotaSpec;
    }
    const definition = await customResourceDefinitionOf([Quota, OldQuota]);
    expect(verifyConversion(definition, OldQuota, { seed })).toEqual({ seed, objects: 400 });
    // Without keep, the values are lost.
    @CustomResource({ group: 'example.com', version: 'v1alpha1', kind: 'Quota', conversion: { hub: () => Quota } })
    class LossyQuota extends KubernetesObject {}
    expect(() => verifyConversion(definition, LossyQuota, { seed })).toThrow(/^ {2}spec\.quotaTimeout: /m);
  });

  it('shows another annotation that a conversion adds', async () => {
    const annotating = (old: { spec: OldSpec }, hub: Task) => {
      toHub(old, hub);
      hub.metadata.annotations = { ...hub.metadata.annotations, 'conversion.evenkeel.dev/v3': '{}' };
    };
    expect(await messageOf({ moves, keep, toHub: annotating, fromHub })).toMatch(
      /^ {2}metadata\.annotations: \{"conversion\.evenkeel\.dev\/v3":"\{\}"\} is added$/m,
    );
  });

  describe('with lossy.versions', () => {
    const omit = { spoke: ['spec.ports[*].old'], hub: ['spec.mode'] };
    const loses = { moves, toHub, fromHub, keep: { spoke: ['spec.schedule'], hub: ['spec.schedule'] }, omit };

    it('accepts the losses of exactly these fields', async () => {
      const old = { 'spec.ports[*].old': 'nobody sets it' };
      const mode = { 'spec.mode': 'it is new' };
      expect(await messageOf(loses, {}, {}, { versions: { ...old, ...mode } })).toBe('');
      expect(await messageOf(loses, {}, {}, { versions: mode })).toMatch(/^ {2}spec\.ports\[\d\]\.old: ".*" is lost$/m);
      expect(await messageOf(loses, {}, {}, { versions: old })).toMatch(/^ {2}spec\.mode: "[ab]" is lost$/m);
      expect(await messageOf(loses, {}, {}, { stored: { ...old, ...mode } })).toMatch(/^ {2}spec\..* is lost$/m);
      // Accepts a difference of spec itself, such as a rule, and not everything in it.
      expect(await messageOf(loses, {}, {}, { versions: { spec: 'x' } })).toMatch(/^ {2}spec\..* is lost$/m);
    });

    it.each([
      ['accepts', 'spec.replicas', ''],
      ['does not accept the name in the other version of', 'spec.size', '  invalid in v1: spec.size: Invalid value: '],
    ])('%s a moved field that can be invalid in the other version', async (_, path, message) => {
      const schemaOfV1 = { 'x-kubernetes-validations': [{ rule: 'self.size < 6', fieldPath: '.size' }] };
      const found = await messageOf({ moves, keep, toHub, fromHub }, {}, schemaOfV1, { versions: { [path]: 'x' } });
      expect(found.split('\n').find((line) => line.includes('invalid')) ?? '').toContain(message);
      expect(found === '').toBe(message === '');
    });
  });

  it('shows the smallest object with a field that is lost', async () => {
    const message = await messageOf({ moves, keep: { ...keep, spoke: ['spec.schedule'] }, toHub, fromHub });
    expect(message.replace(/run \d+/, 'run N')).toBe(
      `conversion of Task from v1 to v2 and back; fix moves, toHub or fromHub, or list fields in keep, or in lossy.versions with a reason (seed ${seed}, run N)
  spec.ports[0].old: "" is lost
the smallest object that shows it, in v1:
  {
    "apiVersion": "example.com/v1",
    "kind": "Task",
    "metadata": {
      "name": "a"
    },
    "spec": {
      "ports": [
        {
          "old": "",
          "port": 1
        }
      ],
      "schedule": "* *",
      "size": 0
    }
  }
in v2:
  {
    "apiVersion": "example.com/v2",
    "kind": "Task",
    "metadata": {
      "name": "a"
    },
    "spec": {
      "ports": [
        {
          "number": 1
        }
      ],
      "replicas": 0,
      "schedule": {
        "hour": "*",
        "minute": "*"
      }
    }
  }
in v1 again:
  {
    "apiVersion": "example.com/v1",
    "kind": "Task",
    "metadata": {
      "name": "a"
    },
    "spec": {
      "ports": [
        {
          "port": 1
        }
      ],
      "schedule": "* *",
      "size": 0
    }
  }`,
    );
  });

  it.each<[string, object, string | RegExp]>([
    [
      'a field of the hub that is lost',
      { moves, keep: { ...keep, hub: ['spec.schedule'] }, toHub, fromHub },
      /^ {2}spec\.mode: "[ab]" is lost$/m,
    ],
    [
      'a field of the status that is lost',
      { moves: { ...moves, 'status.state': 'spec.mode' }, keep: { ...keep, hub: ['spec.schedule'] }, toHub, fromHub },
      /^ {2}invalid in v2: spec\.mode: Unsupported value/m,
    ],
    [
      'a value that changes',
      { moves, keep: { spoke: ['spec.ports[*].old'], hub: ['spec.mode'] }, toHub, fromHub },
      /^ {2}spec\.schedule(?:\.minute|\.hour)?: "\*" is added$/m,
    ],
    [
      'a function that forgets to set a value',
      { moves, keep: { ...keep, spoke: ['spec.ports[*].old'], hub: ['spec.mode'] }, toHub, fromHub: () => undefined },
      /^ {2}from v2: old\.spec\.schedule\?\.split is not a function/m,
    ],
    [
      'an object that is invalid in the other version',
      {
        moves,
        keep,
        toHub: (old: { spec: OldSpec }, hub: Task) => {
          toHub(old, hub);
          if (old.spec.size > 5) hub.spec.replicas = 10;
        },
        fromHub,
      },
      /^ {2}invalid in v2: spec\.replicas: Invalid value: 10: .*\n(?:.*\n){1,20}? {6}"size": 6\n/m,
    ],
    [
      'a field that only the other version has, which server-side apply rejects',
      {
        moves,
        keep,
        toHub: (old: { spec: OldSpec }, hub: Task & { spec: { typo?: number } }) => {
          toHub(old, hub);
          hub.spec.typo = 1;
        },
        fromHub,
      },
      /^ {2}spec\.typo: v2 has no such field; add its path to omit/m,
    ],
    [
      'a function that throws, with its line',
      {
        moves,
        keep,
        toHub: (old: { spec: OldSpec }) => {
          if (old.spec.size === 0) throw new TypeError('no size');
        },
        fromHub,
      },
      /^ {2}to v2: no size \(.*verify-conversion\.test\.ts:\d+\)$/m,
    ],
    [
      'a function that requires a field, which server-side apply removes',
      {
        moves,
        keep,
        toHub: (old: { spec: OldSpec }, hub: Task) => {
          toHub(old, hub);
          old.spec.schedule.trim();
        },
        fromHub,
      },
      /^ {2}to v2, without spec, as in server-side apply, which converts .*: Cannot read properties of undefined \(reading 'trim'\) \(.*test\.ts:\d+\)$/m,
    ],
    [
      'a function that computes a text from a missing field',
      {
        moves,
        keep,
        toHub: (old: { spec: OldSpec }, hub: Task) => {
          const [minute, hour] = `${old.spec.schedule}`.split(' ');
          hub.spec.schedule = { ...(minute === undefined ? {} : { minute }), ...(hour === undefined ? {} : { hour }) };
        },
        fromHub,
      },
      /^ {2}to v2, without spec(?:\.schedule)?, as in .*: spec\.schedule\.minute becomes "undefined"; set it only if the fields that it depends on exist$/m,
    ],
    [
      'labels that are lost',
      {
        moves,
        keep,
        toHub: (old: { spec: OldSpec }, hub: Task) => {
          toHub(old, hub);
          delete hub.metadata.labels;
        },
        fromHub,
      },
      /^ {2}metadata\.labels: .* is lost$/m,
    ],
  ])('shows %s', async (_, conversion, message) => {
    expect(await messageOf(conversion)).toMatch(message);
  });

  it('finds the same object again with the same seed', async () => {
    const conversion = { moves, toHub, fromHub };
    const [first, second] = await Promise.all([messageOf(conversion, { seed: 7 }), messageOf(conversion, { seed: 7 })]);
    expect(first).toContain('(seed 7, run ');
    expect(second).toBe(first);
  });

  it('needs samples if random objects are never valid', async () => {
    const rule = { 'x-kubernetes-validations': [{ rule: 'self.schedule == "17 3" || self.schedule == "18 3"' }] };
    const { definition, OldTask } = await versions({ moves, keep, toHub, fromHub }, rule);
    expect(() => verifyConversion(definition, OldTask, { seed })).toThrow(
      `OldTask: no random object is valid by its schema (seed ${seed}, run 0); pass valid objects with the option "samples"`,
    );
    const sample = { apiVersion: 'example.com/v1', kind: 'Task', metadata: { name: 'a' }, spec: { schedule: '17 3' } };
    const ofHub = { apiVersion: 'example.com/v2', kind: 'Task', metadata: { name: 'a' }, spec: {} };
    expect(() =>
      verifyConversion(definition, OldTask, { seed, samples: [{ ...sample, spec: { schedule: 'x' } }] }),
    ).toThrow(/^samples: \{.*\} is invalid in v1$/);
    // The objects of the hub do not satisfy the rule of v1, which is a loss.
    expect(() => verifyConversion(definition, OldTask, { seed, samples: [sample, ofHub] })).toThrow('invalid in v1');
  });

  it('reports other mistakes', async () => {
    const { definition, OldTask } = await versions({ moves, keep, toHub, fromHub });
    expect(() => verifyConversion(definition, Task)).toThrow('Task: it is in "conversions" but declares no conversion');
    const one = { ...definition, spec: { ...definition.spec, versions: definition.spec.versions.slice(0, 1) } };
    expect(() => verifyConversion(one as typeof definition, OldTask)).toThrow(
      'the CRD tasks.example.com has no version v1 (OldTask); pass the CRD with all versions',
    );
  });
});

describe('convert()', () => {
  it('converts to the hub and back, and names the versions that it knows', async () => {
    const { OldTask } = await versions({ moves, keep, toHub, fromHub });
    const old = { apiVersion: 'example.com/v1', kind: 'Task', metadata: { name: 'a' }, spec: { size: 3 } };
    const hub = { ...old, apiVersion: 'example.com/v2', spec: { replicas: 3, schedule: { minute: '*', hour: '*' } } };
    expect(convert(OldTask, old)).toMatchObject({ ...hub, metadata: { name: 'a' } });
    expect(convert(OldTask, { ...hub, metadata: { name: 'b' } })).toMatchObject({ spec: { size: 3, schedule: '* *' } });
    expect(() => convert(OldTask, { ...old, apiVersion: 'example.com/v3' })).toThrow(
      'convert(OldTask, object): apiVersion of the object is "example.com/v3"; pass an object of example.com/v1 or example.com/v2',
    );
  });
});
