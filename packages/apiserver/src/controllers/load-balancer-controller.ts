import type { Service } from '@evenkeel/kinds';
import { jsonEqual } from '../apimachinery/index.ts';
import type { EmbeddedController } from './controller.ts';
import { keyOf, splitKey } from './controller-reference.ts';
import { EventWriter } from './event-writer.ts';
import { KeyedSync } from './keyed-sync.ts';

const services = { group: '', plural: 'services' };

/**
 * Gives each Service of type LoadBalancer its own address on the loopback network (127.1.0.0/16), as a cloud's controller
 * would. Nothing listens there. A real control plane without a cloud does not do this.
 */
export const loadBalancerController: EmbeddedController = {
  name: 'service-lb-controller',
  start(context) {
    const { client, clock } = context;
    const events = new EventWriter(client, clock, 'service-controller');
    const addresses = new Map<string, string>();
    const sync = new KeyedSync(context, async (key) => {
      const { namespace, name } = splitKey(key);
      const service = client.get<Service>(services, namespace, name);
      const wanted = service?.spec?.type === 'LoadBalancer' && service.metadata.deletionTimestamp === undefined;
      if (service === undefined || !wanted) {
        addresses.delete(key);
        if (service?.status?.loadBalancer?.ingress === undefined) return;
        await client.updateStatus(services, { ...service, status: { ...service.status, loadBalancer: {} } });
        return;
      }
      if (service.spec?.loadBalancerClass !== undefined) return;
      const existing = service.status?.loadBalancer?.ingress?.[0]?.ip;
      const ip = addresses.get(key) ?? (existing?.startsWith('127.1.') ? existing : nextAddress(addresses));
      addresses.set(key, ip);
      const loadBalancer = { ingress: [{ ip, ipMode: 'VIP' }] };
      if (jsonEqual(service.status?.loadBalancer, loadBalancer)) return;
      events.normal(service, 'EnsuringLoadBalancer', 'Ensuring load balancer');
      await client.updateStatus(services, { ...service, status: { ...service.status, loadBalancer } });
      events.normal(service, 'EnsuredLoadBalancer', 'Ensured load balancer');
    });
    const stop = client.watch<Service>(services, ({ object }) => sync.add(keyOf(object)));
    return () => {
      stop();
      sync.stop();
    };
  },
};

function nextAddress(taken: ReadonlyMap<string, string>): string {
  const used = new Set(taken.values());
  for (let number = 1; ; number++) {
    const address = `127.1.${(number >> 8) & 255}.${number & 255}`;
    if (!used.has(address)) return address;
  }
}
