import { describeWithRealServer, type RealServer, startRealServer } from '../../../../../test/real-server.fixture.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import { conformance } from './conformance/index.fixture.ts';
import { type ConformanceRow, subject, subjectSchema } from './conformance/subject.fixture.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const objects = '/apis/cel.example.com/v1/namespaces/default/subjects';

/** Rows with oldSelf do not run when an object is created. */
const rows = Object.values(conformance)
  .flat()
  .filter(([expression]) => !expression.includes('oldSelf'));

/** Limits that keep the API server's estimates small. The subject is within them, so they change no result. */
function bounded(schema: StructuralSchema): StructuralSchema {
  const { properties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...((schema.type === 'string' && schema.format === undefined) || schema['x-kubernetes-int-or-string'] === true
      ? { maxLength: 20 }
      : {}),
    ...(properties === undefined ? {} : { properties: mapValues(properties, bounded) }),
    ...(items === undefined ? {} : { maxItems: 5, items: bounded(items) }),
    ...(typeof additionalProperties === 'object'
      ? { maxProperties: 5, additionalProperties: bounded(additionalProperties) }
      : {}),
  };
}

function mapValues<T>(record: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

/** A CRD with one rule per expression on `spec`; each rule's message is its index. */
function definition(expressions: readonly string[]) {
  const spec = {
    ...bounded(subjectSchema),
    'x-kubernetes-validations': expressions.map((rule, i) => ({ rule, message: `<${i}>` })),
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'subjects.cel.example.com' },
    spec: {
      group: 'cel.example.com',
      names: { plural: 'subjects', kind: 'Subject' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  };
}

interface Cause {
  readonly message: string;
  readonly field: string;
}

function causesOf(body: { readonly [key: string]: unknown }): readonly Cause[] {
  return (body as { details?: { causes?: readonly Cause[] } }).details?.causes ?? [];
}

/** The server's result for an accepted rule, as a row. */
function outcomeOf(expression: string, index: number, causes: readonly Cause[]): ConformanceRow {
  const cause = causes.find(({ message }) => message.endsWith(`<${index}>`));
  if (cause === undefined) return [expression, true];
  const detail = cause.message.replace(/^Invalid value: (?:"object": )?/, '').slice(0, -`<${index}>`.length);
  if (detail === '') return [expression, false];
  const overload = /^'(.*)': call arguments did not match a supported operator, function or macro signature/.exec(
    detail,
  );
  return [expression, overload?.[1] ?? detail.replace(/ evaluating rule: $/, '')];
}

describeWithRealServer('CEL compared with the real API server', () => {
  let server: RealServer;
  const isRefused = ([, outcome]: ConformanceRow) => typeof outcome === 'object';

  beforeAll(async () => {
    server = await startRealServer();
  });

  afterAll(() => server?.stop());

  it('rejects the same expressions for the same reasons', async () => {
    const refused = rows.filter(isRefused);
    const { status, body } = await server.send('POST', `${crds}?dryRun=All`, {
      body: definition(refused.map(([rule]) => rule)),
    });
    expect(status).toBe(422);
    const said = new Map<number, string>();
    for (const { field, message } of causesOf(body)) {
      const index = Number(/x-kubernetes-validations\[(\d+)\]\.rule$/.exec(field)?.[1] ?? -1);
      said.set(index, message.replaceAll(/selfType\d+/g, 'selfType'));
    }
    const differing = refused.filter(
      ([, outcome], i) => typeof outcome !== 'object' || said.get(i)?.endsWith(outcome.refused) !== true,
    );
    expect(differing.map((row) => [...row, said.get(refused.indexOf(row))])).toEqual([]);
  });

  it('returns the same results and errors for all others', async () => {
    const candidates = rows.filter((row) => !isRefused(row));
    const tried = await server.send('POST', `${crds}?dryRun=All`, {
      body: definition(candidates.map(([rule]) => rule)),
    });
    const expensive = new Set(causesOf(tried.body).map(({ field }) => Number(/\[(\d+)\]\.rule$/.exec(field)?.[1])));
    const accepted = candidates.filter((_, i) => !expensive.has(i));
    expect(accepted.length).toBeGreaterThan(candidates.length - 20);
    const created = await server.send('POST', crds, { body: definition(accepted.map(([rule]) => rule)) });
    expect(causesOf(created.body)).toEqual([]);
    const object = { apiVersion: 'cel.example.com/v1', kind: 'Subject', metadata: { name: 'a' }, spec: subject };
    const response = await server.sendUntil(({ status }) => status !== 404, 'POST', `${objects}?dryRun=All`, {
      body: object,
    });
    const causes = causesOf(response.body);
    expect(accepted.map(([rule], i) => outcomeOf(rule, i, causes))).toEqual(
      accepted.map(([rule, outcome]) => [rule, outcome]),
    );
  });
});
