import type { Transport } from '@evenkeel/core';
import { ApiServer } from '../../api-server.ts';
import { request, type TestAnswer } from '../../request.fixture.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const registration = '/apis/admissionregistration.k8s.io/v1';

let server: ApiServer;
let transport: Transport;

beforeEach(async () => {
  server = await ApiServer.create({ controllers: false });
  transport = server.transport();
});
afterEach(() => server.close());

const matchConstraints = {
  resourceRules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
};

async function created(plural: string, name: string, spec: object, as = transport): Promise<TestAnswer> {
  return request(as, 'POST', `${registration}/${plural}`, { metadata: { name }, spec });
}

/** Creates a policy with its binding. */
async function validating(name: string, spec: object): Promise<void> {
  expect((await created('validatingadmissionpolicies', name, { matchConstraints, ...spec })).body.message).toBe(
    undefined,
  );
  const binding = { policyName: name, validationActions: ['Deny'] };
  expect((await created('validatingadmissionpolicybindings', name, binding)).status).toBe(201);
}

async function mutating(name: string, expression: string, spec: object = {}): Promise<void> {
  const mutations = [{ patchType: 'JSONPatch', jsonPatch: { expression } }];
  const policy = { matchConstraints, reinvocationPolicy: 'Never', mutations, ...spec };
  expect((await created('mutatingadmissionpolicies', name, policy)).body.message).toBe(undefined);
  expect((await created('mutatingadmissionpolicybindings', name, { policyName: name })).status).toBe(201);
}

const create = (name: string, data: object = {}): Promise<TestAnswer> =>
  request(transport, 'POST', maps, { metadata: { name }, data });

