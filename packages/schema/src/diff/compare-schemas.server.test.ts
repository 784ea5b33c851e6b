import { jsonEqual } from '@evenkeel/apimachinery/json';
import { SeededRandom } from '@evenkeel/core';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import { seed } from '../../../../test/seed.fixture.ts';
import { checkCustomResourceDefinition } from '../evaluate/apiextensions/check-crd.ts';
import { randomValue } from '../evaluate/custom-resource/random-objects.fixture.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { compareSchemas } from './compare-schemas.ts';
import { randomVersions } from './random-versions.fixture.ts';
import type { DifferenceEffect } from './schema-difference.ts';
import { versionsDefinition } from './versions-definition.fixture.ts';

/** The number of CRDs with two versions; objects of each are written in both. */
const count = Number(process.env['EVENKEEL_PAIRS'] ?? 12);
const objectsOfVersion = 8;

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const harmless: ReadonlySet<DifferenceEffect> = new Set(['new-objects', 'merged']);

describeWithRealServer('versions without conversion on the real API server', () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await startRealServer();
  });
  afterAll(() => server?.stop());

  /** Installs a CRD, and returns the paths of its two versions when they are served. */
  async function install(kind: string, specs: readonly StructuralSchema[], storage: string) {
    const body = versionsDefinition(kind, specs, storage);
    const { status, text } = await server.send('POST', definitions, { body });
    if (status !== 201) throw new Error(text);
    const { group, names } = body.spec;
    const paths = { v1: `/apis/${group}/v1/${names.plural}`, v2: `/apis/${group}/v2/${names.plural}` };
    for (const [version, path] of Object.entries(paths)) {
      await server.sendUntil(({ status }) => status === 200, 'GET', path);
      const probe = { apiVersion: `${group}/${version}`, kind, metadata: { name: 'probe' } };
      await server.sendUntil(({ status }) => status !== 404, 'POST', `${path}?dryRun=All`, { body: probe });
    }
    return paths;
  }

  /** Writes an object in one version, changes a label through the other, and reads it in the first again. */
  async function written(paths: Record<'v1' | 'v2', string>, kind: string, spec: object) {
    const object = { apiVersion: 'versions.example.com/v1', kind, metadata: { name: 'one' }, spec };
    const { status, text } = await server.send('POST', paths.v1, { body: object });
    if (status !== 201) throw new Error(text);
    const { body: read } = await server.send('GET', `${paths.v2}/one`);
    const body = { metadata: { labels: { touched: 'true' } } };
    const patched = await server.send('PATCH', `${paths.v2}/one`, {
      body,
      contentType: 'application/merge-patch+json',
    });
    const { body: after } = await server.send('GET', `${paths.v1}/one`);
    return { read: read.spec, patched: patched.status, after: after.spec };
  }

  const string: StructuralSchema = { type: 'string' };
  const integer: StructuralSchema = { type: 'integer' };

  it('lose a renamed field as soon as a label is written through the other version', async () => {
    const first: StructuralSchema = { type: 'object', properties: { color: string, size: integer } };
    const second: StructuralSchema = { type: 'object', properties: { colour: string, size: integer } };
    const paths = await install('Renamed', [first, second], 'v1');
    expect(await written(paths, 'Renamed', { color: 'red', size: 1 })).toEqual({
      read: { size: 1 },
      patched: 200,
      after: { size: 1 },
    });
    const body = {
      apiVersion: 'versions.example.com/v2',
      kind: 'Renamed',
      metadata: { name: 'two' },
      spec: { colour: 'red' },
    };
    const created = await server.send('POST', paths.v2, { body });
    expect([created.status, created.body.spec, created.headers['warning']]).toEqual([201, {}, undefined]);
    expect(compareSchemas(first, second)).toMatchObject([
      { path: 'color', effect: 'lost', direction: 'forward' },
      { path: 'colour', effect: 'lost', direction: 'backward' },
    ]);
  });

  it('give a missing field the default of the version through which the object is written', async () => {
    const first: StructuralSchema = { type: 'object', properties: { size: integer } };
    const second: StructuralSchema = { type: 'object', properties: { size: { ...integer, default: 5 } } };
    const paths = await install('Defaulted', [first, second], 'v1');
    expect(await written(paths, 'Defaulted', {})).toEqual({ read: {}, patched: 200, after: { size: 5 } });
    expect(compareSchemas(first, second)).toMatchObject([
      { path: 'size', effect: 'defaulted', direction: 'forward' },
      { path: 'size', effect: 'new-objects', direction: 'backward' },
    ]);
  });

  it(`keep every value of a version that differs in no harmful way: ${count} random pairs of seed ${seed}`, async () => {
    const random = new SeededRandom(seed);
    const seen = { pairs: 0, objects: 0 };
    while (seen.pairs < count) {
      const schemas = randomVersions(random);
      const kind = `Random${seen.pairs}`;
      const storage = random.integer(2) === 0 ? 'v1' : 'v2';
      if (jsonEqual(...schemas)) continue;
      if (checkCustomResourceDefinition(versionsDefinition(kind, schemas)).errors.length > 0) continue;
      const [first, second] = schemas.map((spec) => ({ type: 'object', properties: { spec } }));
      const differences = compareSchemas(first ?? {}, second ?? {}).filter(({ effect }) => !harmless.has(effect));
      const isSafe = (direction: string) => !differences.some((one) => one.direction === direction);
      if (!isSafe('forward') && !isSafe('backward')) continue;
      seen.pairs++;
      const paths = await install(kind, schemas, storage);
      for (const [from, to, direction, schema] of [
        ['v1', 'v2', 'forward', schemas[0]],
        ['v2', 'v1', 'backward', schemas[1]],
      ] as const) {
        if (!isSafe(direction)) continue;
        for (let n = 0; n < objectsOfVersion; n++) {
          const spec = randomValue(schema, random, 0.03);
          const problem = await problemOf(spec, { kind, name: `${from}-${n}`, from, to }, paths);
          if (problem === 'rejected') continue;
          seen.objects++;
          expect({ seed, kind, storage, schemas, direction, spec, problem }).toEqual({
            ...{ seed, kind, storage, schemas, direction, spec },
            problem: undefined,
          });
        }
      }
    }
    expect(seen.objects).toBeGreaterThan(count);
  });

  interface Trial {
    readonly kind: string;
    readonly name: string;
    readonly from: 'v1' | 'v2';
    readonly to: 'v1' | 'v2';
  }

  /** Writes an object in one version, creates a copy of it in the other, writes it back there, and compares. */
  async function problemOf(spec: unknown, { kind, name, from, to }: Trial, paths: Record<'v1' | 'v2', string>) {
    const object = { apiVersion: `versions.example.com/${from}`, kind, metadata: { name }, spec };
    const { status, body: given } = await server.send('POST', paths[from], { body: object });
    if (status !== 201) return 'rejected';
    // Some defaults do not survive the next write in their own version.
    const { body: again } = await server.send('PUT', `${paths[from]}/${name}`, { body: given });
    if (!jsonEqual(again.spec, given.spec)) return 'rejected';
    const { body: read } = await server.send('GET', `${paths[to]}/${name}`);
    // Errors in unchanged values are ignored on update, but not on creation.
    const copy = { ...read, metadata: { name: `${name}-copy` } };
    const created = await server.send('POST', `${paths[to]}?dryRun=All`, { body: copy });
    if (created.status !== 201) return `invalid: ${created.text}`;
    const put = await server.send('PUT', `${paths[to]}/${name}`, { body: read });
    if (put.status !== 200) return `not written: ${put.text}`;
    const { body: after } = await server.send('GET', `${paths[from]}/${name}`);
    return jsonEqual(after.spec, given.spec)
      ? undefined
      : `${JSON.stringify(given.spec)} is ${JSON.stringify(after.spec)}`;
  }
});
