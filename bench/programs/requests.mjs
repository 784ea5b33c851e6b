// Sends a number of requests of one verb, 16 in flight, with our client or with client-node's API class, for objects of
// write.mjs. Prints one line of JSON.
import { createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { Bench } from './bench-kind.mjs';

const [kubeconfig, who, verb] = process.argv.slice(2);
const count = Number(process.argv[5]);
const spec = { image: 'registry.example.com/team/app:1.2.3', payload: 'x'.repeat(600), labels: { tier: 'web' } };
const prefix = verb === 'create' ? `made-${process.pid}` : 'bench';
const name = (at) => `${prefix}-${String(at).padStart(6, '0')}`;
const object = (at) => ({
  apiVersion: 'bench.example.com/v1',
  kind: 'Bench',
  metadata: { name: name(at), namespace: 'default', labels: { app: 'bench' } },
  spec,
});
const status = { status: { readyReplicas: process.pid % 1000 } };

const verbs = who === 'evenkeel' ? await ours() : await clientNodes();
const started = performance.now();
let next = 0;
await Promise.all(
  Array.from({ length: 16 }, async () => {
    while (next < count) await verbs[verb](next++);
  }),
);
const seconds = (performance.now() - started) / 1000;
console.log(JSON.stringify({ perSecond: count / seconds }));
process.exit(0);

async function ours() {
  const client = createClient(httpsTransport(await loadConnection({ kubeconfig })));
  return {
    get: (at) => client.get(Bench, `default/${name(at)}`),
    create: (at) => client.create(Bench, object(at)),
    status: (at) => client.subresource(Bench, `default/${name(at)}`, 'status').patch({ merge: status }),
  };
}

async function clientNodes() {
  const { CustomObjectsApi, KubeConfig, PatchStrategy, setHeaderOptions } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const api = config.makeApiClient(CustomObjectsApi);
  const of = { group: 'bench.example.com', version: 'v1', plural: 'benches', namespace: 'default' };
  const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
  return {
    get: (at) => api.getNamespacedCustomObject({ ...of, name: name(at) }),
    create: (at) => api.createNamespacedCustomObject({ ...of, body: object(at) }),
    status: (at) => api.patchNamespacedCustomObjectStatus({ ...of, name: name(at), body: status }, merge),
  };
}
