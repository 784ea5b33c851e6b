import type { ConfigMap, Namespace } from '@evenkeel/kinds';
import { jsonEqual } from '../apimachinery/index.ts';
import type { EmbeddedController } from './controller.ts';
import { splitKey } from './controller-reference.ts';
import { KeyedSync } from './keyed-sync.ts';

const namespaces = { group: '', plural: 'namespaces' };
const configMaps = { group: '', plural: 'configmaps' };

const name = 'kube-root-ca.crt';
const described = 'kubernetes.io/description';
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/**
 * Publishes the CA certificate of the server in each namespace, in the ConfigMap that pods mount.
 * Source: `pkg/controller/certificates/rootcacertpublisher/publisher.go`.
 */
export const rootCaPublisher: EmbeddedController = {
  name: 'root-ca-certificate-publisher-controller',
  start(context) {
    const { client, rootCaPem } = context;
    const sync = new KeyedSync(context, async (key) => {
      const data = { 'ca.crt': await rootCaPem() };
      const { name: namespace } = splitKey(key);
      const home = client.get<Namespace>(namespaces, undefined, namespace);
      if (home === undefined || home.metadata.deletionTimestamp !== undefined) return;
      const existing = client.get<ConfigMap>(configMaps, namespace, name);
      if (existing === undefined) {
        const metadata = { name, namespace, annotations: { [described]: description } };
        await client.create<ConfigMap>(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
        return;
      }
      const { annotations } = existing.metadata;
      if (jsonEqual(existing.data, data) && annotations?.[described]) return;
      await client.update<ConfigMap>(configMaps, {
        ...existing,
        metadata: { ...existing.metadata, annotations: { ...annotations, [described]: description } },
        data,
      });
    });
    const stops = [
      client.watch<Namespace>(namespaces, ({ object }) => sync.add(`/${object.metadata.name}`)),
      client.watch<ConfigMap>(configMaps, ({ type, object }) => {
        if (type !== 'ADDED' && object.metadata.name === name) sync.add(`/${object.metadata.namespace ?? ''}`);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      sync.stop();
    };
  },
};
