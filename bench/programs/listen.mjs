// Starts an embedded API server over HTTPS and prints when it listens.
import { ApiServer } from '@evenkeel/apiserver';

const server = await ApiServer.create();
await server.listen();
console.log(JSON.stringify({ listeningMs: performance.now(), rssBytes: process.memoryUsage().rss }));
await server.close();
