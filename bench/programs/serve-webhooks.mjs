// A manager with a validating webhook and a conversion, for an external driver. Arguments: the port, and the directory of the
// certificate; without them, a manager that serves nothing. Prints its memory when it is idle. Run with --expose-gc.
import { CustomResource, KubernetesObject, SilentLogger, Spec } from '@evenkeel/core';
import { createManager, validatingWebhookFor } from '@evenkeel/runtime';

const [, , port, certificates] = process.argv;
const group = 'bench.example.com';

class Bench extends KubernetesObject {}
Spec()(Bench.prototype, 'spec');
CustomResource({ group, version: 'v1', kind: 'Bench', plural: 'benches', storage: true })(Bench);

class RenamedBench extends KubernetesObject {}
Spec()(RenamedBench.prototype, 'spec');
CustomResource({
  ...{ group, version: 'v2', kind: 'Bench', plural: 'benches' },
  conversion: { hub: () => Bench, moves: { 'spec.size': 'spec.replicas', 'spec.picture': 'spec.image' } },
})(RenamedBench);

const webhook = validatingWebhookFor(Bench).admit(['create', 'update'], function check({ spec }, review) {
  if (spec.replicas > 1000) review.invalid('spec.replicas', spec.replicas, 'must be at most 1000');
});

const transport = {
  async request() {
    throw new Error('there is no API server');
  },
  async close() {},
};
const serving = {
  ...{ webhooks: [webhook], conversions: [RenamedBench], webhookServer: { certificates: 'files' } },
  webhook: { address: `127.0.0.1:${port}`, certificates, stopDelay: '0s' },
};
const idle = { runnables: [{ start: async () => {}, stop: async () => {} }] };
const manager = await createManager({
  ...{ controllers: [], transport, logger: new SilentLogger() },
  ...(port === undefined ? idle : serving),
});
await manager.start();
globalThis.gc();
globalThis.gc();
console.log(JSON.stringify({ event: 'idle', ms: performance.now(), rssMiB: process.memoryUsage.rss() / 1024 ** 2 }));
// A manager without a server has nothing that keeps its process running.
setInterval(() => {}, 60_000);
