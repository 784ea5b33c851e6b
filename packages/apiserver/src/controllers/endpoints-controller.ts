import { rfc3339 } from '@evenkeel/core';
import type { Endpoints, Pod, Service } from '@evenkeel/kinds';
import { jsonEqual } from '../apimachinery/index.ts';
import type { EmbeddedController } from './controller.ts';
import { splitKey } from './controller-reference.ts';
import { endpointPorts, endpointsOf, type ServiceEndpoint } from './service-endpoints.ts';
import { syncServices } from './sync-services.ts';

const endpoints = { group: '', plural: 'endpoints' };
const services = { group: '', plural: 'services' };
const pods = { group: '', plural: 'pods' };

/** Keeps the legacy Endpoints of each Service that selects pods. They have the Service's name and are deleted with it. */
export const endpointsController: EmbeddedController = {
  name: 'endpoints-controller',
  start(context) {
    const { client, clock } = context;
    return syncServices(context, endpoints, async (key) => {
      const { namespace, name } = splitKey(key);
      const service = client.get<Service>(services, namespace, name);
      const existing = client.get<Endpoints>(endpoints, namespace, name);
      if (service === undefined) {
        if (existing?.metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') {
          await client.delete(endpoints, namespace, name);
        }
        return;
      }
      if (service.spec?.selector === undefined || service.spec.type === 'ExternalName') return;
      const found = endpointsOf(service, client.list<Pod>(pods, namespace)).filter(({ terminating }) => !terminating);
      const subsets = subsetsOf(service, found);
      const labels = {
        ...service.metadata.labels,
        'endpoints.kubernetes.io/managed-by': 'endpoint-controller',
        ...(service.spec.clusterIP === 'None' ? { 'service.kubernetes.io/headless': '' } : {}),
      };
      if (
        existing !== undefined &&
        jsonEqual(existing.subsets ?? [], subsets ?? []) &&
        jsonEqual(existing.metadata.labels, labels)
      ) {
        return;
      }
      const trigger = found.length === 0 ? service.metadata.creationTimestamp : rfc3339(new Date(clock.now()));
      const wanted = {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: {
          ...existing?.metadata,
          name,
          namespace: namespace ?? '',
          labels,
          annotations: {
            ...existing?.metadata.annotations,
            ...(trigger === undefined ? {} : { 'endpoints.kubernetes.io/last-change-trigger-time': trigger }),
          },
        },
        ...(subsets === undefined ? {} : { subsets }),
      } as Endpoints;
      if (existing === undefined) await client.create(endpoints, wanted);
      else await client.update(endpoints, wanted);
    });
  },
};

function subsetsOf(service: Service, found: readonly ServiceEndpoint[]): Endpoints['subsets'] {
  if (found.length === 0) return undefined;
  const addressesOf = (ready: boolean) =>
    found
      .filter((endpoint) => endpoint.ready === ready)
      .map(({ pod, address }) => ({
        ip: address,
        ...(pod.spec?.nodeName === undefined ? {} : { nodeName: pod.spec.nodeName }),
        targetRef: {
          kind: 'Pod',
          name: pod.metadata.name,
          namespace: pod.metadata.namespace ?? '',
          uid: pod.metadata.uid ?? '',
        },
      }));
  const addresses = addressesOf(true);
  const notReadyAddresses = addressesOf(false);
  return [
    {
      ...(addresses.length === 0 ? {} : { addresses }),
      ...(notReadyAddresses.length === 0 ? {} : { notReadyAddresses }),
      ports: endpointPorts(service, found[0]?.pod).map((port) => ({ ...port })),
    },
  ];
}
