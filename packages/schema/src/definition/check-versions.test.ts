import {
  type AnyClass,
  CustomResource,
  type CustomResourceOptions,
  KubernetesObject,
  Spec,
  Status,
} from '@evenkeel/core';
import { IsInt, IsOptional, IsString, Max } from 'class-validator';
import { findingText } from '../finding/finding.ts';
import { customResourceDefinitionOf, generateCustomResourceDefinitions } from '../generate/generate.ts';

class ColorSpec {
  @IsString() color = 'red';
  @IsInt() @Max(10) size = 1;
}

class ColourSpec {
  @IsString() colour = 'red';
  @IsInt() @Max(5) size = 1;
}

class SmallSpec {
  @IsString() color = 'red';
  @IsInt() @Max(5) size = 1;
}

class ShopStatus {
  @IsOptional() @IsInt() ready?: number;
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

/** The errors and notices about lossy versions, with all their lines. */
async function linesOf(...types: AnyClass[]): Promise<string[]> {
  const { findings, definitions } = await generateCustomResourceDefinitions(types);
  const found = findings.filter(({ isMinor, code }) => isMinor !== true && code !== 'inexact-constraint');
  expect(definitions).toHaveLength(found.some(({ level }) => level === 'error') ? 0 : 1);
  return found.flatMap((finding) => `${finding.level} ${finding.code} ${findingText(finding)}`.split('\n'));
}

const v1 = (options?: Partial<CustomResourceOptions>) => shop('v1', ColorSpec, { storage: true, ...options });

describe('versions of a kind without conversion', () => {
  it('are an error that lists every field that is lost or can be invalid, in both directions', async () => {
    expect(await linesOf(v1(), shop('v2', ColourSpec))).toEqual([
      "error lossy-versions ShopV2: objects of Shop lose data or become invalid between versions, because no conversion is declared; declare the same fields and constraints in all versions, declare a conversion with conversion: { hub: () => ShopV1 } in @CustomResource of ShopV2, or accept this with lossy: { versions: { 'spec.color': '<reason>', 'spec.size': '<reason>', 'spec.colour': '<reason>' } } in @CustomResource of ShopV2",
      '  v1 to v2: spec.color is lost, because v2 does not have it',
      '  v1 to v2: spec.size can be invalid, because maximum is 5 in v2 and 10 in v1',
      '  v2 to v1: spec.colour is lost, because v1 does not have it',
    ]);
  });

  it('are accepted if they are the same, and with a notice if the class gives a reason for each field', async () => {
    expect(await linesOf(v1(), shop('v2', ColorSpec))).toEqual([]);
    const versions = { 'spec.color': 'it is new', 'spec.size': 'it is small', 'spec.colour': 'nobody uses v2 yet' };
    expect(await linesOf(v1(), shop('v2', ColourSpec, { lossy: { versions } }))).toEqual([
      'notice lossy-versions ShopV2: objects of Shop lose data or become invalid between v1 and v2, which lossy accepts',
      '  v1 to v2: spec.color is lost, because v2 does not have it; accepted: it is new',
      '  v1 to v2: spec.size can be invalid, because maximum is 5 in v2 and 10 in v1; accepted: it is small',
      '  v2 to v1: spec.colour is lost, because v1 does not have it; accepted: nobody uses v2 yet',
    ]);
  });

  it('are an error for each field that the class does not name', async () => {
    const versions = { 'spec.color': 'it is new', 'spec.colour': 'nobody uses v2 yet' };
    const stored = { 'spec.size': 'no stored object is that large' };
    const lines = await linesOf(v1(), shop('v2', ColourSpec, { lossy: { versions, stored } }));
    expect(lines.filter((line) => !line.startsWith('notice') && !line.includes('; accepted: '))).toEqual([
      expect.stringMatching(
        /^error lossy-versions ShopV2: .*, or accept this with lossy: \{ versions: \{ 'spec\.size': '<reason>' \} \} in @CustomResource of ShopV2$/,
      ),
      '  v1 to v2: spec.size can be invalid, because maximum is 5 in v2 and 10 in v1',
    ]);
    expect(lines).toContain(
      '  v2 to v1: spec.colour is lost, because v1 does not have it; accepted: nobody uses v2 yet',
    );
  });

  it('are one error for all versions without a reason', async () => {
    const lines = await linesOf(
      v1(),
      shop('v2', ColourSpec),
      shop('v1beta1', SmallSpec),
      shop('v1alpha1', SmallSpec, { lossy: { versions: { 'spec.size': 'it is experimental' } } }),
    );
    expect(lines.filter((line) => line.startsWith('error'))).toEqual([
      expect.stringMatching(
        /^error lossy-versions ShopV2: .* in @CustomResource of ShopV2 and of ShopV1BETA1, or accept this with lossy: \{ .* \} in @CustomResource of ShopV2, and lossy: \{ versions: \{ 'spec.size': '<reason>' \} \} in @CustomResource of ShopV1BETA1$/,
      ),
    ]);
    expect(lines).toContain('  v1 to v1beta1: spec.size can be invalid, because maximum is 5 in v1beta1 and 10 in v1');
    expect(lines.filter((line) => line.startsWith('notice'))).toEqual([
      expect.stringMatching(/^notice lossy-versions ShopV1ALPHA1: /),
    ]);
    expect(lines).toContainEqual(
      expect.stringMatching(/^ {2}v1 to v1alpha1: spec.size .*; accepted: it is experimental$/),
    );
  });

  it('are rejected if they are neither served nor stored, and old objects lose data', async () => {
    expect(await linesOf(v1(), shop('v2', ColourSpec, { served: false }))).toEqual([
      expect.stringMatching(
        /^error lossy-versions ShopV2: .*, remove ShopV2 if no object is stored in v2 any more, or accept this with lossy: /,
      ),
      '  v2 to v1: spec.colour is lost, because v1 does not have it',
    ]);
    expect(await linesOf(v1(), shop('v2', ColorSpec, { served: false }))).toEqual([]);
  });

  it('lose data, but are not validated, in a storage version that is not served', async () => {
    const stored = shop('v1', SmallSpec, { storage: true, served: false });
    expect(await linesOf(stored, shop('v2', ColorSpec))).toEqual([]);
    expect((await linesOf(stored, shop('v2', ColourSpec))).slice(1)).toEqual([
      '  v1 to v2: spec.color is lost, because v2 does not have it',
      '  v2 to v1: spec.colour is lost, because v1 does not have it',
    ]);
    // Both are served, and the storage version does not lie between them.
    expect((await linesOf(stored, shop('v2', ColorSpec), shop('v3', SmallSpec))).slice(1)).toEqual(
      ['  v2 to v3: spec.size can be invalid, because maximum is 5 in v3 and 10 in v2'].map((line) =>
        expect.stringContaining(line.slice(2)),
      ),
    );
  });

  it('lose the status if only one of them has it', async () => {
    const withStatus = v1();
    Reflect.defineMetadata('design:type', ShopStatus, withStatus.prototype, 'status');
    Status()(withStatus.prototype, 'status');
    expect((await linesOf(withStatus, shop('v2', ColorSpec))).slice(1)).toEqual([
      '  v1 to v2: status is lost, because v2 does not have it',
    ]);
  });

  it('are reported only after all other errors of the kind, whose schemas would mislead', async () => {
    class BadSpec {
      @IsInt() @Max(10) size = 'x';
    }
    const lines = await linesOf(v1(), shop('v2', BadSpec));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join()).not.toContain('lossy-versions');
  });
});

