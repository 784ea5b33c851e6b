import { copyJson } from '@evenkeel/apimachinery/json';
import {
  type AnyClass,
  CustomResource,
  type CustomResourceOptions,
  type ErrorCode,
  KubernetesObject,
  PrinterColumn,
  Scale,
  Spec,
  Status,
} from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, Min, ValidateNested } from 'class-validator';
import { findingText } from '../finding/finding.ts';
import { generateCustomResourceDefinitions } from '../generate/generate.ts';

class Port {
  @IsInt() number = 1;
}

class HubSpec {
  @IsInt() @Max(10) replicas!: number;
  @IsOptional() @IsString() color?: string;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Port) ports?: Port[];
}

class OldPort {
  @IsInt() port = 1;
}

class SpokeSpec {
  @IsInt() @Max(10) size!: number;
  @IsOptional() @IsString() colour?: string;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => OldPort) ports?: OldPort[];
}

class MoreSpec extends SpokeSpec {
  @IsOptional() @IsString() legacy?: string;
}

class RequiredSpec extends SpokeSpec {
  @IsString() legacy!: string;
}

class NarrowSpec {
  @IsInt() @Max(5) size!: number;
  @IsOptional() @IsString() colour?: string;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => OldPort) ports?: OldPort[];
}

class OtherSpec extends SpokeSpec {
  @IsOptional() @IsInt() @Min(0) @Max(9) other?: number;
}

class ShopStatus {
  @IsOptional() @IsInt() ready?: number;
}

class TextSpec extends SpokeSpec {
  @IsOptional() @IsString() text?: string;
}

/** A class of the kind Shop with a spec. */
function shop(version: string, spec: AnyClass, options: Partial<CustomResourceOptions> = {}): AnyClass {
  const type = class extends KubernetesObject {};
  Object.defineProperty(type, 'name', { value: `Shop${version.toUpperCase()}` });
  Reflect.defineMetadata('design:type', spec, type.prototype, 'spec');
  Spec()(type.prototype, 'spec');
  CustomResource({ group: 'example.com', version, kind: 'Shop', ...options })(type);
  return type;
}

const hub = shop('v2', HubSpec, { storage: true });
const moves = {
  'spec.size': 'spec.replicas',
  'spec.colour': 'spec.color',
  'spec.ports[*].port': 'spec.ports[*].number',
};
const functions = { toHub: () => undefined, fromHub: () => undefined };
/** The fields that only one of the versions has. */
const renamed = {
  spoke: ['spec.colour', 'spec.ports[*].port', 'spec.size'],
  hub: ['spec.color', 'spec.ports[*].number', 'spec.replicas'],
};
const legacyOmitted = { spoke: ['spec.legacy'] };
const converting = { ...functions, omit: { spoke: [...renamed.spoke, 'spec.legacy'], hub: renamed.hub } };

function spoke(spec: AnyClass, conversion: object, options: Partial<CustomResourceOptions> = {}): AnyClass {
  return shop('v1', spec, { conversion: { hub: () => hub, ...conversion } as never, ...options });
}

async function generated(...types: AnyClass[]) {
  const { findings, definitions } = await generateCustomResourceDefinitions(types);
  const ignored: readonly ErrorCode[] = ['inexact-constraint', 'default-not-converted'];
  const found = findings.filter(({ isMinor, code }) => isMinor !== true && !ignored.includes(code));
  return {
    definition: definitions[0],
    lines: found.flatMap((finding) => `${finding.level} ${finding.code} ${findingText(finding)}`.split('\n')),
  };
}

async function linesOf(...types: AnyClass[]): Promise<string[]> {
  return (await generated(...types)).lines;
}

/** The findings about the conversion of CRDs that replace one with this storage version. */
async function linesOfReplacing(storage: string | undefined, ...types: AnyClass[]): Promise<string[]> {
  const replacedBy = (made: CustomResourceDefinition) => {
    const definition = copyJson(made);
    for (const version of definition.spec.versions) version.storage = version.name === storage;
    return storage === undefined ? undefined : { definition, file: 'crd.yaml' };
  };
  const { findings } = await generateCustomResourceDefinitions(types, { previous: { replacedBy, areReleased: false } });
  return findings
    .filter(({ code }) => code === 'default-not-converted')
    .map((found) => `notice default-not-converted ${findingText(found)}`);
}

