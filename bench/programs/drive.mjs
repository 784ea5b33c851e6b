// Sends one request again and again. The argument is a JSON object:
//   url, caFile of a webhook
//   kubeconfig  of an API server, instead of them
//   request     `admission` or `conversion`: a review for a webhook; `create`: a dry run, and `list`: all objects in v2, for an API server
//   objects     the number of objects of a conversion and of a list
//   calls, inFlight
// Prints one line of JSON: the number of calls, percentiles of the duration, and calls per second.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { loadConnection } from '@evenkeel/client';
import { admissionReview, benchObject, conversionReview } from './bench-objects.ts';

const given = JSON.parse(process.argv[2]);
const { objects = 1, calls, inFlight } = given;
const benches = (version) => `/apis/bench.example.com/${version}/namespaces/default/benches`;
const requests = {
  admission: () => ({
    ...{ path: '/validate-bench-example-com-v1-bench?timeout=10s', body: admissionReview(), status: 200 },
    proof: '"allowed":true',
  }),
  conversion: () => ({
    ...{ path: '/convert?timeout=30s', body: conversionReview(objects), status: 200 },
    proof: '"status":"Success"',
  }),
  create: () => ({
    ...{ path: `${benches('v1')}?dryRun=All`, body: JSON.stringify(benchObject('new')), status: 201 },
    proof: '"name":"bench-new"',
  }),
  list: () => ({ path: benches('v2'), status: 200, proof: `"name":"bench-${objects - 1}"` }),
};
const { path, body, status, proof } = requests[given.request]();
const { url, tls, headers } = given.kubeconfig === undefined ? webhook() : await apiServer();
const agent = new Agent({ keepAlive: true, maxSockets: inFlight, ...tls });
const options = {
  ...{ agent, method: body === undefined ? 'GET' : 'POST' },
  headers: {
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    ...headers,
  },
};

const warming = await drive(Math.max(inFlight, calls >> 2));
const { durations, seconds } = await drive(calls);
const at = (share) => durations[Math.floor(durations.length * share)];
const sent = calls + warming.durations.length;
console.log(JSON.stringify({ sent, p50Ms: at(0.5), p99Ms: at(0.99), perSecond: calls / seconds }));
agent.destroy();

function webhook() {
  return { url: given.url, tls: { ca: readFileSync(given.caFile) }, headers: {} };
}

async function apiServer() {
  const { server, ca, credentials } = await loadConnection({ kubeconfig: given.kubeconfig });
  const { headers = {}, cert, key } = (await credentials?.()) ?? {};
  return { url: server, tls: { ca, cert, key }, headers };
}

async function drive(count) {
  const durations = [];
  let left = count;
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (left-- > 0) {
        const sentMs = performance.now();
        await call();
        durations.push(performance.now() - sentMs);
      }
    }),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  return { durations: durations.sort((one, other) => one - other), seconds };
}

function call() {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, options, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const answer = Buffer.concat(chunks);
        if (response.statusCode === status && answer.includes(proof)) resolve();
        else reject(new Error(`${given.request}: ${response.statusCode}: ${answer.subarray(0, 500)}`));
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