describe('the option lossy', () => {
  it('must have a reason for each field', async () => {
    const invalid = ['nobody uses v2', true, [], { versions: 'x' }, { released: {} }];
    for (const lossy of invalid) {
      const options = { lossy } as unknown as Partial<CustomResourceOptions>;
      expect((await linesOf(v1(), shop('v2', ColorSpec, options)))[0]).toBe(
        `error invalid-option ShopV2: @CustomResource: lossy ${JSON.stringify(lossy)} must be an object with the reason of each field, as in lossy: { versions: { 'spec.color': '<reason>' } } for fields that differ between versions, or lossy: { stored: { 'spec.color': '<reason>' } } for objects that are stored under the released CRD; remove it, and the error lists the fields`,
      );
    }
  });

  it.each([
    [{ versions: { 'spec.color': '' } }, 'lossy.versions: the reason of spec.color is ""'],
    [{ versions: { 'spec.size': 'unused', 'spec.color': ' ' } }, 'lossy.versions: the reason of spec.color is " "'],
    [{ stored: { 'spec.color': true } }, 'lossy.stored: the reason of spec.color is true'],
  ])('names a field of %j whose reason is empty', async (lossy, problem) => {
    const options = { lossy } as unknown as Partial<CustomResourceOptions>;
    expect((await linesOf(v1(), shop('v2', ColorSpec, options)))[0]).toBe(
      `error invalid-option ShopV2: @CustomResource: ${problem}; write why its loss is acceptable, as a string that is not empty`,
    );
  });

  const lossy = { versions: { 'spec.colour': 'x', 'spec.constructor': 'x' } };
  it.each([
    ['this is the only version; remove it', () => [v1({ lossy })]],
    [
      'this is the storage version, with which the others are compared; move it to the other version, or remove it',
      () => [v1({ lossy }), shop('v2', ColorSpec)],
    ],
    [
      'objects lose nothing there between this version and the storage version; remove it',
      () => [v1(), shop('v2', ColorSpec, { lossy })],
    ],
    [
      'old objects lose nothing when they are read in another version; remove it',
      () => [v1(), shop('v2', ColorSpec, { lossy, served: false })],
    ],
  ])('is reported if it has no effect, because %s', async (why, types) => {
    expect(await linesOf(...types())).toEqual([
      expect.stringMatching(
        new RegExp(
          `^notice lossy-versions \\w+: @CustomResource: lossy\\.versions has no effect on spec\\.colour, spec\\.constructor, because ${why}$`,
        ),
      ),
    ]);
  });
});

