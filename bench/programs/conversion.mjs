// Converts a review with many objects again and again, and prints the medians as JSON. Arguments: objects, rounds.
import { CustomResource, KubernetesObject, Spec } from '@evenkeel/core';
import { hosted } from './hosted.mjs';

const [objects, rounds] = process.argv.slice(2).map(Number);
const group = 'bench.example.com';

class Hub extends KubernetesObject {}
Spec()(Hub.prototype, 'spec');
CustomResource({ group, version: 'v2', kind: 'Site', storage: true })(Hub);

const stops = [];

async function routeOf(conversion) {
  class Spoke extends KubernetesObject {}
  Spec()(Spoke.prototype, 'spec');
  CustomResource({ group, version: 'v1', kind: 'Site', conversion: { hub: Hub, ...conversion } })(Spoke);
  const { webhooks, stop } = await hosted({ conversions: [Spoke] });
  stops.push(stop);
  return webhooks;
}

const moves = { 'spec.size': 'spec.replicas', 'spec.colour': 'spec.color' };
const functions = {
  toHub: (spoke, hub) => {
    hub.spec.replicas = spoke.spec.size;
    hub.spec.color = spoke.spec.colour;
  },
  fromHub: (hub, spoke) => {
    spoke.spec.size = hub.spec.replicas;
    spoke.spec.colour = hub.spec.color;
  },
};

function site(version, at) {
  const fields = version === 'v1' ? { size: 3, colour: 'red' } : { replicas: 3, color: 'red' };
  const labels = Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`example.com/label-${n}`, `value-${n}`]));
  const ports = Array.from({ length: 12 }, (_, n) => ({
    name: `port-${n}`,
    port: 8000 + n,
    protocol: 'TCP',
    targetPort: 80,
  }));
  const conditions = ['Ready', 'Progressing', 'Degraded'].map((type) => ({
    ...{ type, status: 'True', reason: 'AsExpected', message: `the object is ${type}` },
    ...{ lastTransitionTime: '2026-01-01T00:00:00Z', observedGeneration: 4 },
  }));
  return {
    ...{ apiVersion: `${group}/${version}`, kind: 'Site' },
    metadata: {
      ...{ name: `site-${at}`, namespace: 'default', uid: `123e4567-e89b-12d3-a456-${String(at).padStart(12, '0')}` },
      ...{ resourceVersion: String(1000 + at), generation: 4, creationTimestamp: '2026-01-01T00:00:00Z', labels },
    },
    spec: { ...fields, legacy: 'an old value', ports, image: 'registry.example.com/site:v1.2.3' },
    status: { conditions, ready: 3 },
  };
}

function reviewOf(version, desired) {
  const list = Array.from({ length: objects }, (_, at) => site(version, at));
  const request = { uid: 'u', desiredAPIVersion: `${group}/${desired}`, objects: list };
  const review = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request };
  return new TextEncoder().encode(JSON.stringify(review));
}

async function medianMs(run) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return times.sort((one, other) => one - other)[rounds >> 1];
}

const { signal } = new AbortController();
const converting = (route, body) => async () => {
  const answer = await route.handle({ path: '/convert', query: new URLSearchParams(), contentType: '', body, signal });
  if (!answer.body.includes('"status":"Success"')) throw new Error(answer.body.slice(0, 500));
};

const [old, hub] = [reviewOf('v1', 'v2'), reviewOf('v2', 'v1')];
const json = () => void JSON.stringify(JSON.parse(new TextDecoder().decode(old)));
const report = {
  bytes: old.length,
  toHubMs: await medianMs(converting(await routeOf({ moves }), old)),
  fromHubMs: await medianMs(converting(await routeOf({ moves }), hub)),
  functionsMs: await medianMs(converting(await routeOf(functions), old)),
  keptMs: await medianMs(converting(await routeOf({ moves, keep: { spoke: ['spec.legacy'] } }), old)),
  jsonMs: await medianMs(json),
};
console.log(JSON.stringify(report));
for (const stop of stops) await stop();
