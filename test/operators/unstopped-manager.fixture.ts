// A test process that forgets to stop its manager. It must exit by itself.
import { Environment } from '@evenkeel/testing';
import { ConfigMap, controllerFor, createManager } from 'evenkeel';

const environment = await Environment.create({ variables: {} });
const copy = controllerFor(ConfigMap).reconcile(() => undefined);
const manager = await createManager({
  transport: environment.transport,
  controllers: [copy],
  namespaces: ['default'],
});
await manager.start();
await manager.waitUntilReady();
await createManager({ transport: environment.transport, controllers: [copy], namespaces: ['default'] });
await environment.close();
process.stdout.write('closed\n');
