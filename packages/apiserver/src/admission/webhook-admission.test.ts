import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import type { Transport } from '@evenkeel/core';
import { ApiServer } from '../api-server.ts';
import { request, type TestAnswer } from '../request.fixture.ts';
import type { WebhookHandler } from '../webhook/webhook-handler.ts';
import { AdmissionWebhookServer, type Answer, allow, deny, patch, respond } from './admission-webhook.fixture.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const registration = '/apis/admissionregistration.k8s.io/v1';

let server: ApiServer;
let transport: Transport;
let webhooks: AdmissionWebhookServer;

beforeEach(async () => {
  webhooks = await AdmissionWebhookServer.open();
  server = await ApiServer.create({ controllers: false });
  transport = server.transport();
});
afterEach(async () => {
  await server.close();
  webhooks.close();
});

async function configure(phase: 'mutating' | 'validating', options: object = {}): Promise<void> {
  const webhook = {
    name: 'one.webhook.test',
    clientConfig: webhooks.config('one'),
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['configmaps', 'services'] }],
    ...options,
  };
  const body = { metadata: { name: phase }, webhooks: [webhook] };
  expect((await request(transport, 'POST', `${registration}/${phase}webhookconfigurations`, body)).status).toBe(201);
}

const create = (name: string, members: object = {}): Promise<TestAnswer> =>
  request(transport, 'POST', maps, { metadata: { name }, ...members });

async function isStored(name: string): Promise<boolean> {
  return (await request(transport, 'GET', `${maps}/${name}`)).status === 200;
}

/** A webhook in this process with an answer of the fixture. */
const inProcess =
  (answer: Answer): WebhookHandler =>
  async ({ body }) => ({
    status: 200,
    body: Buffer.from(JSON.stringify(answer(JSON.parse(Buffer.from(body).toString()), undefined as never))),
  });

