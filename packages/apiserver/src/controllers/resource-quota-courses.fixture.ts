import type { KubernetesObject } from '@evenkeel/core';
import { Course, type Spec } from './course.fixture.ts';

const container = (requests?: object): object => ({
  name: 'a',
  image: 'a',
  ...(requests !== undefined && { resources: { requests } }),
});
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [container()] } };
const workload = { replicas: 3, selector: { matchLabels: { app: 'web' } }, template };

interface SeenQuota extends KubernetesObject {
  readonly spec: { readonly hard: Record<string, string> };
  readonly status?: { readonly hard?: Record<string, string>; readonly used?: Record<string, string> };
}

interface Workload extends KubernetesObject {
  readonly status?: {
    readonly replicas?: number;
    readonly conditions?: readonly { readonly type: string; readonly message?: string }[];
  };
}

/** A scenario of the quotas of one namespace on one server. */
export class QuotaCourse extends Course {
  create(plural: string, name: string, body: object, version = '/api/v1'): Promise<unknown> {
    return this.send('POST', this.path(version, plural), { metadata: { name }, ...body });
  }

  pod(name: string, spec: object = {}): Promise<unknown> {
    return this.create('pods', name, { spec: { containers: [container()], ...spec } });
  }

  quota(name: string, hard: Record<string, string>, more: Spec = {}): Promise<unknown> {
    return this.create('resourcequotas', name, { spec: { hard, ...more } });
  }

  change(plural: string, name: string, patch: object, version = '/api/v1'): Promise<unknown> {
    return this.send('PATCH', this.path(version, plural, name), patch);
  }

  async remove(plural: string, name: string): Promise<void> {
    await this.send('DELETE', `${this.path('/api/v1', plural, name)}?gracePeriodSeconds=0`);
  }

  /** Waits for a usage, and records the quota. Resources that are not in `used` are not compared. */
  async until(name: string, used: Record<string, string>): Promise<void> {
    const look = async (): Promise<SeenQuota> =>
      (await this.send('GET', this.path('/api/v1', 'resourcequotas', name))) as SeenQuota;
    const quota = await this.wait(`used ${JSON.stringify(used)}`, look, ({ spec, status }) => {
      const isCurrent = JSON.stringify(status?.hard) === JSON.stringify(spec.hard);
      return isCurrent && Object.entries(used).every(([resource, amount]) => status?.used?.[resource] === amount);
    });
    const { managedFields: _, ...metadata } = quota.metadata;
    this.seen.push({ ...quota, metadata });
  }

  /** Waits until a workload has Pods and the failure to create more, or not, and records its status. */
  async untilCreated(version: string, plural: string, replicas: number, fails: boolean): Promise<void> {
    const look = async (): Promise<Workload> => (await this.send('GET', this.path(version, plural, 'web'))) as Workload;
    const { status } = await this.wait(`${replicas} replicas`, look, (seen) => {
      const hasFailed = seen.status?.conditions?.some(({ type }) => type === 'ReplicaFailure') === true;
      return (seen.status?.replicas ?? 0) === replicas && hasFailed === fails;
    });
    // Which condition changed last depends on the pace of two controllers.
    const conditions = [...(status?.conditions ?? [])].sort((a, b) => (a.type < b.type ? -1 : 1));
    this.seen.push({ ...status, conditions });
  }

  async events(): Promise<string[]> {
    const kinds = ['ReplicaSet', 'Deployment', 'StatefulSet', 'ResourceQuota'];
    const events = await Promise.all(kinds.map((kind) => this.eventsOf(kind)));
    return events.flat();
  }
}

const merged = (spec: object): object => ({ spec });

