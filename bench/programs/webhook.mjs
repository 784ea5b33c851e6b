// A validating webhook that accepts objects of 2 KB: in process, and over HTTPS with calls from another thread. Prints one line of
// JSON.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { createManager, validatingWebhookFor } from '@evenkeel/runtime';
import { Bench } from './bench-kind.mjs';

const inFlight = 16;

const noServer = {
  async request() {
    throw new Error('there is no API server');
  },
  async close() {},
};

if (isMainThread) await serve(Number(process.argv[2]));
else await call(workerData);

async function serve(calls) {
  const webhook = validatingWebhookFor(Bench).admit(['create'], function check(object, review) {
    if (object.spec.team === '') review.required('spec.team');
  });
  const webhooks = [webhook];
  let hosted;
  const webhookHost = {
    serve: async (given) => {
      hosted = given;
      return async () => {};
    },
  };
  const inProcess = await createManager({ controllers: [], webhooks, transport: { ...noServer, webhookHost } });
  await inProcess.start();
  let path;
  hosted.configurations((asked) => {
    path = asked;
    return { url: asked };
  });
  const signal = new AbortController().signal;
  const query = new URLSearchParams('timeout=10s');
  const direct = { path, query, contentType: 'application/json', body: Buffer.from(review()), signal };
  for (let at = 0; at < calls / 5; at++) await hosted.handle(direct);
  const startedMs = performance.now();
  for (let at = 0; at < calls; at++) await hosted.handle(direct);
  const inProcessUs = ((performance.now() - startedMs) * 1000) / calls;
  await inProcess.stop();

  const certificates = mkdtempSync(join(tmpdir(), 'evenkeel-bench-'));
  const authority = new CertificateAuthority('bench', Date.now());
  const issued = authority.issue({ commonName: 'bench', usage: 'server', hosts: ['127.0.0.1'] });
  writeFileSync(join(certificates, 'tls.crt'), issued.certificatePem);
  writeFileSync(join(certificates, 'tls.key'), issued.privateKeyPem);
  const manager = await createManager({
    ...{ controllers: [], webhooks, transport: noServer, webhookServer: { certificates: 'files' } },
    webhook: { address: '127.0.0.1:0', certificates, stopDelay: '0s' },
  });
  await manager.start();
  const port = Number(manager.addresses.webhook.split(':').at(-1));
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { port, path, calls, ca: authority.certificatePem },
  });
  const times = await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  await manager.stop();
  rmSync(certificates, { recursive: true });
  console.log(JSON.stringify({ inProcessUs, ...times }));
}

async function call({ port, path, calls, ca }) {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight, ca });
  const body = Buffer.from(review());
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const options = { host: '127.0.0.1', port, path: `${path}?timeout=10s`, method: 'POST', agent, headers };
  const post = () =>
    new Promise((resolve, reject) => {
      const sent = request(options, (response) => {
        response.resume();
        response.once('end', () => (response.statusCode === 200 ? resolve() : reject(new Error('was rejected'))));
      });
      sent.once('error', reject);
      sent.end(body);
    });
  const all = async (count) => {
    const durations = [];
    let left = count;
    const line = async () => {
      while (left-- > 0) {
        const startedMs = performance.now();
        await post();
        durations.push(performance.now() - startedMs);
      }
    };
    const startedMs = performance.now();
    await Promise.all(Array.from({ length: inFlight }, line));
    return {
      durations: durations.sort((left, right) => left - right),
      seconds: (performance.now() - startedMs) / 1000,
    };
  };
  await all(Math.max(inFlight, calls / 5));
  const { durations, seconds } = await all(calls);
  const at = (share) => durations[Math.floor(durations.length * share)];
  parentPort.postMessage({ p50Ms: at(0.5), p99Ms: at(0.99), perSecond: calls / seconds });
  agent.destroy();
}

/** The review of an object of 2 KB. */
function review() {
  const type = { group: 'bench.example.com', version: 'v1' };
  const object = {
    ...{ apiVersion: 'bench.example.com/v1', kind: 'Bench', metadata: { name: 'bench', namespace: 'default' } },
    spec: {
      team: 'one',
      items: Array.from({ length: 40 }, (_, at) => ({ name: `item-${at}`, value: 'x'.repeat(16) })),
    },
  };
  return JSON.stringify({
    ...{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
    request: {
      ...{ uid: 'e911857d-c318-11e8-bbad-025000000001', kind: { ...type, kind: 'Bench' }, operation: 'CREATE' },
      ...{ resource: { ...type, resource: 'benches' }, name: 'bench', namespace: 'default', dryRun: false },
      userInfo: { username: 'admin', groups: ['system:masters'] },
      ...{ object, oldObject: null, options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' } },
    },
  });
}
