import { copyJson, isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import type { Random } from '@evenkeel/core';
import { validObjects } from '../../packages/apiserver/src/strategy/valid-objects.fixture.ts';
import { printedObjects } from '../../packages/apiserver/src/table/printed-objects.fixture.ts';
import { mutate, pick } from './random-json.fixture.ts';

/** In requests, the namespace of the history, which differs in each run. */
export const namespaceMark = '@NS@';

/** A kind whose objects a history creates and changes. */
export interface Target {
  readonly group: string;
  readonly versions: readonly string[];
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly custom: boolean;
  readonly subresources: readonly string[];
  /** Fields for field selectors, not all of them selectable. */
  readonly fields: readonly string[];
  /** Members of an object without its type and metadata. With faults of 0, the object is mostly valid. */
  sample(random: Random, version: string, faults: number): JsonObject;
  /** A status for the subresource. */
  status(random: Random, version: string, faults: number): unknown;
}

export function apiVersionOf({ group }: Target, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The path of all objects of the kind in the namespace of the history. */
export function collectionOf(target: Target, version: string): string {
  const root = target.group === '' ? `/api/${version}` : `/apis/${target.group}/${version}`;
  return `${root}${target.namespaced ? `/namespaces/${namespaceMark}` : ''}/${target.plural}`;
}

const withScale = ['deployments', 'replicasets', 'statefulsets', 'replicationcontrollers'];
const withoutStatus = [
  ...['configmaps', 'secrets', 'serviceaccounts', 'endpoints', 'limitranges', 'events', 'podtemplates', 'leases'],
  ...['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings', 'endpointslices', 'priorityclasses'],
  ...['storageclasses', 'csidrivers', 'ingressclasses', 'networkpolicies'],
];

/**
 * The kinds whose validation is complete: docs/embedded-server.md lists the others.
 */
const validatedKinds = [
  ...['ConfigMap', 'Secret', 'Service', 'ServiceAccount', 'Pod', 'Deployment', 'ReplicaSet', 'StatefulSet', 'Job'],
  ...['Role', 'RoleBinding', 'ClusterRole', 'NetworkPolicy', 'PodDisruptionBudget', 'Ingress'],
  ...['ControllerRevision', 'CronJob', 'DaemonSet', 'ResourceQuota', 'LimitRange', 'ReplicationController'],
  ...['PersistentVolume', 'PersistentVolumeClaim', 'StorageClass', 'CSIDriver', 'IngressClass', 'PodTemplate'],
  ...['HorizontalPodAutoscaler', 'RuntimeClass', 'PriorityClass', 'Endpoints', 'EndpointSlice', 'Lease'],
];

/** The built-in kinds of which there are samples. */
export const builtInTargets: readonly Target[] = targetsOf();

function targetsOf(): Target[] {
  const paths = new Set([...validObjects, ...printedObjects].map(({ path }) => path));
  return [...paths].flatMap((path) => {
    const printed = printedObjects.filter((one) => one.path === path);
    const samples = [...validObjects.filter((one) => one.path === path), ...printed].map(({ object }) => object);
    return (
      targetOf(
        path,
        samples as JsonObject[],
        printed.flatMap(({ status }) => (status === undefined ? [] : [status])),
      ) ?? []
    );
  });
}

function targetOf(path: string, samples: readonly JsonObject[], statuses: readonly object[]): Target | undefined {
  const match = /^\/(?:api|apis\/([^/]+))\/([^/]+)(\/namespaces\/default)?\/([a-z]+)$/.exec(path);
  const [first] = samples;
  if (match === null || first === undefined) return undefined;
  const [, group = '', version = '', namespace, plural = ''] = match;
  if (!validatedKinds.includes(String(first['kind']))) return undefined;
  const contents = samples.map(({ apiVersion: _, kind: __, metadata: ___, ...content }) => content);
  return {
    group,
    versions: [version],
    kind: String(first['kind']),
    plural,
    namespaced: namespace !== undefined,
    custom: false,
    subresources: [
      ...(withoutStatus.includes(plural) ? [] : ['status']),
      ...(withScale.includes(plural) ? ['scale'] : []),
    ],
    fields: ['spec.nodeName', 'status.phase', 'type', 'status.replicas', 'involvedObject.name', 'spec.unschedulable'],
    sample(random, _, faults) {
      const content = copyJson(pick(random, contents));
      if (faults === 0) return content;
      const mutated = mutate(content, random, 1 + random.integer(3), contents);
      return isJsonObject(mutated) ? mutated : {};
    },
    status(random, _, faults) {
      const status = copyJson(pick(random, [{ replicas: 1 }, { conditions: [] }, ...statuses]));
      return faults === 0 ? status : mutate(status, random, 1 + random.integer(2), statuses);
    },
  };
}