export const quotaCourses: Readonly<Record<string, (course: QuotaCourse) => Promise<void>>> = {
  'counts what exists': async (course) => {
    await course.pod('plain');
    await course.pod('requesting', {
      containers: [container({ cpu: '250m', memory: '1Gi', 'ephemeral-storage': '1' })],
    });
    await course.pod('whole', { resources: { requests: { cpu: '1' } } });
    await course.create('services', 'ports', { spec: { type: 'NodePort', ports: [{ port: 80 }] } });
    await course.create('services', 'balanced', { spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } });
    await course.create('persistentvolumeclaims', 'data', {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'gold' },
    });
    await course.create('secrets', 'a', {});
    await course.create('roles', 'a', { rules: [] }, '/apis/rbac.authorization.k8s.io/v1');
    await course.quota('all', {
      pods: '10',
      'count/pods': '10',
      cpu: '2',
      'requests.memory': '5Gi',
      'limits.cpu': '1',
      'requests.ephemeral-storage': '1Gi',
      'requests.example.com/gpu': '1',
      services: '5',
      'services.nodeports': '5',
      'services.loadbalancers': '5',
      persistentvolumeclaims: '5',
      'requests.storage': '5Gi',
      'gold.storageclass.storage.k8s.io/requests.storage': '5Gi',
      'silver.storageclass.storage.k8s.io/persistentvolumeclaims': '5',
      secrets: '5',
      resourcequotas: '5',
      'count/roles.rbac.authorization.k8s.io': '5',
      'count/nothings.example.com': '5',
      'count/events': '5',
    });
    await course.until('all', { pods: '3', cpu: '1250m' });
  },
  'counts by scope': async (course) => {
    await course.pod('plain');
    await course.pod('short', { activeDeadlineSeconds: 1000 });
    await course.pod('large', { containers: [container({ cpu: '1' })], priorityClassName: 'system-node-critical' });
    const selecting = (scopeName: string, operator: string, values?: string[]): Spec => ({
      scopeSelector: { matchExpressions: [{ scopeName, operator, ...(values !== undefined && { values }) }] },
    });
    const scopes = [
      ['terminating', { scopes: ['Terminating'] }, '1'],
      ['not-terminating', { scopes: ['NotTerminating'] }, '2'],
      ['best-effort', { scopes: ['BestEffort', 'NotTerminating'] }, '1'],
      ['not-best-effort', { scopes: ['NotBestEffort'] }, '1'],
      ['priority', { scopes: ['PriorityClass'] }, '1'],
      ['priority-exists', selecting('PriorityClass', 'Exists'), '1'],
      ['priority-in', selecting('PriorityClass', 'In', ['system-node-critical']), '1'],
      ['priority-not-in', selecting('PriorityClass', 'NotIn', ['system-node-critical']), '2'],
      ['affinity', { scopes: ['CrossNamespacePodAffinity'] }, '0'],
    ] as const;
    for (const [name, spec] of scopes) await course.quota(name, { pods: '5' }, spec);
    for (const [name, , used] of scopes) await course.until(name, { pods: used });
  },
  'releases what is deleted, ends or changes': async (course) => {
    await course.quota('limited', {
      pods: '3',
      'count/pods': '3',
      services: '2',
      'services.nodeports': '2',
      secrets: '2',
    });
    await course.until('limited', { pods: '0', secrets: '0' });
    for (const name of ['a', 'b', 'c']) await course.pod(name);
    await course.create('services', 'ports', { spec: { type: 'NodePort', ports: [{ port: 80 }] } });
    await course.create('secrets', 'a', {});
    await course.until('limited', { pods: '3', services: '1', 'services.nodeports': '1', secrets: '1' });
    await course.change('pods', 'a/status', { status: { phase: 'Succeeded' } });
    await course.until('limited', { pods: '2', 'count/pods': '3' });
    await course.remove('pods', 'b');
    await course.until('limited', { pods: '1', 'count/pods': '2' });
    await course.change('services', 'ports', merged({ type: 'ClusterIP' }));
    await course.until('limited', { 'services.nodeports': '0' });
    await course.remove('secrets', 'a');
    await course.until('limited', { secrets: '0' });
  },
  'follows changed limits': async (course) => {
    await course.pod('a');
    await course.quota('limited', { pods: '3' });
    await course.until('limited', { pods: '1' });
    await course.change('resourcequotas', 'limited', merged({ hard: { pods: null, 'count/pods': '2', cpu: '1' } }));
    await course.until('limited', { 'count/pods': '1', cpu: '0' });
  },
  'limits a ReplicaSet until there is room': async (course) => {
    await course.quota('limited', { pods: '2' });
    await course.until('limited', { pods: '0' });
    await course.create('replicasets', 'web', { spec: workload }, '/apis/apps/v1');
    await course.untilCreated('/apis/apps/v1', 'replicasets', 2, true);
    await course.until('limited', { pods: '2' });
    await course.change('resourcequotas', 'limited', merged({ hard: { pods: '3' } }));
    await course.untilCreated('/apis/apps/v1', 'replicasets', 3, false);
  },
  'limits a Deployment': async (course) => {
    await course.quota('limited', { pods: '2' });
    await course.until('limited', { pods: '0' });
    await course.create('deployments', 'web', { spec: workload }, '/apis/apps/v1');
    await course.untilCreated('/apis/apps/v1', 'deployments', 2, true);
  },
  'rejects every Pod without a request': async (course) => {
    await course.quota('limited', { cpu: '2' });
    await course.until('limited', { cpu: '0' });
    await course.create('replicasets', 'web', { spec: workload }, '/apis/apps/v1');
    await course.untilCreated('/apis/apps/v1', 'replicasets', 0, true);
  },
  'limits a StatefulSet': async (course) => {
    await course.quota('limited', { pods: '1' });
    await course.until('limited', { pods: '0' });
    await course.create(
      'statefulsets',
      'web',
      { spec: { ...workload, serviceName: 'web', podManagementPolicy: 'Parallel' } },
      '/apis/apps/v1',
    );
    await course.untilCreated('/apis/apps/v1', 'statefulsets', 1, false);
  },
};
