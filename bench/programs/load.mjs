// Loads an API server. The argument is a JSON object:
//   kubeconfig  of the server, which has the benchmarks' kind
//   measure     `create`, `get`, `status`, `apply`: requests per second, 16 in flight
//               `list`: the time of a list of all objects
//               `event`: the time from the exec of a create until a watch has its event
//               `watchers`: the time until each of `watchers` watches has the events of `count` creates
//               `definition`: the time from the sending of a CRD of `count` bytes until its objects can be listed
//   count       the number of requests; get, status and apply repeat the objects that `create` has created
//   objects     the number of these objects
//   prefix      of their names; default `bench`
// Prints one line of JSON.
import { setTimeout } from 'node:timers/promises';
import { largeDefinition } from './large-definition.mjs';
import { openConnections } from './raw-connection.mjs';

const { kubeconfig, measure, count, objects = count, prefix = 'bench', watchers = 1 } = JSON.parse(process.argv[2]);
const inFlight = 16;
const collection = '/apis/bench.example.com/v1/namespaces/default/benches';
const nameOf = (at) => `${prefix}-${String(at % objects).padStart(6, '0')}`;
const spec = {
  image: 'registry.example.com/team/app:1.2.3',
  payload: 'x'.repeat(600),
  labels: { tier: 'web', owner: 'team-1' },
};
const objectOf = (name, replicas) =>
  JSON.stringify({
    apiVersion: 'bench.example.com/v1',
    kind: 'Bench',
    metadata: { name, namespace: 'default', labels: { app: 'bench' } },
    spec: { replicas, ...spec },
  });

const requests = {
  create: (at) => ['POST', collection, { body: objectOf(nameOf(at), 1), status: 201 }],
  get: (at) => ['GET', `${collection}/${nameOf(at)}`],
  status: (at) => [
    ...['PATCH', `${collection}/${nameOf(at)}/status`],
    { body: JSON.stringify({ status: { readyReplicas: at } }), contentType: 'application/merge-patch+json' },
  ],
  apply: (at) => [
    ...['PATCH', `${collection}/${nameOf(at)}?fieldManager=load&force=true`],
    { body: objectOf(nameOf(at), at % 100), contentType: 'application/apply-patch+yaml' },
  ],
};

const measured = {
  list: async () => {
    const [connection] = await openConnections(kubeconfig, 1);
    const listMs = [];
    for (let at = 0; at < count; at++) {
      const started = performance.now();
      const body = await connection.send('GET', collection);
      listMs.push(performance.now() - started);
      if (!body.includes(nameOf(objects - 1))) throw new Error('the list is not complete');
    }
    return { listMs: listMs.sort((left, right) => left - right)[listMs.length >> 1] };
  },
  event: async () => {
    const [writer, reader] = await openConnections(kubeconfig, 2);
    let received = '';
    let arrived;
    const reading = reader.watch(await watchPath(writer), (chunk) => {
      received += chunk.toString();
      arrived?.();
      return received.includes(`"event-${count - 1}"`);
    });
    const tookMs = [];
    for (let at = 0; at < count; at++) {
      const started = performance.now();
      const event = new Promise((resolve) => {
        arrived = () => received.includes(`"event-${at}"`) && resolve(performance.now() - started);
      });
      await writer.send('POST', collection, { body: objectOf(`event-${at}`, 1), status: 201 });
      tookMs.push(await event);
      received = '';
    }
    await reading;
    return { eventMs: tookMs.sort((left, right) => left - right)[count >> 1] };
  },
  watchers: async () => {
    const [writer, ...readers] = await openConnections(kubeconfig, watchers + inFlight);
    const writers = readers.splice(0, inFlight - 1);
    const path = await watchPath(writer);
    const reading = readers.map((reader) => {
      let events = 0;
      return reader.watch(path, (chunk) => {
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) events++;
        return events >= count;
      });
    });
    // The watches are open when the server has responded to a request that came after them.
    await writer.send('GET', `${collection}?limit=1`);
    const started = performance.now();
    await drive([writer, ...writers], (at) => ['POST', collection, { body: objectOf(`seen-${at}`, 1), status: 201 }]);
    const createdMs = performance.now() - started;
    await Promise.all(reading);
    return { createdMs, watchersMs: performance.now() - started };
  },
  definition: async () => {
    const [connection] = await openConnections(kubeconfig, 1);
    const body = JSON.stringify(largeDefinition(count));
    const started = performance.now();
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await connection.send('POST', definitions, { body, status: 201 });
    for (;;) {
      // The real server rejects requests with 429 while it initializes the storage of the kind.
      const listed = await connection.send('GET', '/apis/bench.example.com/v1/larges', { status: [200, 404, 429] });
      if (listed.includes('"LargeList"')) return { definitionMs: performance.now() - started };
      await setTimeout(1);
    }
  },
};

const figures = await (measured[measure] ?? rate)();
console.log(JSON.stringify(figures));
process.exit(0);

async function rate() {
  const connections = await openConnections(kubeconfig, inFlight);
  const started = performance.now();
  await drive(connections, requests[measure]);
  return { perSecond: (count * 1000) / (performance.now() - started) };
}

async function drive(connections, requestOf) {
  let next = 0;
  await Promise.all(
    connections.map(async (connection) => {
      while (next < count) await connection.send(...requestOf(next++));
    }),
  );
}

async function watchPath(connection) {
  const list = JSON.parse(await connection.send('GET', `${collection}?limit=1`));
  return `${collection}?watch=true&resourceVersion=${list.metadata.resourceVersion}`;
}
