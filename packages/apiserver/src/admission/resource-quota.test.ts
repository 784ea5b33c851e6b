import { ManualClock, SeededRandom, type Transport } from '@evenkeel/core';
import { ApiServer } from '../api-server.ts';
import { request, type TestAnswer } from '../request.fixture.ts';
import type { WebhookRequest } from '../webhook/webhook-handler.ts';

const namespace = '/api/v1/namespaces/default';

describe('admission by ResourceQuota', () => {
  let server: ApiServer;
  let transport: Transport;
  beforeEach(async () => {
    server = await ApiServer.create({ clock: new ManualClock(), random: new SeededRandom(1), controllers: false });
    transport = server.transport();
  });
  afterEach(() => server.close());

  const send = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<TestAnswer> =>
    request(transport, method, path, body);
  const limitTo = async (hard: Readonly<Record<string, string>>): Promise<void> => {
    await send('POST', `${namespace}/resourcequotas`, { metadata: { name: 'limited' }, spec: { hard } });
    const used = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
    const status = { metadata: { name: 'limited' }, status: { hard, used } };
    const { status: code } = await send('PUT', `${namespace}/resourcequotas/limited/status`, status);
    expect(code).toBe(200);
  };
  const used = async (): Promise<unknown> =>
    (await send('GET', `${namespace}/resourcequotas/limited`)).body.status.used;
  const statuses = async (answers: readonly Promise<TestAnswer>[]): Promise<number[]> =>
    (await Promise.all(answers)).map(({ status }) => status).sort();
  const createSecrets = (count: number): Promise<TestAnswer>[] =>
    Array.from({ length: count }, (_, index) =>
      send('POST', `${namespace}/secrets`, { metadata: { name: `secret-${index}` } }),
    );

  it('never lets simultaneous creates exceed a quota', async () => {
    await limitTo({ secrets: '3' });
    expect(await statuses(createSecrets(8))).toEqual([201, 201, 201, 403, 403, 403, 403, 403]);
    expect(await used()).toEqual({ secrets: '3' });
    expect((await send('GET', `${namespace}/secrets`)).body.items).toHaveLength(3);
  });

  it('never lets simultaneous creates exceed a quota while webhooks are called', async () => {
    const url = 'https://webhook.test/validate';
    server.registerWebhook(url, async ({ body }: WebhookRequest) => {
      await new Promise((resolve) => setImmediate(resolve));
      const { request: asked } = JSON.parse(Buffer.from(body).toString()) as { request: { uid: string } };
      const review = {
        apiVersion: 'admission.k8s.io/v1',
        kind: 'AdmissionReview',
        response: { uid: asked.uid, allowed: true },
      };
      return { status: 200, body: Buffer.from(JSON.stringify(review)) };
    });
    await send('POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
      metadata: { name: 'slow' },
      webhooks: [
        {
          name: 'slow.webhook.test',
          clientConfig: { url },
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }],
        },
      ],
    });
    await limitTo({ secrets: '2' });
    expect(await statuses(createSecrets(5))).toEqual([201, 201, 403, 403, 403]);
    expect(await used()).toEqual({ secrets: '2' });
  });

  it('charges nothing for a create that fails after admission', async () => {
    await limitTo({ secrets: '5' });
    expect(await statuses(createSecrets(1))).toEqual([201]);
    expect(await statuses(createSecrets(1))).toEqual([409]);
    const tooLarge = { metadata: { name: 'large' }, data: { a: 'A'.repeat(1_600_000) } };
    expect((await send('POST', `${namespace}/configmaps`, tooLarge)).status).toBeGreaterThanOrEqual(400);
    expect(await used()).toEqual({ secrets: '1' });
  });

  it('does not enforce limits that the controller has not seen', async () => {
    await send('POST', `${namespace}/resourcequotas`, { metadata: { name: 'new' }, spec: { hard: { secrets: '0' } } });
    expect(await statuses(createSecrets(1))).toEqual([201]);
  });
});