describe('customResourceDefinitionOf() of several classes', () => {
  it('makes the CRD with all their versions', async () => {
    const { spec } = await customResourceDefinitionOf([v1(), shop('v2', ColorSpec)]);
    expect(spec.versions.map(({ name, storage }) => ({ name, storage }))).toEqual([
      { name: 'v2', storage: false },
      { name: 'v1', storage: true },
    ]);
  });

  it('throws the errors of generate', async () => {
    await expect(customResourceDefinitionOf([v1(), shop('v2', ColourSpec)])).rejects.toMatchObject({
      code: 'lossy-versions',
      message: expect.stringContaining('\n  v1 to v2: spec.color is lost, because v2 does not have it\n'),
    });
    await expect(customResourceDefinitionOf([shop('v1', ColorSpec), shop('v2', ColorSpec)])).rejects.toMatchObject({
      code: 'conflicting-versions',
      message: expect.stringContaining('none of ShopV2 (v2) and ShopV1 (v1) is the storage version of Shop'),
    });
  });

  it('rejects no class, and classes of several kinds', async () => {
    await expect(customResourceDefinitionOf([])).rejects.toMatchObject({
      code: 'missing-custom-resource',
      message: 'customResourceDefinitionOf([]): no class is given; pass the class of the kind',
    });
    const other = shop('v1', ColorSpec, { kind: 'Store' });
    await expect(customResourceDefinitionOf([v1(), other])).rejects.toMatchObject({
      code: 'conflicting-versions',
      message:
        'customResourceDefinitionOf([ShopV1, ShopV1]): the classes belong to 2 kinds (shops.example.com, stores.example.com); pass the classes of one kind, or use generateCustomResourceDefinitions()',
    });
  });
});
