import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '@evenkeel/core';
import { describeWithRealServer } from '../../../../../test/real-server.fixture.ts';
import { seed } from '../../../../../test/seed.fixture.ts';
import {
  type ComparedAnswer,
  type ComparedServer,
  embeddedServer,
  normalise,
  realServer,
} from '../../comparison.fixture.ts';
import { invalidPolicies } from './invalid-policies.fixture.ts';
import {
  definition,
  existingObjects,
  limits,
  type PolicyCase,
  policyCases,
  type TestedPolicy,
} from './policy-cases.fixture.ts';
import { RandomExpressions, randomVariables } from './random-expressions.fixture.ts';
import { authorObjects, refusedAuthors } from './refused-authors.fixture.ts';

const registration = '/apis/admissionregistration.k8s.io/v1';
const namespaced = '/api/v1/namespaces/default';
const kinds = ['validating', 'mutating'] as const;
type Kind = (typeof kinds)[number];

const matchConstraints = {
  resourceRules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
};

/** For policies that no request of a case matches. */
const unmatched = {
  resourceRules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['nothing'] }],
};

/**
 * Plays a case on one server. The next case waits until the policies of this one are gone: the real server looks for
 * changes once a second, and then sees all at once.
 */
async function play(server: ComparedServer, one: PolicyCase, probe: string): Promise<unknown> {
  const played: unknown[] = [];
  try {
    for (const kind of kinds) await configure(server, kind, one[kind] ?? unused[kind], probe);
    for (const kind of kinds) await until(server, kind, probe);
    for (const [method, path, body, options] of one.requests) {
      const answer = await withSchema(() =>
        server.send(method, path, { ...(body !== undefined && { body }), ...options }),
      );
      const { status, body: answered, warnings } = answer;
      played.push(normalise({ request: [method, path], status, body: answered, warnings }));
    }
  } finally {
    for (const plural of ['policybindings', 'policies'].flatMap((end) =>
      kinds.map((kind) => `${kind}admission${end}`),
    )) {
      await server.send('DELETE', `${registration}/${plural}`);
    }
  }
  return played;
}

/** The real server needs a moment until it knows the schema of a new custom kind. */
async function withSchema(send: () => Promise<ComparedAnswer>): Promise<ComparedAnswer> {
  for (let tries = 0; ; tries++) {
    const answer = await send();
    if (answer.status !== 503 || tries === 500) return answer;
    await delay(20);
  }
}

async function configure(server: ComparedServer, kind: Kind, policy: TestedPolicy, probe: string): Promise<void> {
  const actions = kind === 'validating' ? { validationActions: ['Deny'] } : {};
  const bodies = [
    [`${kind}admissionpolicies`, { metadata: { name: 'tested' }, spec: { matchConstraints, ...policy.spec } }],
    [
      `${kind}admissionpolicybindings`,
      { metadata: { name: 'bound' }, spec: { policyName: 'tested', ...actions, ...policy.binding } },
    ],
    // In effect together with the one above.
    [`${kind}admissionpolicies`, { metadata: { name: 'probe' }, spec: probeOf(kind, probe) }],
    [`${kind}admissionpolicybindings`, { metadata: { name: 'probe' }, spec: { policyName: 'probe', ...actions } }],
  ] as const;
  for (const [plural, body] of bodies) {
    const { status, body: answer } = await server.send('POST', `${registration}/${plural}`, { body });
    expect({ status, message: (answer as { message?: string }).message }).toEqual({ status: 201, message: undefined });
  }
}

/** For the kind that a case does not test. */
const unused: Readonly<Record<Kind, TestedPolicy>> = {
  validating: { spec: { matchConstraints: unmatched, validations: [{ expression: 'true' }] } },
  mutating: {
    spec: {
      matchConstraints: unmatched,
      reinvocationPolicy: 'Never',
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }],
    },
  },
};

function probeOf(kind: Kind, probe: string): object {
  const common = {
    matchConstraints: {
      resourceRules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }],
      objectSelector: { matchLabels: { [`probe-${kind}`]: probe } },
    },
  };
  if (kind === 'validating') return { ...common, validations: [{ expression: 'false', message: 'probed' }] };
  const expression = '[JSONPatch{op: object.probed}]';
  return {
    ...common,
    reinvocationPolicy: 'Never',
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
  };
}

async function until(server: ComparedServer, kind: Kind, probe: string): Promise<void> {
  const body = { metadata: { name: 'probe', labels: { [`probe-${kind}`]: probe } } };
  for (let tries = 0; ; tries++) {
    if (tries === 500) throw new Error(`the server has not seen the ${kind} policies`);
    const { status } = await server.send('POST', `${namespaced}/secrets?dryRun=All`, { body });
    if (status >= 400) return;
    await delay(20);
  }
}

