import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { copyJson } from '@evenkeel/apimachinery/json';
import { SeededRandom } from '@evenkeel/core';
import { parse } from 'yaml';
import { seed } from '../../../../test/seed.fixture.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { compareSchemas } from './compare-schemas.ts';
import { type ComparedVersion, compareVersions } from './compare-versions.ts';

function versionOf(
  status: boolean,
  replicas: StructuralSchema = {},
  scale?: ComparedVersion['scale'],
): ComparedVersion {
  const properties = { spec: { type: 'object', properties: { replicas } }, status: { type: 'object' } };
  return { schema: { type: 'object', properties }, hasStatus: status, scale };
}

describe('compareVersions', () => {
  it('reports a status subresource that only one version has', () => {
    expect(compareVersions(versionOf(true), versionOf(false))).toMatchObject([
      { direction: 'forward', path: 'status', effect: 'overwritten', keyword: 'subresources.status' },
    ]);
  });

  it('reports replicas that a scale subresource can reject', () => {
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.spec.replicas' };
    const small = { type: 'integer', minimum: 0, format: 'int32' };
    expect(compareVersions(versionOf(true, small), versionOf(true, small, scale))).toEqual([]);
    const any = { type: 'integer' };
    expect(compareVersions(versionOf(true, any, scale), versionOf(true, any, scale))).toEqual([]);
    expect(compareVersions(versionOf(true, any), versionOf(true, any, scale))).toMatchObject([
      { direction: 'forward', path: 'spec.replicas', effect: 'undecided', keyword: 'subresources.scale' },
      { direction: 'forward', path: 'spec.replicas', effect: 'undecided', keyword: 'subresources.scale' },
    ]);
  });
});

const folder = fileURLToPath(new URL('../../../../../shared/crds/', import.meta.url));
const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.yaml')) : [];

if (files.length === 0) {
  process.stdout.write('skipped: the versions of public projects: not found next to this checkout\n');
}

interface PublicDefinition {
  readonly spec: {
    readonly versions: readonly {
      readonly name: string;
      readonly schema: { readonly openAPIV3Schema: StructuralSchema };
      readonly subresources?: { readonly status?: object; readonly scale?: ComparedVersion['scale'] };
    }[];
  };
}

/** The versions of the CRDs of public projects, in pairs. */
const pairs = files.flatMap((file) => {
  const { spec } = parse(readFileSync(`${folder}${file}`, 'utf8')) as PublicDefinition;
  const versions = spec.versions.map(({ name, schema, subresources }) => ({
    name,
    schema: schema.openAPIV3Schema,
    hasStatus: subresources?.status !== undefined,
    scale: subresources?.scale,
  }));
  return versions.flatMap((second, i) => versions.slice(0, i).map((first) => ({ file, first, second })));
});

(files.length > 0 ? describe : describe.skip)('compareVersions of the CRDs of public projects', () => {
  it('finds no difference between versions that these projects serve without conversion', () => {
    const found = pairs.map(
      ({ file, first, second }) =>
        `${file} ${first.name} ${second.name}: ${compareVersions(first, second).map(
          ({ direction, path, keyword, effect }) => `${direction} ${path} ${keyword} ${effect}`,
        )}`,
    );
    expect(found).toMatchInlineSnapshot(`
[
  "gateway.networking.k8s.io_gateways.yaml v1 v1beta1: ",
  "gateway.networking.k8s.io_httproutes.yaml v1 v1beta1: ",
  "networking.istio.io_virtualservices.yaml v1 v1alpha3: ",
  "networking.istio.io_virtualservices.yaml v1 v1beta1: ",
  "networking.istio.io_virtualservices.yaml v1alpha3 v1beta1: ",
]
`);
  });

  it.each(files.length > 0 ? files : ['none'])('finds one removed field, and nothing else: %s', (file) => {
    const { spec } = parse(readFileSync(`${folder}${file}`, 'utf8')) as PublicDefinition;
    const random = new SeededRandom(seed);
    for (let n = 0; n < 20; n++) {
      const first = spec.versions[0]?.schema.openAPIV3Schema ?? {};
      const second = copyJson(first);
      const removed = removeField(second, '', random);
      if (removed === undefined) continue;
      const found = compareSchemas(first, second).filter(({ direction }) => direction === 'forward');
      expect({ seed, found: found.map(({ path, effect }) => ({ path, effect })) }).toEqual({
        seed,
        found: [{ path: removed, effect: 'lost' }],
      });
    }
  });
});

/** Removes a field at a random place below the schema, and returns its path. */
function removeField(schema: StructuralSchema, path: string, random: SeededRandom): string | undefined {
  if (schema.items !== undefined) return removeField(schema.items, `${path}[*]`, random);
  if (typeof schema.additionalProperties === 'object')
    return removeField(schema.additionalProperties, `${path}.*`, random);
  const metadata = path === '' ? ['apiVersion', 'kind', 'metadata'] : [];
  const names = Object.keys(schema.properties ?? {}).filter((name) => !metadata.includes(name));
  const name = names[random.integer(names.length)];
  const field = name === undefined ? undefined : schema.properties?.[name];
  if (name === undefined || field === undefined) return undefined;
  const below = path === '' ? name : `${path}.${name}`;
  const deeper = random.integer(4) > 0 ? removeField(field, below, random) : undefined;
  if (deeper !== undefined || schema['x-kubernetes-preserve-unknown-fields'] === true) return deeper;
  delete schema.properties?.[name];
  schema.required = (schema.required ?? []).filter((other) => other !== name);
  return below;
}
