import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { ApiServer } from '@evenkeel/apiserver';
import { type AdmissionReview, Admit, ListerOf, MutatingWebhook, ValidatingWebhook } from '@evenkeel/core';
import { ConfigMap, Namespace, Pod } from '@evenkeel/kinds';
import { createManager, type Lister, type Manager, type ManagerOptions } from '@evenkeel/runtime';

@ValidatingWebhook(ConfigMap)
class MapValidator {
  readonly #namespaces: Lister<Namespace>;
  constructor(@ListerOf(Namespace) namespaces: Lister<Namespace>) {
    this.#namespaces = namespaces;
  }
  @Admit() check(_map: ConfigMap, review: AdmissionReview<ConfigMap>): void {
    review.warn(`there are ${this.#namespaces.list().length} namespaces`);
  }
}

const path = '/validate--v1-configmap';
const authority = new CertificateAuthority('webhook-test', Date.now());

let folder: string;
let server: ApiServer;
const managers: Manager[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-webhook-'));
  const issued = authority.issue({ commonName: 'webhook', usage: 'server', hosts: ['127.0.0.1'] });
  await writeFile(join(folder, 'tls.crt'), issued.certificatePem);
  await writeFile(join(folder, 'tls.key'), issued.privateKeyPem);
  server = await ApiServer.create({ controllers: false });
});
afterEach(async () => {
  for (const manager of managers.splice(0)) await manager.stop();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

async function create(options: Partial<ManagerOptions> = {}): Promise<Manager> {
  const manager = await createManager({
    ...{ controllers: [], webhooks: [MapValidator], transport: server.transport() },
    ...{
      webhookServer: { certificates: 'files' },
      webhook: { address: '127.0.0.1:0', certificates: folder, stopDelay: '0s' },
    },
    ...options,
  });
  managers.push(manager);
  return manager;
}

const review = {
  ...{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
  request: {
    ...{ uid: 'u-1', kind: { group: '', version: 'v1', kind: 'ConfigMap' }, operation: 'CREATE', name: 'map' },
    ...{ resource: { group: '', version: 'v1', resource: 'configmaps' }, namespace: 'default', userInfo: {} },
    ...{ object: { metadata: { name: 'map' } }, oldObject: null, dryRun: false, options: {} },
  },
};

function post(manager: Manager, at = path): Promise<{ status: number | undefined; text: string }> {
  const port = Number(manager.addresses.webhook?.split(':').at(-1));
  const headers = { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: `${at}?timeout=5s`,
      method: 'POST',
      ca: authority.certificatePem,
      headers,
      agent: false,
    };
    const sent = request(options as never, async (response) => {
      let text = '';
      for await (const piece of response) text += String(piece);
      resolve({ status: response.statusCode, text });
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(review));
  });
}

function get(address: string | undefined, at: string): Promise<string> {
  const port = Number(address?.split(':').at(-1));
  return new Promise((resolve, reject) => {
    const sent = plainRequest({ host: '127.0.0.1', port, path: at, agent: false }, async (response) => {
      let text = '';
      for await (const piece of response) text += String(piece);
      resolve(text);
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('the webhook server of a manager', () => {
  it('serves webhooks over HTTPS when its caches have synced, and measures them', async () => {
    const manager = await create({ metrics: { address: '127.0.0.1:0' }, health: { address: '127.0.0.1:0' } });
    expect(manager.health.ready).toBe(false);
    expect(manager.health.problems).toEqual([
      'the webhook server does not listen yet',
      'webhook vconfigmap-v1.core.webhook waits for its first list of namespaces',
    ]);
    await manager.start();
    await manager.waitUntilReady();
    expect(manager.health).toMatchObject({ ready: true, webhooks: { problems: [] } });
    expect(await get(manager.addresses.health, '/readyz?verbose')).toContain('[+]webhooks ok');
    const { status, text } = await post(manager);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({
      ...{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
      response: { uid: 'u-1', allowed: true, warnings: [expect.stringMatching(/^there are [1-9]\d* namespaces$/)] },
    });
    expect((await post(manager, '/other')).status).toBe(404);
    const metrics = await get(manager.addresses.metrics, '/metrics');
    expect(metrics).toContain(`controller_runtime_webhook_requests_total{code="200",webhook="${path}"} 1\n`);
    expect(metrics).toContain(`controller_runtime_webhook_latency_seconds_count{webhook="${path}"} 1\n`);
    expect(metrics).toContain(`controller_runtime_webhook_requests_in_flight{webhook="${path}"} 0\n`);
    expect(metrics).toContain('controller_runtime_webhook_panics_total 0\n');
  });

  it('serves the certificate of a directory that is set, and then creates none, as OLM requires', async () => {
    const manager = await create({ webhookServer: { certificates: 'built-in' } });
    await manager.start();
    await manager.waitUntilReady();
    expect((await post(manager)).status).toBe(200);
    // A built-in certificate needs the name of the operator, for its Secret and its Service.
    const created = create({ webhookServer: { certificates: 'built-in' }, webhook: { address: '127.0.0.1:0' } });
    await expect(created).rejects.toThrow('built-in certificates need the name of the operator');
  });

  it('reports mistakes before anything starts', async () => {
    const webhookServer = { certificates: 'files' } as const;
    await expect(create({ webhookServer, webhook: { address: 'nowhere' } })).rejects.toMatchObject({
      code: 'invalid-address',
      message: expect.stringMatching(/^webhook\.address: invalid listen address "nowhere"/),
    });
    await expect(create({ webhook: { certificates: join(folder, 'none') } })).rejects.toMatchObject({
      code: 'certificate-unusable',
      message: expect.stringMatching(/or set webhook\.certificates to the directory that has them$/),
    });
    await expect(create({ webhookServer: {}, webhook: {} })).rejects.toThrow(
      'webhookServer: built-in certificates need the name of the operator, which is unknown',
    );
    await expect(create({ webhookServer: { certificateDuration: '2m' } })).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringMatching(/^webhookServer: certificateDuration is 2m, so a certificate could expire/),
    });
    await expect(
      create({ webhook: { address: '127.0.0.1:0', certificates: folder, clientCa: join(folder, 'none') } }),
    ).rejects.toThrow(/^webhook\.clientCa: ENOENT/);
    await expect(create({ webhook: { adress: ':1' } as object })).rejects.toThrow('did you mean "webhook.address"?');
  });

  it('reports mistakes of webhooks together with those of controllers', async () => {
    @MutatingWebhook(Pod)
    class Nothing {}
    @ValidatingWebhook(ConfigMap, { schema: true })
    class Rules {
      constructor(@ListerOf(Pod) readonly pods: Lister<Pod>) {}
    }
    class Unknown {}
    @ValidatingWebhook(Namespace)
    class Asks {
      constructor(readonly unknown: Unknown) {}
      @Admit() check(): void {}
    }
    const failed = create({ webhooks: [Nothing, Rules, Asks] });
    await expect(failed).rejects.toThrow('Nothing: the class has @MutatingWebhook(Pod) but no @Admit');
    await expect(failed).rejects.toThrow('Rules: @ListerOf(Pod) would cache every Pod of the cluster in memory');
    await expect(failed).rejects.toThrow('Rules: schema: true needs the validator of the operator');
    await expect(failed).rejects.toThrow('add Unknown to `services`');
  });

  it('does not listen with the address 0, and needs no certificate then', async () => {
    const manager = await create({ webhook: { address: '0' } });
    await manager.start();
    await manager.waitUntilReady();
    expect(manager.addresses).toEqual({});
  });
});