describe('versions with a conversion', () => {
  it('are accepted if all differences are moved, and the CRD has the webhook', async () => {
    const { lines, definition } = await generated(hub, spoke(SpokeSpec, { moves }));
    expect(lines).toEqual([]);
    expect(definition?.spec.conversion).toEqual({
      strategy: 'Webhook',
      webhook: {
        clientConfig: { service: { namespace: 'default', name: 'webhook-service', path: '/convert' } },
        conversionReviewVersions: ['v1'],
      },
    });
  });

  it('are compared with the hub, which may be another version than the storage version', async () => {
    const notStored = shop('v2', HubSpec);
    const conversion = { hub: () => notStored, moves } as never;
    expect(await linesOf(notStored, shop('v1', SpokeSpec, { storage: true, conversion }))).toEqual([]);
  });

  it('are an error that lists what the conversion does not cover, by the names in the hub', async () => {
    const { 'spec.colour': _, ...others } = moves;
    expect(await linesOf(hub, spoke(NarrowSpec, { moves: others }))).toEqual([
      "error lossy-versions ShopV1: objects of Shop lose data or become invalid between versions, although a conversion is declared; add the fields to moves or keep of the conversion, convert them in toHub and fromHub, declare the same constraints, or accept this with lossy: { versions: { 'spec.color': '<reason>', 'spec.replicas': '<reason>', 'spec.colour': '<reason>' } } in @CustomResource of ShopV1",
      '  v2 to v1: spec.color is lost, because v1 does not have it',
      '  v2 to v1: spec.replicas can be invalid, because maximum is 5 in v1 and 10 in v2',
      '  v1 to v2: spec.colour is lost, because v2 does not have it',
    ]);
  });

  it('may scale by a moved field, which the hub scales by another name', async () => {
    const scaled = (type: AnyClass, specReplicasPath: string): AnyClass => {
      Reflect.defineMetadata('design:type', ShopStatus, type.prototype, 'status');
      Status()(type.prototype, 'status');
      Scale({ specReplicasPath, statusReplicasPath: '.status.ready' })(type);
      return type;
    };
    const scaledHub = scaled(shop('v2', HubSpec, { storage: true }), '.spec.replicas');
    const by = (path: string): AnyClass =>
      scaled(shop('v1', SpokeSpec, { conversion: { hub: () => scaledHub, moves } as never }), path);
    expect(await linesOf(scaledHub, by('.spec.size'))).toEqual([]);
    // Another field, whose values the hub does not restrict to replicas.
    const other = scaled(
      shop('v1', OtherSpec, { conversion: { hub: () => scaledHub, moves } as never }),
      '.spec.other',
    );
    expect((await linesOf(scaledHub, other)).join()).toContain('spec.other');
  });

  it('lose nothing that is kept', async () => {
    expect(await linesOf(hub, spoke(MoreSpec, { moves, keep: { spoke: ['spec.legacy'] } }))).toEqual([]);
    const { 'spec.colour': _, ...others } = moves;
    const keep = { spoke: ['spec.colour'], hub: ['spec.color'] };
    expect(await linesOf(hub, spoke(SpokeSpec, { moves: others, keep }))).toEqual([]);
  });

  it('add no defaults of the other version to objects that are stored in one', async () => {
    const list = 'spec.list[*].weight';
    class Listed {
      @IsString() name!: string;
      @IsInt() weight = 1;
    }
    class NewSpec extends HubSpec {
      @IsString() protocol = 'TCP';
      @IsOptional() @ValidateNested({ each: true }) @Type(() => Listed) list?: Listed[];
    }
    class OldListed {
      @IsString() name!: string;
    }
    class OldSpec extends SpokeSpec {
      @IsOptional() @ValidateNested({ each: true }) @Type(() => OldListed) list?: OldListed[];
    }
    const keep = { hub: ['spec.protocol', list] };
    const linesFor = (
      storage: 'v1' | 'v2',
      conversion: object = { moves, keep },
      lossy?: CustomResourceOptions['lossy'],
      replaced?: 'v1',
    ) => {
      const newer = shop('v2', NewSpec, { storage: storage === 'v2' });
      const older = shop('v1', OldSpec, {
        storage: storage === 'v1',
        conversion: { hub: () => newer, ...conversion } as never,
        ...(lossy === undefined ? {} : { lossy }),
      });
      return linesOfReplacing(replaced, newer, older);
    };
    const notice = (fields: string, until: string, migrate: string) =>
      `notice default-not-converted ShopV1: objects that are stored in v1 lack ${fields} in v2${until}: the API server adds no defaults after a conversion; set the default in toHub where it is missing${migrate}`;
    expect(await linesFor('v1')).toEqual([notice(`${list}, spec.protocol`, '', '')]);
    expect(await linesFor('v2')).toEqual([]);
    expect(await linesFor('v2', undefined, undefined, 'v1')).toEqual([
      notice(
        `${list}, spec.protocol`,
        ' until they are written again',
        ', or run "evenkeel migrate" after the upgrade',
      ),
    ]);
    const toHub = (_old: object, { spec }: { spec: NewSpec }): void => {
      spec.protocol ??= 'TCP';
    };
    expect(await linesFor('v1', { moves, keep, toHub, fromHub: () => undefined })).toEqual([notice(list, '', '')]);
    const accepted = { versions: { 'spec.protocol': 'the operator sets it', [list]: 'the same' } };
    expect(await linesFor('v1', undefined, accepted)).not.toContainEqual(expect.stringContaining('default-not'));
  });

  it('are not compared value by value if they have functions', async () => {
    expect(await linesOf(hub, spoke(MoreSpec, converting))).toEqual([]);
    const keeping = { ...functions, keep: { spoke: ['spec.legacy'] }, omit: renamed };
    expect(await linesOf(hub, spoke(RequiredSpec, keeping))).toEqual([]);
  });

  it('must not copy fields that only one of them has', async () => {
    const missing = (from: string, to: string, side: string, fields: readonly string[]) =>
      `error invalid-conversion ShopV1: @CustomResource: conversion: ${to} does not have ${fields.join(', ')} of ${from}; add omit: { ${side}: [${fields.map((field) => `'${field}'`).join(', ')}] } if toHub and fromHub convert them or their loss is accepted, or add them to moves or keep`;
    expect(await linesOf(hub, spoke(SpokeSpec, functions))).toEqual([
      missing('v1', 'v2', 'spoke', renamed.spoke),
      missing('v2', 'v1', 'hub', renamed.hub),
    ]);
    const lossy = { versions: { 'spec.legacy': 'nobody uses it' } };
    expect(await linesOf(hub, spoke(MoreSpec, { moves }, { lossy }))).toContain(
      missing('v1', 'v2', 'spoke', ['spec.legacy']),
    );
  });

  it('accept the rest with lossy, which is needless otherwise', async () => {
    const lossy = { versions: { 'spec.legacy': 'nobody uses it' } };
    expect(await linesOf(hub, spoke(MoreSpec, { moves, omit: legacyOmitted }, { lossy }))).toEqual([
      'notice lossy-versions ShopV1: objects of Shop lose data or become invalid between v2 and v1, which lossy accepts',
      '  v1 to v2: spec.legacy is lost, because v2 does not have it; accepted: nobody uses it',
    ]);
    expect(await linesOf(hub, spoke(SpokeSpec, { moves }, { lossy }))).toEqual([
      'notice lossy-versions ShopV1: @CustomResource: lossy.versions has no effect on spec.legacy, because objects lose nothing there between this version and the hub; remove it',
    ]);
    const lossyHub = shop('v2', HubSpec, { storage: true, lossy });
    const conversion = { hub: () => lossyHub, moves } as never;
    expect(await linesOf(lossyHub, shop('v1', SpokeSpec, { conversion }))).toEqual([
      'notice lossy-versions ShopV2: @CustomResource: lossy.versions has no effect on spec.legacy, because this is the hub, with which the others are compared; move it to the other version, or remove it',
    ]);
  });

  it('accept by lossy what functions lose, which only the test of the conversion sees, but not unknown fields', async () => {
    const versions = { 'spec.legacy': 'nobody uses it', 'spec.colour': 'the colour is rounded' };
    expect(await linesOf(hub, spoke(MoreSpec, converting, { lossy: { versions } }))).toEqual([]);
    const unknown = { versions: { ...versions, 'spec.color.hue': 'x', 'spec.prise': 'x' } };
    expect(await linesOf(hub, spoke(MoreSpec, converting, { lossy: unknown }))).toEqual([
      'notice lossy-versions ShopV1: @CustomResource: lossy.versions has no effect on spec.color.hue, spec.prise, because objects lose nothing there between this version and the hub; remove it',
    ]);
  });

  it.each<[string, () => AnyClass, string]>([
    [
      'a path that this version does not have',
      () => spoke(SpokeSpec, { moves: { ...moves, 'spec.sise': 'spec.ports' } }),
      'moves: spec.sise: spec.ports: v1 (ShopV1) has no field "sise"; did you mean "size"?',
    ],
    [
      'a path that the hub does not have',
      () => spoke(SpokeSpec, { moves: { ...moves, 'spec.size': 'spec.scale.size' } }),
      'moves: spec.size: spec.scale.size: v2 (ShopV2) has no field "scale"; fix the path',
    ],
    [
      'a list that is none',
      () => spoke(SpokeSpec, { keep: { spoke: ['spec.size[*].x'] } }),
      'keep.spoke: spec.size[*].x: v1 (ShopV1) has no field "size[*]"',
    ],
    [
      'a move of another type',
      () => spoke(TextSpec, { moves: { ...moves, 'spec.size': 'spec.color', 'spec.colour': 'spec.replicas' } }),
      'moves: spec.size: spec.color: the types differ, integer in v1 and string in v2; convert the value in toHub and fromHub',
    ],
    [
      'a kept field that is moved',
      () => spoke(MoreSpec, { moves, keep: { spoke: ['spec.size'] } }),
      'keep.spoke: spec.size: the field is in moves too; remove it from one of them',
    ],
    [
      'a kept field that the hub has',
      () => spoke(MoreSpec, { moves, keep: { spoke: ['spec.ports'] } }),
      'keep.spoke: spec.ports: v2 has this field too, so it is copied; remove it from keep, or set it in toHub and fromHub',
    ],
    [
      'a kept field that is required',
      () => spoke(RequiredSpec, { moves, keep: { spoke: ['spec.legacy'] } }),
      'keep.spoke: spec.legacy: the field is required, but objects that are written through v2 lack it; give it a default, or set it in toHub and fromHub',
    ],
    [
      'a field that is moved and not copied',
      () => spoke(MoreSpec, { moves, omit: { spoke: ['spec.size'] } }),
      'omit.spoke: spec.size: the field is in moves too; remove it from one of them',
    ],
    [
      'a field that is kept and not copied',
      () => spoke(MoreSpec, { moves, keep: { spoke: ['spec.legacy'] }, omit: legacyOmitted }),
      'omit.spoke: spec.legacy: the field is in keep too; remove it from one of them',
    ],
    [
      'an unknown field that is not copied',
      () => spoke(MoreSpec, { moves, omit: { hub: ['spec.legasy'] } }),
      'omit.hub: spec.legasy: v2 (ShopV2) has no field "legasy"; fix the path',
    ],
    ['an invalid declaration', () => spoke(SpokeSpec, { moves, hub: 5 }), 'hub is not a class with @CustomResource'],
  ])('must not have %s', async (_, type, message) => {
    const { lines, definition } = await generated(hub, type());
    const start = `error invalid-conversion ShopV1: @CustomResource: conversion: ${message}`;
    expect(lines).toContainEqual(expect.stringContaining(start));
    expect(definition).toBeUndefined();
  });

  it('all need one, to one hub, which must be generated too', async () => {
    const other = shop('v3', HubSpec);
    expect(await linesOf(hub, other, spoke(SpokeSpec, { moves }))).toEqual([
      'error invalid-conversion ShopV3: @CustomResource: it has no conversion, but ShopV1 has one, so the API server also converts this version of Shop; add conversion: { hub: () => ShopV2 }',
    ]);
    const toOther = shop('v4', HubSpec, { conversion: { hub: () => other } as never });
    expect(await linesOf(hub, other, toOther, spoke(SpokeSpec, { moves }))).toContainEqual(
      expect.stringMatching(
        /^error invalid-conversion \w+: @CustomResource: conversion: hub is ShopV\d here and ShopV\d in/,
      ),
    );
    const alone = spoke(SpokeSpec, { moves }, { storage: true });
    expect(await linesOf(alone)).toEqual([
      'error invalid-conversion ShopV1: @CustomResource: conversion: no CRD is generated from the hub ShopV2; export it from a module of "apis"',
    ]);
  });

  it('that are neither served nor stored are rejected if old objects lose data', async () => {
    expect(await linesOf(hub, spoke(MoreSpec, { moves }, { served: false }))).toEqual([
      expect.stringMatching(
        /^error lossy-versions ShopV1: .*, remove ShopV1 if no object is stored in v1 any more, or/,
      ),
      '  v1 to v2: spec.legacy is lost, because v2 does not have it',
    ]);
    expect(await linesOf(hub, spoke(SpokeSpec, { moves }, { served: false }))).toEqual([]);
  });

  it('keep their own columns', async () => {
    const type = spoke(SpokeSpec, { moves });
    PrinterColumn({ name: 'Size', type: 'integer', jsonPath: '.spec.size' })(type);
    expect(await linesOf(hub, type)).toEqual([]);
  });
});
