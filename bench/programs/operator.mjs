// Only the example operator, with a kubeconfig with a token: prints when all of its informers have synced.
import { createManager } from 'evenkeel';
import { NginxController } from '../../examples/nginx/dist/nginx.controller.js';

const manager = await createManager({ controllers: [NginxController], kubeconfig: process.argv[2] });
await manager.start();
await manager.waitUntilReady();
console.log(JSON.stringify({ watchingMs: performance.now(), rssBytes: process.memoryUsage().rss }));
await manager.stop();
