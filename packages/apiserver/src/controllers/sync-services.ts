import type { Pod, Service } from '@evenkeel/kinds';
import type { ApiObject } from '../kind/api-object.ts';
import type { ControllerContext } from './controller.ts';
import { keyOf } from './controller-reference.ts';
import { KeyedSync } from './keyed-sync.ts';
import type { ServerResource } from './server-client.ts';
import { selectsPod } from './service-endpoints.ts';

const services = { group: '', plural: 'services' };
const pods = { group: '', plural: 'pods' };

/**
 * Syncs a Service when it changes, when a pod changes that it selects or selected, and when the `derived` object of the
 * Service changes. Returns a function that stops this.
 */
export function syncServices(
  context: ControllerContext,
  derived: ServerResource,
  syncService: (key: string) => Promise<void>,
): () => void {
  const { client } = context;
  const sync = new KeyedSync(context, syncService);
  const stops = [
    client.watch<Service>(services, ({ object }) => sync.add(keyOf(object))),
    client.watch<Pod>(pods, ({ object, old }) => {
      for (const service of client.list<Service>(services, object.metadata.namespace)) {
        if (selectsPod(service, object) || (old !== undefined && selectsPod(service, old))) sync.add(keyOf(service));
      }
    }),
    client.watch<ApiObject>(derived, ({ type, object }) => {
      const name = object.metadata.labels?.['kubernetes.io/service-name'] ?? object.metadata.name;
      if (type !== 'ADDED') sync.add(`${object.metadata.namespace ?? ''}/${name}`);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    sync.stop();
  };
}
