import type { KubernetesObject, OwnerReference } from '@evenkeel/core';
import type { Deployment, ReplicaSet } from '@evenkeel/kinds';
import { isJsonObject, valueAt } from '../../apimachinery/index.ts';
import { controllerOf } from '../controller-reference.ts';
import type { ServerClient, ServerResource } from '../server-client.ts';

const deployments = { group: 'apps', plural: 'deployments' };
const replicaSets = { group: 'apps', plural: 'replicasets' };
const definitions = { group: 'apiextensions.k8s.io', plural: 'customresourcedefinitions' };

/** The workload that controls pods, and its desired number of pods. */
export interface ControlledScale {
  readonly uid: string;
  readonly replicas: number;
}

interface Scalable extends KubernetesObject {
  readonly spec?: { readonly replicas?: number };
}

const builtIns: Readonly<Record<string, ServerResource>> = {
  'apps/v1 StatefulSet': { group: 'apps', plural: 'statefulsets' },
  'v1 ReplicationController': { group: '', plural: 'replicationcontrollers' },
  'apps/v1 Deployment': deployments,
  'apps/v1 ReplicaSet': replicaSets,
};

/**
 * The scale of the workload behind the controller reference of a pod; undefined if it does not exist. Throws an error
 * for a kind without a scale. Source: `finders`, `pkg/controller/disruption/disruption.go`.
 */
export function scaleBehind(
  client: ServerClient,
  reference: OwnerReference,
  namespace: string | undefined,
): ControlledScale | undefined {
  const builtIn = builtIns[`${reference.apiVersion} ${reference.kind}`];
  if (builtIn === undefined) return customScale(client, reference, namespace);
  const workload = client.get<Scalable>(builtIn, namespace, reference.name);
  if (workload === undefined || workload.metadata.uid !== reference.uid) return undefined;
  const owner = builtIn === replicaSets ? controllerOf(workload as ReplicaSet) : undefined;
  if (owner?.kind === 'Deployment') {
    const deployment = client.get<Deployment>(deployments, namespace, owner.name);
    if (deployment?.metadata.uid === owner.uid) return { uid: owner.uid, replicas: deployment?.spec?.replicas ?? 1 };
  }
  return { uid: reference.uid, replicas: workload.spec?.replicas ?? 1 };
}

function customScale(
  client: ServerClient,
  { apiVersion, kind, name, uid }: OwnerReference,
  namespace: string | undefined,
): ControlledScale | undefined {
  const resource = client.resourceOf(apiVersion, kind);
  if (resource === undefined) throw new Error(`no matches for kind ${JSON.stringify(kind)} in version "${apiVersion}"`);
  const { group, plural, version } = resource;
  const qualified = group === '' ? plural : `${plural}.${group}`;
  const definition = client.get<{ spec: { versions: readonly DefinedVersion[] } }>(definitions, undefined, qualified);
  const path = definition?.spec.versions.find((one) => one.name === version)?.subresources?.scale?.specReplicasPath;
  if (path === undefined) throw new Error(`${qualified} does not implement the scale subresource`);
  const workload = client.get(resource, namespace, name);
  if (workload === undefined || workload.metadata.uid !== uid) return undefined;
  const replicas = path
    .split('.')
    .slice(1)
    .reduce<unknown>((value, key) => (isJsonObject(value) ? valueAt(value, key) : undefined), workload);
  return { uid, replicas: typeof replicas === 'number' ? replicas : 0 };
}

interface DefinedVersion {
  readonly name: string;
  readonly subresources?: { readonly scale?: { readonly specReplicasPath: string } };
}
