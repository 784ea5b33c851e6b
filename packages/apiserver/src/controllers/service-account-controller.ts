import type { Namespace, ServiceAccount } from '@evenkeel/kinds';
import type { EmbeddedController } from './controller.ts';
import { splitKey } from './controller-reference.ts';
import { KeyedSync } from './keyed-sync.ts';

const namespaces = { group: '', plural: 'namespaces' };
const serviceAccounts = { group: '', plural: 'serviceaccounts' };

/** Creates the service account `default` in every namespace. */
export const serviceAccountController: EmbeddedController = {
  name: 'serviceaccount-controller',
  start(context) {
    const { client } = context;
    const sync = new KeyedSync(context, async (key) => {
      const { name } = splitKey(key);
      const namespace = client.get<Namespace>(namespaces, undefined, name);
      if (namespace === undefined || namespace.metadata.deletionTimestamp !== undefined) return;
      if (client.get(serviceAccounts, name, 'default') !== undefined) return;
      await client.create<ServiceAccount>(serviceAccounts, {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'default', namespace: name },
      });
    });
    const stops = [
      client.watch<Namespace>(namespaces, ({ object }) => sync.add(`/${object.metadata.name}`)),
      client.watch<ServiceAccount>(serviceAccounts, ({ type, object }) => {
        if (type === 'DELETED' && object.metadata.name === 'default') sync.add(`/${object.metadata.namespace ?? ''}`);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      sync.stop();
    };
  },
};