describe('admission policies', () => {
  it('take effect with the responses to their writes, and none after them', async () => {
    await validating('no-x', { validations: [{ expression: "!('x' in object.data)" }] });
    expect((await create('a', { x: 'y' })).status).toBe(422);
    const changed = await request(
      transport,
      'PATCH',
      `${registration}/validatingadmissionpolicies/no-x`,
      { spec: { validations: [{ expression: "!('z' in object.data)" }] } },
      { 'content-type': 'application/merge-patch+json' },
    );
    expect(changed.status).toBe(200);
    expect((await create('a', { x: 'y' })).status).toBe(201);
    expect((await create('b', { z: 'y' })).status).toBe(422);
    await request(transport, 'DELETE', `${registration}/validatingadmissionpolicybindings/no-x`);
    expect((await create('b', { z: 'y' })).status).toBe(201);
  });

  it('are evaluated in the order of their names, mutating ones before validating ones', async () => {
    await mutating('b', "[JSONPatch{op: 'add', path: '/data/order', value: object.data.order + 'b'}]");
    await mutating('a', "[JSONPatch{op: 'add', path: '/data/order', value: object.data.order + 'a'}]");
    await validating('order', { validations: [{ expression: "object.data.order == '-ab'" }] });
    expect((await create('ordered', { order: '-' })).body).toMatchObject({ data: { order: '-ab' } });
  });

  it('are evaluated again after a change of another one if they ask for it', async () => {
    const count = "[JSONPatch{op: 'add', path: '/data/n', value: object.data.n + '1'}]";
    await mutating('a', count, { reinvocationPolicy: 'IfNeeded' });
    await mutating('b', "[JSONPatch{op: 'add', path: '/data/b', value: 'x'}]");
    expect((await create('counted', { n: '' })).body).toMatchObject({ data: { n: '11', b: 'x' } });
  });

  it('run before webhooks, and again after a change of a webhook if they ask for it', async () => {
    const calls: string[] = [];
    const answering = (phase: string, response: object): void => {
      const url = `https://${phase}.default.svc:443/`;
      server.registerWebhook(url, async ({ body }) => {
        const { request: asked, ...review } = JSON.parse(Buffer.from(body).toString());
        calls.push(`${phase} ${JSON.stringify(asked.object.data)}`);
        const answer = { ...review, response: { uid: asked.uid, allowed: true, ...response } };
        return { status: 200, body: Buffer.from(JSON.stringify(answer)) };
      });
    };
    const patch = Buffer.from(JSON.stringify([{ op: 'add', path: '/data/w', value: 'x' }])).toString('base64');
    answering('mutating', { patchType: 'JSONPatch', patch });
    answering('validating', {});
    for (const phase of ['mutating', 'validating']) {
      const webhook = {
        name: `${phase}.webhook.test`,
        clientConfig: { service: { name: phase, namespace: 'default', path: '/' } },
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      };
      const body = { metadata: { name: phase }, webhooks: [webhook] };
      expect((await request(transport, 'POST', `${registration}/${phase}webhookconfigurations`, body)).status).toBe(
        201,
      );
    }
    const count = "[JSONPatch{op: 'add', path: '/data/n', value: object.data.n + '1'}]";
    await mutating('count', count, { reinvocationPolicy: 'IfNeeded' });
    await validating('n', { validations: [{ expression: "object.data.n != 'no11'" }] });
    expect((await create('yes', { n: '' })).body).toMatchObject({ data: { n: '11', w: 'x' } });
    expect(calls).toEqual(['mutating {"n":"1"}', 'validating {"n":"11","w":"x"}']);
    calls.length = 0;
    expect((await create('no', { n: 'no' })).status).toBe(422);
    expect(calls).toEqual(['mutating {"n":"no1"}']);
  });

  it('reject a policy whose author must not read its parameters', async () => {
    const role = {
      metadata: { name: 'author' },
      rules: [{ apiGroups: ['admissionregistration.k8s.io'], resources: ['*'], verbs: ['*'] }],
    };
    const binding = {
      metadata: { name: 'author' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'author' },
      subjects: [{ kind: 'User', name: 'ann' }],
    };
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    await request(transport, 'POST', `${rbac}/clusterroles`, role);
    await request(transport, 'POST', `${rbac}/clusterrolebindings`, binding);
    const ann = server.transport({ name: 'ann', groups: ['team'] });
    const spec = {
      matchConstraints,
      paramKind: { apiVersion: 'v1', kind: 'Secret' },
      validations: [{ expression: 'true' }],
    };
    const policy = await created('validatingadmissionpolicies', 'read', spec, ann);
    expect(policy.status).toBe(422);
    expect(policy.body.message).toContain(
      'spec.paramKind: Forbidden: user &{ann  [team system:authenticated] map[]} must have "get" permission on all objects of the referenced paramKind (kind=Secret, apiVersion=v1)',
    );
    await created('validatingadmissionpolicies', 'read', spec);
    const bound = {
      policyName: 'read',
      validationActions: ['Deny'],
      paramRef: { name: 'a', namespace: 'default', parameterNotFoundAction: 'Deny' },
    };
    const refused = await created('validatingadmissionpolicybindings', 'read', bound, ann);
    expect(refused.status).toBe(422);
    expect(refused.body.message).toContain('does not have "get" permission on the object referenced by paramRef');
    expect((await created('validatingadmissionpolicybindings', 'read', bound)).status).toBe(201);
  });

  it.each([
    [
      'repeats a value in itself',
      {
        variables: Array.from({ length: 60 }, (_, index) => ({
          name: `v${index}`,
          expression: index === 0 ? "['x']" : `[variables.v${index - 1}, variables.v${index - 1}]`,
        })),
      },
      "[JSONPatch{op: 'add', path: '/data/x', value: variables.v59}]",
    ],
    [
      'has a thousand expensive variables',
      {
        variables: Array.from({ length: 1000 }, (_, index) => ({
          name: `v${index}`,
          expression: 'lists.range(190).all(a, lists.range(190).all(b, a + b >= 0 && a * b >= 0))',
        })),
      },
      `${Array.from({ length: 1000 }, (_, index) => `variables.v${index}`).join(' && ')} ? [] : [JSONPatch{op: 'add'}]`,
    ],
    ['adds a prototype', {}, "[JSONPatch{op: 'add', path: '/__proto__/polluted', value: 'x'}]"],
    [
      'sets a field of a prototype',
      {},
      "[JSONPatch{op: 'add', path: '/data/constructor/prototype/polluted', value: 'x'}]",
    ],
    ['reads a prototype', {}, "[JSONPatch{op: 'add', path: '/data/x', value: object.constructor.name}]"],
  ])('end a mutation that %s', async (_, spec, expression) => {
    await mutating('hostile', expression, spec);
    const { status, body } = await create('attacked', { a: 'b' });
    expect({ status, reason: body.reason }).toEqual({ status: 403, reason: 'Invalid' });
    expect(({} as { polluted?: unknown }).polluted).toBe(undefined);
    expect((await request(transport, 'GET', `${maps}/attacked`)).status).toBe(404);
  });

  it('end a validation with deep recursion through variables', async () => {
    await validating('deep', {
      variables: Array.from({ length: 5000 }, (_, index) => ({
        name: `v${index}`,
        expression: index === 0 ? 'true' : `variables.v${index - 1}`,
      })),
      validations: [{ expression: 'variables.v4999' }],
    });
    const { status } = await create('deep');
    expect([201, 422]).toContain(status);
  });

  it('end a comparison of values that repeat themselves', async () => {
    const lists = Array.from({ length: 50 }, (_, index) => ({
      name: `v${index}`,
      expression: index === 0 ? "['x']" : `[variables.v${index - 1}, variables.v${index - 1}]`,
    }));
    await validating('repeated', {
      variables: [...lists, { name: 'other', expression: 'variables.v49.map(x, x)' }],
      validations: [{ expression: 'variables.v49 == variables.other' }],
    });
    expect((await create('compared')).status).toBe(422);
  });
});
