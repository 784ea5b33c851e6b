import { SeededRandom } from '@evenkeel/core';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import { seed } from '../../../../test/seed.fixture.ts';
import { compileSchema } from '../evaluate/custom-resource/compiled-schema.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { type ConstraintCase, gradesOf, type PreparedCase, prepare, verdictsOn } from './constraint-case.fixture.ts';
import { constraintCases } from './constraint-cases.fixture.ts';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const samplesPath = '/apis/sample.example.com/v1/samples';
const tries = 60;

describeWithRealServer('constraint rules on the real API server', () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await startRealServer();
  });
  afterAll(() => server.stop());

  it('give schemas that the server accepts and enforces as the validator and the in-process evaluation do', async () => {
    const properties: Record<string, StructuralSchema> = {};
    const prepared = new Map<ConstraintCase, PreparedCase>();
    const cases = constraintCases.map((tried, index) => ({ tried, name: `p${index}` }));
    for (const { tried, name } of cases) {
      const one = await prepare(tried);
      prepared.set(tried, one);
      properties[name] = one.property;
    }
    const created = await server.send('POST', definitionsPath, { body: definitionWith(properties) });
    expect([created.status, created.body.message, created.headers['warning']]).toEqual([201, undefined, undefined]);
    await server.sendUntil(({ status }) => status === 200, 'GET', samplesPath);

    const schema = compileSchema({ type: 'object', properties });
    const random = new SeededRandom(seed);
    // The server evaluates CEL rules only for objects without other errors, so values that violate rules are sent alone.
    const alone = cases.filter(({ name }) => JSON.stringify(properties[name]).includes('x-kubernetes-validations'));
    const groups = [cases.filter((one) => !alone.includes(one)), ...alone.map((one) => [one])];
    const counts = { accepted: 0, refused: 0 };
    for (const group of groups) {
      for (let at = 0; at < tries; at++) {
        const spec = Object.fromEntries(group.map(({ tried, name }) => [name, tried.values(random)]));
        const response = await server.send('POST', `${samplesPath}?dryRun=All`, { body: sample(spec) });
        schema.default(spec);
        const refused = new Set(
          schema.validate(spec).map(({ field, detail }) => rootOf(field === '<nil>' ? unattributed(detail) : field)),
        );
        const causes: readonly { readonly field?: string; readonly message: string }[] =
          response.body.details?.causes ?? [];
        const byServer = new Set(
          causes.map(({ field = '', message }) =>
            rootOf((field.startsWith('spec.') ? field : unattributed(message)).replace(/^spec\./, '')),
          ),
        );
        for (const { tried, name } of group) {
          counts[refused.has(name) ? 'refused' : 'accepted']++;
          const accepted = !byServer.has(name);
          const isAsEvaluated = accepted !== refused.has(name);
          if (isAsEvaluated && accepted === (validatorOn(tried, spec[name], prepared) ?? accepted)) continue;
          throw new Error(
            `${tried.written}, seed ${seed}: the server ${accepted ? 'accepts' : 'rejects'} ` +
              `${JSON.stringify(spec[name])}, ${isAsEvaluated ? 'the validator' : 'evaluation'} does not: ${response.text}`.slice(
                0,
                2000,
              ),
          );
        }
      }
    }
    expect(counts.accepted).toBeGreaterThan(groups.length * tries);
    expect(counts.refused).toBeGreaterThan(groups.length * tries);
  });
});

/** The validator's result for a sent value if the schema is exact; `required` checks missing values. */
function validatorOn(
  tried: ConstraintCase,
  value: unknown,
  prepared: ReadonlyMap<ConstraintCase, PreparedCase>,
): boolean | undefined {
  const one = prepared.get(tried);
  if (one === undefined || value === undefined || value === null || !gradesOf(tried).includes('exact'))
    return undefined;
  return verdictsOn(value, one, tried.made).byValidator;
}

/** Errors of a branch or of a number's range have no field: `"spec.a" must not validate the schema`. */
function unattributed(message: string): string {
  return (
    /"(\S+)" must | in (\S+)$/
      .exec(message)
      ?.slice(1)
      .find((name) => name !== undefined) ?? ''
  );
}

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
