import { isDeepStrictEqual } from 'node:util';
import { statusCauseOf } from '@evenkeel/apimachinery/field-error';
import { copyJson } from '@evenkeel/apimachinery/json';
import { SeededRandom, type StatusCause } from '@evenkeel/core';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../../test/real-server.fixture.ts';
import { seed } from '../../../../../test/seed.fixture.ts';
import { checkCustomResourceDefinition } from '../apiextensions/check-crd.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import { compileSchema } from './compiled-schema.ts';
import { changedValue, randomSchema, randomValue } from './random-objects.fixture.ts';

/** The number of objects for each schema; each is created and replaced. */
const count = Number(process.env['EVENKEEL_OBJECTS'] ?? 15);
const schemaCount = 10;

const group = 'random.example.com';
const anything: StructuralSchema = { 'x-kubernetes-preserve-unknown-fields': true };

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

describeWithRealServer('random objects of random schemas', () => {
  let server: RealServer;

  beforeAll(async () => {
    server = await startRealServer();
  });

  afterAll(() => server?.stop());

  const random = new SeededRandom(seed);
  const schemas = Array.from({ length: schemaCount }, () => goodSchema(random));

  it.each(schemas.map((spec, i) => ({ i, spec })))(
    `are created and replaced as by a real API server: schema $i of seed ${seed}`,
    async ({ i, spec }) => {
      const objects = Array.from({ length: count }, () => ({
        old: randomValue(spec, random),
        value: randomValue(spec, random),
      }));
      const path = `/apis/${group}/v1/kind${i}s`;
      await server.send('POST', definitions, { body: definition(i, anything) });
      await server.sendUntil(({ status }) => status === 200, 'GET', path);
      // The stored object may violate the schema that is applied later.
      for (const [n, { old }] of objects.entries()) {
        const created = await server.sendUntil(({ status }) => status !== 404, 'POST', path, {
          body: object(i, n, old),
        });
        if (created.status !== 201) throw new Error(created.text);
      }
      const { body: loose } = await server.send('GET', `${definitions}/kind${i}s.${group}`);
      await server.send('PUT', `${definitions}/kind${i}s.${group}`, {
        body: { ...definition(i, spec), metadata: loose.metadata },
      });
      const probe = { ...object(i, 'probe', {}), probe: true };
      await server.sendUntil(({ body }) => body.probe === undefined, 'POST', `${path}?dryRun=All`, { body: probe });

      const schema = compileSchema(rootOf(spec));
      const judged = (value: unknown, old?: unknown): object => {
        const own = copyJson(value);
        schema.prune(own);
        schema.default(own);
        const errors = schema.validate(own, old === undefined ? {} : { old });
        if (errors.length === 0) return { spec: (own as { spec?: unknown }).spec };
        // The server rejects such objects before validation.
        const undecoded = errors.find(({ detail }) => detail.startsWith('json: cannot unmarshal'));
        return undecoded === undefined ? { errors: errors.map(statusCauseOf).map(textOf).sort() } : { undecoded: true };
      };
      for (const [n, { old, value }] of objects.entries()) {
        const judgedNew = judged(object(i, `new-${n}`, value));
        const created = await verdictLike(judgedNew, () =>
          server.send('POST', `${path}?dryRun=All`, { body: object(i, `new-${n}`, value) }),
        );
        expect({ seed, i, spec, value, ...judgedNew }).toEqual({ seed, i, spec, value, ...created });
        const stored = copyJson(object(i, n, old));
        schema.prune(stored);
        schema.default(stored);
        for (const next of [old, changedValue(old, spec, random)]) {
          const body = object(i, n, next);
          const { body: current } = await server.send('GET', `${path}/kind${i}-${n}`);
          const metadata = { ...body.metadata, resourceVersion: current.metadata.resourceVersion };
          const judgedNext = judged(body, stored);
          const replaced = await verdictLike(judgedNext, () =>
            server.send('PUT', `${path}/kind${i}-${n}?dryRun=All`, { body: { ...body, metadata } }),
          );
          expect({ seed, i, spec, old, next, ...judgedNext }).toEqual({ seed, i, spec, old, next, ...replaced });
        }
      }
    },
  );
});

/** A schema that the server accepts. */
function goodSchema(random: SeededRandom): StructuralSchema {
  for (;;) {
    const spec = randomSchema(random);
    if (checkCustomResourceDefinition(definition(0, spec)).errors.length === 0) return spec;
  }
}

function rootOf(spec: StructuralSchema): StructuralSchema {
  return { type: 'object', properties: { spec } };
}

function definition(i: number, spec: StructuralSchema) {
  const isLoose = spec === anything;
  const openAPIV3Schema = isLoose ? { ...rootOf(spec), 'x-kubernetes-preserve-unknown-fields': true } : rootOf(spec);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `kind${i}s.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural: `kind${i}s`, kind: `Kind${i}` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

function object(i: number, n: number | string, spec: unknown) {
  return { apiVersion: `${group}/v1`, kind: `Kind${i}`, metadata: { name: `kind${i}-${n}` }, spec };
}

/** Go iterates over maps in random order, so the request is repeated if the result differs. */
async function verdictLike(wanted: object, ask: () => Promise<Parameters<typeof verdictIn>[0]>): Promise<object> {
  for (let attempt = 1; ; attempt++) {
    const verdict = verdictIn(await ask());
    if (attempt === 20 || isDeepStrictEqual(verdict, wanted)) return verdict;
  }
}

function verdictIn({
  status,
  body,
}: {
  status: number;
  body: { spec?: unknown; message?: string; details?: { causes?: StatusCause[] } };
}): object {
  if (status === 200 || status === 201) return { spec: body.spec };
  if (status === 400 && body.message?.includes('json: cannot unmarshal') === true) return { undecoded: true };
  if (status !== 422) return { status, message: body.message };
  return { errors: (body.details?.causes ?? []).map(textOf).sort() };
}

function textOf({ field, reason, message }: StatusCause | ReturnType<typeof statusCauseOf>): string {
  return `${field} | ${reason} | ${message}`;
}
