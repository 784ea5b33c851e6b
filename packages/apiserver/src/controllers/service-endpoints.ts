import { labelRequirementsOf, matchesLabels } from '@evenkeel/core';
import type { Pod, Service, ServicePort } from '@evenkeel/kinds';
import { isFinished, isReady } from './pod-readiness.ts';

/** A port of a Service with its number on the pods. */
export interface EndpointPort {
  readonly name?: string;
  readonly port: number;
  readonly protocol: NonNullable<ServicePort['protocol']>;
  readonly appProtocol?: string;
}

/** A pod behind a Service. */
export interface ServiceEndpoint {
  readonly pod: Pod;
  readonly address: string;
  readonly ready: boolean;
  readonly terminating: boolean;
}

/** The selected pods of a Service that have an address, sorted by name, without finished pods. */
export function endpointsOf(service: Service, pods: readonly Pod[]): ServiceEndpoint[] {
  return pods
    .filter((pod) => selectsPod(service, pod))
    .filter((pod) => pod.status?.podIP !== undefined && !isFinished(pod))
    .map((pod) => ({
      pod,
      address: pod.status?.podIP ?? '',
      ready:
        (isReady(pod) && pod.metadata.deletionTimestamp === undefined) ||
        service.spec?.publishNotReadyAddresses === true,
      terminating: pod.metadata.deletionTimestamp !== undefined,
    }));
}

/** Whether a Service's selector matches a pod. An absent or empty selector matches none. */
export function selectsPod(service: Service, pod: Pod): boolean {
  const matchLabels = service.spec?.selector ?? {};
  return (
    Object.keys(matchLabels).length > 0 && matchesLabels(labelRequirementsOf({ matchLabels }), pod.metadata.labels)
  );
}

/** A Service's ports with their numbers on the pods. A port whose name no container has is omitted. */
export function endpointPorts(service: Service, pod: Pod | undefined): EndpointPort[] {
  return (service.spec?.ports ?? []).flatMap((port) => {
    const protocol = port.protocol ?? 'TCP';
    const target = port.targetPort ?? port.port;
    const number = typeof target === 'number' ? target : containerPort(pod, target, protocol);
    if (number === undefined) return [];
    return [
      {
        ...(port.name === undefined ? {} : { name: port.name }),
        port: number,
        protocol,
        ...(port.appProtocol === undefined ? {} : { appProtocol: port.appProtocol }),
      },
    ];
  });
}

function containerPort(pod: Pod | undefined, name: string, protocol: string): number | undefined {
  return pod?.spec?.containers
    .flatMap((container) => container.ports ?? [])
    .find((port) => port.name === name && (port.protocol ?? 'TCP') === protocol)?.containerPort;
}
