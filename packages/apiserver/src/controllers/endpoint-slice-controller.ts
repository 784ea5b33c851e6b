import { type Clock, rfc3339 } from '@evenkeel/core';
import type { EndpointSlice, Pod, Service } from '@evenkeel/kinds';
import { jsonEqual } from '../apimachinery/index.ts';
import type { EmbeddedController } from './controller.ts';
import { controllerReferenceTo, isControlledBy, splitKey } from './controller-reference.ts';
import { endpointPorts, endpointsOf } from './service-endpoints.ts';
import { syncServices } from './sync-services.ts';

const slices = { group: 'discovery.k8s.io', plural: 'endpointslices' };
const services = { group: '', plural: 'services' };
const pods = { group: '', plural: 'pods' };

const triggerAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time';

/** Keeps one EndpointSlice for each Service that selects pods. Upstream splits slices of more than 100 endpoints. */
export const endpointSliceController: EmbeddedController = {
  name: 'endpointslice-controller',
  start(context) {
    const { client, clock } = context;
    return syncServices(context, slices, async (key) => {
      const { namespace, name } = splitKey(key);
      const service = client.get<Service>(services, namespace, name);
      if (service === undefined || service.metadata.deletionTimestamp !== undefined) return;
      if (service.spec?.selector === undefined || service.spec.type === 'ExternalName') return;
      const existing = client.list<EndpointSlice>(slices, namespace).find((slice) => isControlledBy(slice, service));
      const wanted = sliceOf(service, client.list<Pod>(pods, namespace), clock);
      if (existing === undefined) {
        await client.create(slices, wanted, { fieldManager: 'kube-controller-manager' });
      } else if (
        !jsonEqual(existing.endpoints ?? [], wanted.endpoints ?? []) ||
        !jsonEqual(existing.ports ?? [], wanted.ports ?? []) ||
        !jsonEqual(existing.metadata.labels, wanted.metadata.labels)
      ) {
        await client.update(slices, {
          ...existing,
          metadata: {
            ...existing.metadata,
            labels: wanted.metadata.labels ?? {},
            annotations: { ...existing.metadata.annotations, ...wanted.metadata.annotations },
          },
          endpoints: wanted.endpoints ?? [],
          ports: wanted.ports ?? [],
        });
      }
    });
  },
};

function sliceOf(service: Service, candidates: readonly Pod[], clock: Clock): EndpointSlice {
  const found = endpointsOf(service, candidates);
  const headless = service.spec?.clusterIP === 'None';
  const trigger = found.length === 0 ? service.metadata.creationTimestamp : rfc3339(new Date(clock.now()));
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: '',
      generateName: `${service.metadata.name}-`,
      namespace: service.metadata.namespace ?? '',
      labels: {
        ...service.metadata.labels,
        ...(headless ? { 'service.kubernetes.io/headless': '' } : {}),
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        'kubernetes.io/service-name': service.metadata.name,
      },
      ...(trigger === undefined ? {} : { annotations: { [triggerAnnotation]: trigger } }),
      ownerReferences: [controllerReferenceTo(service)],
    },
    addressType: 'IPv4',
    endpoints: found.map(({ pod, address, ready, terminating }) => ({
      addresses: [address],
      conditions: { ready, serving: ready || (terminating && pod.status?.phase === 'Running'), terminating },
      ...(pod.spec?.nodeName === undefined ? {} : { nodeName: pod.spec.nodeName }),
      targetRef: {
        kind: 'Pod',
        name: pod.metadata.name,
        namespace: pod.metadata.namespace ?? '',
        uid: pod.metadata.uid ?? '',
      },
    })),
    ports: found.length === 0 ? [] : endpointPorts(service, found[0]?.pod),
  };
}
