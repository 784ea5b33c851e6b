import { setTimeout as delay } from 'node:timers/promises';
import { describeWithRealServer } from '../../../../test/real-server.fixture.ts';
import { type ComparedServer, embeddedServer, normalise, realServer } from '../comparison.fixture.ts';

const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';

const rule = (group: string, version: string, ...resources: readonly string[]) => ({
  operations: ['CREATE'],
  apiGroups: [group],
  apiVersions: [version],
  resources,
});
const deployments = rule('apps', 'v1', 'deployments');

const checked = (rules: readonly object[], expressions: readonly string[], more: object = {}): object => ({
  matchConstraints: { resourceRules: rules },
  validations: expressions.map((expression) => ({ expression })),
  ...more,
});

const specs: readonly (readonly [title: string, spec: object])[] = [
  ['well typed', checked([deployments], ["object.spec.replicas > 1 && oldObject.metadata.name != ''"])],
  [
    'unknown fields',
    checked([deployments], ['object.replicas > 1', "object.spec.none.x == 'y'", 'has(object.spec.template.foo)']),
  ],
  [
    'wrong types',
    checked(
      [deployments],
      [
        "object.spec.replicas == 'a'",
        "object.metadata.labels['a'] == 1",
        'object.spec.template.spec.containers[0].image == 1',
      ],
    ),
  ],
  [
    'several kinds',
    checked(
      [rule('apps', 'v1', 'deployments', 'replicasets'), rule('', 'v1', 'pods')],
      ['object.spec.replicas > 1', 'object.spec.foo == 1'],
    ),
  ],
  ['wildcards', checked([rule('apps', '*', 'deployments'), rule('apps', 'v1', '*')], ['object.foo == 1'])],
  ['subresources', checked([rule('apps', 'v1', 'deployments/scale', 'deployments')], ['object.foo == 1'])],
  ['an unknown resource', checked([rule('x.example.com', 'v1', 'things')], ['object.foo == 1'])],
  ['the core group', checked([rule('', 'v1', 'events')], ['object.foo == 1'])],
  [
    'variables',
    checked([deployments], ["variables.n == 'a'", 'variables.bad == 1'], {
      variables: [
        { name: 'n', expression: 'object.spec.replicas' },
        { name: 'bad', expression: 'object.spec.bad' },
      ],
    }),
  ],
  [
    'message expressions',
    {
      ...checked([deployments], []),
      validations: [
        { expression: 'true', messageExpression: "'a' + string(object.foo)" },
        { expression: 'true', messageExpression: 'string(object.spec.bar)', message: 'm' },
      ],
    },
  ],
  [
    'parameters',
    checked([deployments], ["params.data.x == 'a'", 'params.foo == 1'], {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    }),
  ],
  [
    'unknown parameters',
    checked([deployments], ['params.foo == 1'], { paramKind: { apiVersion: 'x.example.com/v1', kind: 'Thing' } }),
  ],
  [
    'the authorizer',
    checked(
      [deployments],
      ["authorizer.path('/x').check('get').allowed()", "authorizer.requestResource.check('get').allowed()"],
    ),
  ],
  [
    'quantities and ports',
    checked(
      [rule('', 'v1', 'pods', 'services')],
      [
        "object.spec.containers.all(c, c.resources.limits['cpu'] == 1)",
        "object.spec.ports.all(p, p.targetPort == 1 || p.targetPort == 'a')",
      ],
    ),
  ],
  [
    'metadata',
    checked(
      [rule('', 'v1', 'configmaps')],
      [
        'object.metadata.creationTimestamp == 1',
        'object.metadata.ownerReferences[0].controller == 1',
        'object.metadata.foo == 1',
        'object.data.all(k, object.data[k] == 1)',
      ],
    ),
  ],
  [
    'the request and the namespace',
    checked(
      [rule('', 'v1', 'secrets')],
      [
        "request.operation == 'x' || object.data['a'] == 'x'",
        "namespaceObject.metadata.labels.a == 'x' || object.immutable == 1",
      ],
    ),
  ],
];

async function statusOf(server: ComparedServer, name: string, generation: number): Promise<unknown> {
  for (let tries = 0; tries < 500; tries++) {
    const { body } = await server.send('GET', `${path}/${name}`);
    const { metadata, status } = body as { metadata: { generation: number }; status?: { observedGeneration?: number } };
    if (status?.observedGeneration === generation) return { generation: metadata.generation, status };
    await delay(20);
  }
  throw new Error(`the status of ${name} has not been written`);
}

/** Types have a random suffix on the real server. */
function withoutSuffixes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(normalise(value)).replaceAll(/\b([A-Z][A-Za-z]+?)\d+(?=[.,)'])/g, '$1'));
}

describeWithRealServer('the status of validating policies, on the real server and on the embedded one', () => {
  let servers: readonly ComparedServer[] = [];
  beforeAll(async () => {
    servers = await Promise.all([realServer([], 'controllers'), embeddedServer({})]);
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
  });

  it.each(specs.map(([title, spec], index) => [title, `p${index}`, spec] as const))(
    'has the same warnings for %s',
    async (_, name, spec) => {
      const [real, embedded] = await Promise.all(
        servers.map(async (server) => {
          const { status } = await server.send('POST', path, { body: { metadata: { name }, spec } });
          expect(status).toBe(201);
          return withoutSuffixes(await statusOf(server, name, 1));
        }),
      );
      expect(embedded).toEqual(real);
    },
  );

  it('is written again after a change', async () => {
    const [real, embedded] = await Promise.all(
      servers.map(async (server) => {
        const spec = checked([deployments], ['object.foo == 1']);
        await server.send('POST', path, { body: { metadata: { name: 'changed' }, spec } });
        const first = await statusOf(server, 'changed', 1);
        await server.send('PATCH', `${path}/changed`, {
          body: { spec: { validations: [{ expression: 'object.spec.replicas == 1' }] } },
          contentType: 'application/merge-patch+json',
        });
        return withoutSuffixes([first, await statusOf(server, 'changed', 2)]);
      }),
    );
    expect(embedded).toEqual(real);
  });
});
