// A thousand informers, each with another selector, on a server without matching objects. Run with --expose-gc. Prints
// one line of JSON: the heap of each informer, and the number of open sockets.
import { createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { ConfigMap } from '@evenkeel/kinds';
import { Cache } from '@evenkeel/runtime/cache';

const [kubeconfig, count] = [process.argv[2], Number(process.argv[3])];
const cache = new Cache({ client: createClient(httpsTransport(await loadConnection({ kubeconfig }))) });
const stop = new AbortController();
cache.start(stop.signal);
collect();
const before = process.memoryUsage().heapUsed;
for (let at = 0; at < count; at++) cache.informer(ConfigMap, { labels: { informer: `n${at}` } });
await cache.waitForSync();
collect();
const heapBytes = (process.memoryUsage().heapUsed - before) / count;
const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
console.log(JSON.stringify({ heapBytes, socketsEach: sockets / count, rssBytes: process.memoryUsage().rss }));
process.exit(0);

function collect() {
  globalThis.gc();
  globalThis.gc();
}