describeWithRealServer('admission policies, on the real server and on the embedded one', () => {
  let servers: readonly ComparedServer[] = [];
  beforeAll(async () => {
    servers = await Promise.all([realServer(), embeddedServer()]);
    for (const server of servers) {
      await server.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition });
      while ((await server.send('GET', limits)).status !== 200) await delay(20);
      for (const [path, body] of authorObjects) expect((await server.send('POST', path, { body })).status).toBe(201);
      for (const [path, body] of existingObjects) expect((await server.send('POST', path, { body })).status).toBe(201);
    }
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
  });

  it.each(policyCases.map((one, index) => [index, one.title, one] as const))('case %d: %s', async (index, _, one) => {
    const [real, embedded] = await Promise.all(servers.map((server) => play(server, one, `p${index}`)));
    expect(embedded).toEqual(real);
  });

  it.each(refusedAuthors.map((one) => [one.title, one] as const))(
    'rejects an author who must not read %s',
    async (_, { plural, spec }) => {
      const answers = await Promise.all(
        servers.map(async (server) => {
          const { status, body } = await server.send('POST', `${registration}/${plural}?dryRun=All`, {
            body: { metadata: { name: 'x' }, spec },
            headers: { 'impersonate-user': 'ann', 'impersonate-uid': 'u1', 'impersonate-group': 'team' },
          });
          return { status, body: normalise(body) };
        }),
      );
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[0]?.status).toBe(422);
    },
  );

  it('stores updates and the status of policies alike', async () => {
    const path = `${registration}/validatingadmissionpolicies/written`;
    const spec = { matchConstraints: unmatched, validations: [{ expression: 'true' }] };
    const merge = 'application/merge-patch+json';
    const patched = (body: object, part = ''): readonly [string, string, object] => ['PATCH', `${path}${part}`, body];
    const writes = [
      [
        'POST',
        path.replace('/written', ''),
        { metadata: { name: 'written' }, spec, status: { observedGeneration: 9 } },
      ],
      ['PUT', path, { metadata: { name: 'written' }, spec }],
      patched({ spec: { failurePolicy: 'Ignore' } }),
      patched({ spec: { matchConditions: [{ name: 'a', expression: 'object.' }] } }),
      patched({ spec: { validations: [{ expression: '1' }] } }),
      patched({ metadata: { labels: { a: 'b' } }, status: { observedGeneration: 7 } }),
      patched(
        { metadata: { labels: { a: 'c' } }, spec: { failurePolicy: 'Fail' }, status: { observedGeneration: 5 } },
        '/status',
      ),
      patched({ status: { typeChecking: { expressionWarnings: [{ fieldRef: ' ', warning: '' }] } } }, '/status'),
      patched(
        { status: { typeChecking: { expressionWarnings: [{ fieldRef: 'spec.validations[0]', warning: 'w' }] } } },
        '/status',
      ),
      ['GET', path, undefined],
      ['DELETE', path, undefined],
    ] as const;
    for (const [method, at, body] of writes) {
      const answers = await Promise.all(
        servers.map(async (server) => {
          const options = { ...(body !== undefined && { body }), ...(method === 'PATCH' && { contentType: merge }) };
          const answer = await server.send(method, at, options);
          return { method, at, status: answer.status, body: normalise(answer.body) };
        }),
      );
      expect(answers[1]).toEqual(answers[0]);
    }
  });

  it(`case random: evaluates random expressions (seed ${seed})`, async () => {
    const random = new RandomExpressions(new SeededRandom(seed));
    const written = Array.from({ length: 400 }, () => random.text());
    const spec = (expressions: readonly string[]): object => ({
      variables: randomVariables,
      validations: expressions.flatMap((expression) => [
        { expression: 'false', messageExpression: expression, message: 'fallback' },
        // Shows the message of a failure.
        { expression: `${expression} == 'unlikely'`, messageExpression: "'unequal'" },
      ]),
    });
    const refusals = await Promise.all(
      servers.map(async (server) => {
        const { status, body } = await server.send('POST', `${registration}/validatingadmissionpolicies?dryRun=All`, {
          body: { metadata: { name: 'random' }, spec: { matchConstraints, ...spec(written) } },
        });
        return { status, body: normalise(body) };
      }),
    );
    expect(refusals[1]).toEqual(refusals[0]);
    const refusal = refusals[0]?.body as { details?: { causes?: { field: string }[] } } | undefined;
    const refused = new Set(
      (refusal?.details?.causes ?? []).map(({ field }) => Number(/\[(\d+)\]/.exec(field)?.[1]) >> 1),
    );
    const accepted = written.filter((_, index) => !refused.has(index));
    expect(accepted.length).toBeGreaterThan(150);
    // The headers of a response with more warnings would be too long for a client.
    for (let start = 0; start < accepted.length; start += 40) {
      const one: PolicyCase = {
        title: 'random',
        validating: {
          spec: spec(accepted.slice(start, start + 40)),
          binding: { validationActions: ['Warn'] },
        },
        requests: [
          [
            'POST',
            `${namespaced}/configmaps?dryRun=All`,
            { metadata: { name: 'random', labels: { team: 'x', n: '5' } }, data: { a: 'b' } },
          ],
        ],
      };
      const played = await Promise.all(servers.map((server) => play(server, one, `random-${start}`)));
      expect(played[1]).toEqual(played[0]);
    }
  }, 60_000);

  it.each(invalidPolicies.map((one) => [one.title, one] as const))('%s', async (_, { plural, name, spec, valid }) => {
    const answers = await Promise.all(
      servers.map(async (server) => {
        const { status, body, warnings } = await server.send('POST', `${registration}/${plural}?dryRun=All`, {
          body: { metadata: { name: name ?? 'x' }, spec },
        });
        return { status, body: normalise(body), warnings };
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[0]?.status).toBe(valid === true ? 201 : 422);
  });
});
