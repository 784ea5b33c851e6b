import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { ApiServer } from '@evenkeel/apiserver';
import { type Client, createClient } from '@evenkeel/client';
import { type AdmissionReview, Admit, ValidatingWebhook } from '@evenkeel/core';
import { authoritySecretName, webhookServiceName } from '@evenkeel/core/certificates';
import { planWebhooks, webhookConfigurations } from '@evenkeel/core/webhook';
import { ConfigMap, Secret, Service } from '@evenkeel/kinds';
import { ValidatingWebhookConfiguration } from '@evenkeel/kinds/admissionregistration/v1';
import { EndpointSlice } from '@evenkeel/kinds/discovery/v1';
import { createManager, type Manager, type ManagerOptions } from '@evenkeel/runtime';
import { ownAddress } from '../own-address.fixture.ts';

@ValidatingWebhook(ConfigMap, { objectSelector: { matchLabels: { checked: 'yes' } } })
class MapValidator {
  @Admit('create') check({ data }: ConfigMap, review: AdmissionReview<ConfigMap>): void {
    if (data?.['valid'] !== 'yes') review.deny('it is not valid');
  }
}

const name = 'maps';
const [namespace, service, secret] = ['default', webhookServiceName(name), authoritySecretName(name)];

let folder: string;
let server: ApiServer;
let client: Client;
const managers: Manager[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-certificates-'));
  server = await ApiServer.create({ controllers: false });
  await server.listen();
  await server.writeKubeconfig(join(folder, 'kubeconfig'));
  client = createClient(server.transport());
});

afterEach(async () => {
  for (const manager of managers.splice(0)) await manager.stop();
  await server.close();
  await rm(folder, { recursive: true });
});

async function start(webhookServer: ManagerOptions['webhookServer'] = {}): Promise<Manager> {
  const manager = await createManager({
    ...{ name, webhookServer, controllers: [], webhooks: [MapValidator], kubeconfig: join(folder, 'kubeconfig') },
    ...{ webhook: { address: `${ownAddress()}:0`, stopDelay: '0s' }, health: { address: '127.0.0.1:0' } },
  });
  managers.push(manager);
  await manager.start();
  return manager;
}

/** Applies the configuration, and a Service with the manager as its endpoint. */
async function install({ addresses }: Manager): Promise<void> {
  const { plans } = planWebhooks([MapValidator]);
  const [configuration] = webhookConfigurations(name, plans, ({ path }) => ({
    service: { namespace, name: service, path },
  }));
  await client.create(ValidatingWebhookConfiguration, configuration as never);
  await client.create(Service, { metadata: { name: service, namespace }, spec: { ports: [{ name: 'x', port: 443 }] } });
  await client.create(EndpointSlice, {
    metadata: { name: `${service}-1`, namespace, labels: { 'kubernetes.io/service-name': service } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [ownAddress()], conditions: { ready: true } }],
    ports: [{ name: 'x', port: Number(addresses.webhook?.split(':').at(-1)), protocol: 'TCP' }],
  });
}

const map = (valid: string) => ({
  metadata: { generateName: 'map-', namespace, labels: { checked: 'yes' } },
  data: { valid },
});

/** Watches the configuration until its `caBundle` is set, or the Secret until it has another version. */
async function untilTrusted(): Promise<void> {
  for await (const event of client.watch(ValidatingWebhookConfiguration)) {
    if (event.type === 'BOOKMARK') continue;
    if (event.object.webhooks?.every(({ clientConfig }) => (clientConfig.caBundle ?? '') !== '') === true) return;
  }
}

function readyz({ addresses }: Manager): Promise<{ status: number | undefined; text: string }> {
  const port = Number(addresses.health?.split(':').at(-1));
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: '/readyz?verbose', agent: false }, async (response) => {
      let text = '';
      for await (const piece of response) text += String(piece);
      resolve({ status: response.statusCode, text });
    });
    sent.on('error', reject);
    sent.end();
  });
}

const daysLeft = ({ validToDate }: X509Certificate): number => (validToDate.getTime() - Date.now()) / 86_400_000;

describe('a manager with built-in certificates', () => {
  it('serves webhooks that the API server can call, without any set-up of certificates', async () => {
    const manager = await start();
    await manager.waitUntilReady();
    expect((await readyz(manager)).status).toBe(200);
    await install(manager);
    await untilTrusted();
    await client.create(ConfigMap, map('yes'));
    await expect(client.create(ConfigMap, map('no'))).rejects.toThrow('it is not valid');
    expect((await client.get(Secret, `${namespace}/${secret}`)).type).toBe('evenkeel.dev/certificate-authority');
  });

  it('has the declared durations', async () => {
    const manager = await start({ certificateDuration: '1d', authorityDuration: '30d' });
    await manager.waitUntilReady();
    const { data } = await client.get(Secret, `${namespace}/${secret}`);
    const authority = new X509Certificate(Buffer.from(data?.['ca.crt'] ?? '', 'base64'));
    const port = Number(manager.addresses.webhook?.split(':').at(-1));
    const socket = connect({ host: ownAddress(), port, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const served = socket.getPeerX509Certificate();
    socket.destroy();
    expect(served?.verify(authority.publicKey)).toBe(true);
    expect(daysLeft(authority)).toBeCloseTo(30, 2);
    expect(served && daysLeft(served)).toBeCloseTo(1, 2);
  });

  it('is not ready without a certificate, names the reason, and can be stopped then', async () => {
    await client.create(Secret, { metadata: { name: secret, namespace } });
    const manager = await start();
    let answer = await readyz(manager);
    while (!answer.text.includes('has the type')) answer = await readyz(manager);
    expect(answer.status).toBe(500);
    expect(answer.text).toContain(`the Secret ${namespace}/${secret} has the type "Opaque"`);
    expect(manager.addresses.webhook).toBeUndefined();
    expect(await manager.stop()).toEqual({ drained: true });
    // Nothing went wrong in the manager itself.
    const ended = await Promise.race([manager.failure, Promise.resolve('nothing')]);
    expect(ended).toBe('nothing');
  });
});