describe('admission webhooks', () => {
  it.each<[string, Answer]>([
    ['is killed in the middle of a call', (_, response) => void response.socket?.destroy()],
    [
      'is killed in the middle of its response',
      (_, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"kind":"Adm', () => response.socket?.destroy());
      },
    ],
    ['answers 10,000 levels deep', () => '['.repeat(10_000) + ']'.repeat(10_000)],
    [
      'answers a review 10,000 levels deep',
      (review) =>
        `{"kind":"AdmissionReview","apiVersion":"${review.apiVersion}","response":{"uid":"x","allowed":true,"status":${'{"details":'.repeat(10_000)}{}${'}'.repeat(10_000)}}}`,
    ],
    ['answers no JSON', () => 'yes'],
    ['answers for another request', respond({ uid: 'other' })],
  ])('reject a write whose webhook %s', async (_, answer) => {
    await configure('validating');
    webhooks.answers.set('one', answer);
    const { status, body } = await create('rejected');
    expect(status).toBe(500);
    expect(body.message).toMatch(/^Internal error occurred: failed calling webhook "one\.webhook\.test": /);
    expect(await isStored('rejected')).toBe(false);
  });

  it('reject a write whose webhook has the certificate of another authority, and call nothing', async () => {
    const other = new CertificateAuthority('admission', Date.now());
    const caBundle = Buffer.from(other.certificatePem).toString('base64');
    await configure('validating', { clientConfig: { ...webhooks.config('one'), caBundle } });
    const { status, body } = await create('rejected');
    expect(status).toBe(500);
    expect(body.message).toContain('x509: certificate signed by unknown authority');
    expect(webhooks.calls).toEqual([]);
    expect(await isStored('rejected')).toBe(false);
  });

  it('do not let a patch reach a prototype', async () => {
    await configure('mutating');
    webhooks.answers.set(
      'one',
      patch(
        { op: 'add', path: '/data', value: JSON.parse('{"__proto__":"a","b":"c"}') },
        { op: 'add', path: '/metadata/labels', value: { constructor: 'x' } },
      ),
    );
    const { status, body } = await create('keyed');
    expect(status).toBe(201);
    expect(Object.hasOwn(body.data, '__proto__')).toBe(true);
    expect(body.metadata.labels).toEqual({ constructor: 'x' });
    expect(({} as { b?: string }).b).toBeUndefined();
  });

  it('reject a patch that goes through a prototype', async () => {
    await configure('mutating');
    webhooks.answers.set('one', patch({ op: 'add', path: '/__proto__/polluted', value: 'x' }));
    expect((await create('polluted')).status).toBe(500);
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  it('get the whole of an object that is as large as a request can be', async () => {
    await configure('validating');
    const text = 'x'.repeat(1_000_000);
    expect((await create('large', { data: { text } })).status).toBe(201);
    expect(webhooks.calls[0]?.review.request.object.data.text).toHaveLength(text.length);
  });

  it('can not make an object larger than the store allows', async () => {
    await configure('mutating');
    webhooks.answers.set('one', patch({ op: 'add', path: '/metadata/annotations', value: { a: 'x'.repeat(300_000) } }));
    expect((await create('grown')).status).toBe(422);
    expect(await isStored('grown')).toBe(false);
  });

  it('are called for a write again that another write overtook', async () => {
    await create('overtaken', { data: { a: '1' } });
    await configure('validating');
    let overtakes = true;
    const versions: string[] = [];
    server.registerWebhook('https://one.example/', async (call) => {
      const review = JSON.parse(Buffer.from(call.body).toString());
      versions.push(review.request.oldObject.data.a);
      if (overtakes) {
        overtakes = false;
        await request(
          transport,
          'PATCH',
          `${maps}/overtaken`,
          { data: { a: '2' } },
          { 'content-type': 'application/merge-patch+json' },
        );
      }
      return inProcess(allow)(call);
    });
    await request(
      transport,
      'PATCH',
      `${registration}/validatingwebhookconfigurations/validating`,
      [{ op: 'replace', path: '/webhooks/0/clientConfig', value: { url: 'https://one.example/' } }],
      { 'content-type': 'application/json-patch+json' },
    );
    const { status, body } = await request(
      transport,
      'PATCH',
      `${maps}/overtaken`,
      { data: { b: '3' } },
      { 'content-type': 'application/merge-patch+json' },
    );
    expect({ status, data: body.data, versions }).toEqual({
      status: 200,
      data: { a: '2', b: '3' },
      versions: ['1', '1', '2'],
    });
  });

  it('free the address of a Service that they reject', async () => {
    const small = await ApiServer.create({ controllers: false, serviceCidr: '10.0.0.0/29' });
    transport = small.transport();
    small.registerWebhook('https://one.example/', inProcess(deny('no')));
    await configure('validating', { clientConfig: { url: 'https://one.example/' } });
    const service = { spec: { ports: [{ port: 80 }] } };
    for (let attempt = 0; attempt < 10; attempt++) {
      const { body } = await request(transport, 'POST', '/api/v1/namespaces/default/services', {
        metadata: { name: 's' },
        ...service,
      });
      expect(body.message).toBe('admission webhook "one.webhook.test" denied the request: no');
    }
    await small.close();
  });

  it('see a custom object in the version that they ask for, and change it there', async () => {
    const version = (name: string): object => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              properties: { size: { type: 'integer', maximum: 9 }, color: { type: 'string', default: 'red' } },
            },
          },
        },
      },
    });
    const definition = {
      metadata: { name: 'toys.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { kind: 'Toy', plural: 'toys' },
        versions: [version('v1'), version('v2')],
      },
    };
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    expect((await request(transport, 'POST', definitions, definition)).status).toBe(201);
    await configure('mutating', {
      rules: [{ operations: ['CREATE'], apiGroups: ['example.com'], apiVersions: ['v2'], resources: ['toys'] }],
    });
    const toys = '/apis/example.com/v1/namespaces/default/toys';
    const toy = (name: string): object => ({ apiVersion: 'example.com/v1', kind: 'Toy', metadata: { name } });
    webhooks.answers.set('one', patch({ op: 'add', path: '/spec', value: { size: 3, unknown: 1 } }));
    const { status, body } = await request(transport, 'POST', toys, toy('a'));
    expect({ status, apiVersion: body.apiVersion, spec: body.spec }).toEqual({
      status: 201,
      apiVersion: 'example.com/v1',
      spec: { size: 3, color: 'red' },
    });
    const { kind, requestKind, object } = webhooks.calls[0]?.review.request ?? {};
    expect({ kind, requestKind, apiVersion: object.apiVersion }).toEqual({
      kind: { group: 'example.com', version: 'v2', kind: 'Toy' },
      requestKind: { group: 'example.com', version: 'v1', kind: 'Toy' },
      apiVersion: 'example.com/v2',
    });
    webhooks.answers.set('one', patch({ op: 'add', path: '/spec', value: { size: 10 } }));
    expect((await request(transport, 'POST', toys, toy('b'))).body.reason).toBe('Invalid');
  });

  it('apply to no request after their configuration is deleted', async () => {
    await configure('validating');
    webhooks.answers.set('one', deny('no'));
    expect((await create('later')).status).toBe(400);
    await request(transport, 'DELETE', `${registration}/validatingwebhookconfigurations/validating`);
    expect((await create('later')).status).toBe(201);
  });
});
