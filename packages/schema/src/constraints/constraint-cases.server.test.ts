import { SeededRandom } from '@evenkeel/core';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import { compileSchema } from '../evaluate/compiled-schema.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { forget, prepare } from './constraint-case.fixture.ts';
import { constraintCases } from './constraint-cases.fixture.ts';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const samplesPath = '/apis/sample.example.com/v1/samples';
const seed = Number(process.env['CONSTRAINT_SEED'] ?? Date.now() % 1_000_000);
const tries = 60;

describeWithRealServer('constraints on the real API server', () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await startRealServer();
  }, 60_000);
  afterAll(() => server.stop(), 30_000);

  it('are accepted, and refuse the values that evaluation in process refuses', async () => {
    const properties: Record<string, StructuralSchema> = {};
    const cases = constraintCases.map((tried, index) => ({ tried, name: `p${index}` }));
    for (const { tried, name } of cases) {
      const prepared = await prepare(tried);
      properties[name] = prepared.property;
      forget(prepared);
    }
    const created = await server.send('POST', definitionsPath, { body: definitionWith(properties) });
    expect([created.status, created.body.message, created.headers['warning']]).toEqual([201, undefined, undefined]);
    await server.sendUntil(({ status }) => status === 200, 'GET', samplesPath);

    const schema = compileSchema({ type: 'object', properties });
    const random = new SeededRandom(seed);
    // The server looks at no rule in CEL of an object that has other errors, so those go alone.
    const alone = cases.filter(({ name }) => properties[name]?.['x-kubernetes-validations'] !== undefined);
    const groups = [cases.filter((one) => !alone.includes(one)), ...alone.map((one) => [one])];
    const counts = { accepted: 0, refused: 0 };
    for (const group of groups) {
      for (let at = 0; at < tries; at++) {
        const spec = Object.fromEntries(group.map(({ tried, name }) => [name, tried.values(random)]));
        const answer = await server.send('POST', `${samplesPath}?dryRun=All`, { body: sample(spec) });
        schema.default(spec);
        const refused = new Set(schema.validate(spec).map(({ field }) => rootOf(field)));
        const causes: readonly { readonly field: string }[] = answer.body.details?.causes ?? [];
        const byServer = new Set(causes.map(({ field }) => rootOf(field.replace(/^spec\./, ''))));
        for (const { tried, name } of group) {
          counts[refused.has(name) ? 'refused' : 'accepted']++;
          if (refused.has(name) === byServer.has(name)) continue;
          throw new Error(
            `${tried.written}, seed ${seed}: the server ${byServer.has(name) ? 'refuses' : 'accepts'} ` +
              `${JSON.stringify(spec[name])}, evaluation does not: ${answer.text}`.slice(0, 2000),
          );
        }
      }
    }
    expect(counts.accepted).toBeGreaterThan(groups.length * tries);
    expect(counts.refused).toBeGreaterThan(groups.length * tries);
  }, 60_000);
});

function rootOf(field: string): string {
  return field.replace(/[.[].*/, '');
}

function sample(spec: Record<string, unknown>): unknown {
  return { apiVersion: 'sample.example.com/v1', kind: 'Sample', metadata: { name: 'sample' }, spec };
}

function definitionWith(properties: Record<string, StructuralSchema>): unknown {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'samples.sample.example.com' },
    spec: {
      group: 'sample.example.com',
      scope: 'Cluster',
      names: { plural: 'samples', singular: 'sample', kind: 'Sample' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
          },
        },
      ],
    },
  };
}
