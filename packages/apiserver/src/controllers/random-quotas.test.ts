import { type Random, SeededRandom } from '@evenkeel/core';
import type { PersistentVolumeClaim, Pod, ResourceQuota, Secret, Service } from '@evenkeel/kinds';
import { seed } from '../../../../test/seed.fixture.ts';
import { ControlledServer } from './controlled-server.fixture.ts';

const runs = 15;
const batches = 12;
const namespace = '/api/v1/namespaces/default';
const hard = {
  pods: 4,
  'requests.cpu': 3,
  services: 3,
  'services.nodeports': 3,
  secrets: 3,
  persistentvolumeclaims: 2,
  'requests.storage': 5,
};
type Usage = Record<keyof typeof hard, number>;

/** What exists, counted without the server's own rules. All amounts of the test are whole numbers. */
async function usageOf(server: ControlledServer): Promise<Usage> {
  const list = async <T>(plural: string): Promise<T[]> => (await server.send('GET', `${namespace}/${plural}`)).items;
  const pods = (await list<Pod>('pods')).filter(({ status }) => status?.phase !== 'Succeeded');
  const services = await list<Service>('services');
  const claims = await list<PersistentVolumeClaim>('persistentvolumeclaims');
  const sum = (amounts: readonly unknown[]): number => amounts.reduce<number>((total, one) => total + Number(one), 0);
  return {
    pods: pods.length,
    'requests.cpu': sum(pods.map(({ spec }) => spec?.containers[0]?.resources?.requests?.['cpu'])),
    services: services.length,
    'services.nodeports': services.filter(({ spec }) => spec?.type === 'NodePort').length,
    secrets: (await list<Secret>('secrets')).length,
    persistentvolumeclaims: claims.length,
    'requests.storage': sum(claims.map(({ spec }) => spec?.resources?.requests?.['storage'])),
  };
}

/** Sends one random request. Many are rejected: names are few, and the quota is small. */
async function sendOne(server: ControlledServer, random: Random): Promise<number> {
  const name = `object-${random.integer(5)}`;
  const size = String(random.integer(3));
  const type = random.integer(2) === 0 ? 'NodePort' : 'ClusterIP';
  const container = { name: 'a', image: 'a', resources: { requests: { cpu: size } } };
  const storage = String(1 + random.integer(3));
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } };
  const requests = [
    ['POST', 'pods', { metadata: { name }, spec: { containers: [container] } }],
    ['POST', 'pods', { metadata: { name }, spec: { containers: [container] } }],
    ['PATCH', `pods/${name}/status`, { status: { phase: 'Succeeded' } }],
    ['DELETE', `pods/${name}?gracePeriodSeconds=0`],
    ['POST', 'services', { metadata: { name }, spec: { type, ports: [{ port: 80 }] } }],
    ['PATCH', `services/${name}`, { spec: { type } }],
    ['DELETE', `services/${name}`],
    ['POST', 'secrets', { metadata: { name } }],
    ['POST', 'secrets?dryRun=All', { metadata: { name } }],
    ['DELETE', `secrets/${name}`],
    ['POST', 'persistentvolumeclaims', { metadata: { name }, spec: claim }],
    ['DELETE', `persistentvolumeclaims/${name}`],
  ] as const;
  const [method, path, body] = requests[random.integer(requests.length)] ?? requests[0];
  return (await server.answer(method, `${namespace}/${path}`, body)).status;
}

describe('random writes under a quota', () => {
  it(`never exceed it, and are counted in each of ${runs} runs, starting with seed ${seed}`, async () => {
    let refused = 0;
    for (let run = 0; run < runs; run++) {
      const server = await ControlledServer.start({ controllers: { scheduler: false, kubelet: false } });
      await server.send('DELETE', `${namespace}/services/kubernetes`);
      const limits = Object.fromEntries(Object.entries(hard).map(([resource, amount]) => [resource, String(amount)]));
      await server.send('POST', `${namespace}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: limits } });
      await server.quiet();
      const random = new SeededRandom(seed + run);
      for (let batch = 0; batch < batches; batch++) {
        const sent = Array.from({ length: 1 + random.integer(8) }, () => sendOne(server, random));
        refused += (await Promise.all(sent)).filter((status) => status === 403).length;
        const usage = await usageOf(server);
        const exceeded = Object.entries(usage).filter(([resource, used]) => used > hard[resource as keyof Usage]);
        expect({ seed: seed + run, exceeded }).toEqual({ seed: seed + run, exceeded: [] });
      }
      await server.quiet();
      // Retries after conflicts wait for the clock.
      await server.clock.advance(2000);
      await server.quiet();
      const { status }: ResourceQuota = await server.send('GET', `${namespace}/resourcequotas/q`);
      const used = Object.fromEntries(
        Object.entries(status?.used ?? {}).map(([name, amount]) => [name, Number(amount)]),
      );
      expect({ seed: seed + run, used }).toEqual({ seed: seed + run, used: await usageOf(server) });
      await server.close();
    }
    // Otherwise, the limits were not tested.
    expect(refused).toBeGreaterThan(runs);
  });
});
