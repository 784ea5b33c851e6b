import type { ApiServerOptions } from '../api-server.ts';
import { embeddedControllers } from '../embedded-controllers.ts';
import { watchEvents } from '../request.fixture.ts';
import { signingRequest } from '../strategy/certificates/signing-requests.fixture.ts';
import { mostWritesInATurn, writesInATurnMax } from './busy-turns.fixture.ts';
import { ControlledServer } from './controlled-server.fixture.ts';
import { RecordedLog } from './recorded-log.fixture.ts';

type Event = { readonly type: string; readonly object: Json };
// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever the server sends
type Json = any;
type Send = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) => Promise<unknown>;

/** An object that a controller and a rival client rewrite in turn, for ever. */
interface Restless {
  readonly controller: string;
  /** The name of the object in the log; computed from its uid if it is known only by that. */
  readonly key: string;
  readonly without?: ApiServerOptions['controllers'];
  /** Paths, and the objects created there before the rival starts. */
  readonly objects: readonly (readonly [string, object])[];
  /** The collection that the rival watches. */
  readonly watched: string;
  /** The rival's reaction to an event. */
  rewrite(event: Event, send: Send): Promise<unknown> | undefined;
}

const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const batch = '/apis/batch/v1/namespaces/default';
const discovery = '/apis/discovery.k8s.io/v1/namespaces/default';
const volumes = '/api/v1/persistentvolumes';
const signingRequests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const clusterRoles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const autoscalers = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';

const labels = { app: 'restless' };
const pod = { spec: { containers: [{ name: 'a', image: 'a:1' }] } };
const workload = { replicas: 0, selector: { matchLabels: labels }, template: { metadata: { labels }, ...pod } };
const named = (spec: object): object => ({ metadata: { name: 'restless' }, spec });
const service = named({ selector: labels, ports: [{ port: 80 }] });
const storage = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const volume = named({ accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/a' } });
const finishedAt = '2025-12-31T00:00:00Z';
const finished = {
  startTime: finishedAt,
  completionTime: finishedAt,
  conditions: ['SuccessCriteriaMet', 'Complete'].map((type) => ({
    type,
    status: 'True',
    lastProbeTime: finishedAt,
    lastTransitionTime: finishedAt,
  })),
};

const restless: readonly Restless[] = [
  {
    controller: 'namespace-controller',
    key: '/restless',
    objects: [['/api/v1/namespaces', { metadata: { name: 'restless' } }]],
    watched: '/api/v1/namespaces',
    rewrite: ({ type, object }, send) => {
      if (object.metadata.name !== 'restless') return undefined;
      if (type === 'DELETED') return send('POST', '/api/v1/namespaces', { metadata: { name: 'restless' } });
      return object.metadata.deletionTimestamp ? undefined : send('DELETE', '/api/v1/namespaces/restless');
    },
  },
  {
    controller: 'serviceaccount-controller',
    key: '/default',
    objects: [],
    watched: `${core}/serviceaccounts`,
    rewrite: ({ type }, send) => (type === 'ADDED' ? send('DELETE', `${core}/serviceaccounts/default`) : undefined),
  },
  {
    controller: 'root-ca-certificate-publisher-controller',
    key: '/default',
    objects: [],
    watched: `${core}/configmaps`,
    rewrite: ({ object }, send) =>
      object.data['ca.crt'] === 'mine'
        ? undefined
        : send('PATCH', `${core}/configmaps/kube-root-ca.crt`, { data: { 'ca.crt': 'mine' } }),
  },
  {
    controller: 'garbage-collector-controller',
    key: 'configmaps default/restless',
    objects: [
      [`${core}/configmaps`, { metadata: { name: 'owner' } }],
      [`${core}/configmaps`, { metadata: { name: 'restless' } }],
    ],
    watched: `${core}/configmaps`,
    rewrite: ({ object: { metadata } }, send) => {
      if (metadata.name === 'owner') {
        const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid };
        const gone = { ...owner, name: 'gone', uid: '00000000-0000-4000-8000-000000000000' };
        const ownerReferences = [owner, gone];
        return send('PATCH', `${core}/configmaps/restless`, { metadata: { ownerReferences } });
      }
      const [owner, gone] = metadata.ownerReferences ?? [];
      if (owner === undefined || gone !== undefined) return undefined;
      const lost = { ...owner, name: 'gone', uid: '00000000-0000-4000-8000-000000000000' };
      return send('PATCH', `${core}/configmaps/restless`, { metadata: { ownerReferences: [owner, lost] } });
    },
  },
  {
    controller: 'deployment-controller',
    key: 'default/restless',
    objects: [[`${apps}/deployments`, named(workload)]],
    watched: `${apps}/replicasets`,
    rewrite: ({ object: { metadata } }, send) => {
      const annotation = 'deployment.kubernetes.io/max-replicas';
      if (metadata.annotations[annotation] === '99') return undefined;
      return send('PATCH', `${apps}/replicasets/${metadata.name}`, {
        metadata: { annotations: { [annotation]: '99' } },
      });
    },
  },
  {
    controller: 'replicaset-controller',
    key: 'default/restless',
    objects: [[`${apps}/replicasets`, named(workload)]],
    watched: `${apps}/replicasets`,
    rewrite: ({ object }, send) =>
      object.status?.replicas === 0
        ? send('PATCH', `${apps}/replicasets/restless/status`, { status: { replicas: 9 } })
        : undefined,
  },
  {
    controller: 'statefulset-controller',
    key: 'default/restless',
    objects: [[`${apps}/statefulsets`, named({ ...workload, serviceName: 'restless' })]],
    watched: `${apps}/statefulsets`,
    rewrite: ({ object }, send) =>
      object.status?.replicas === 0
        ? send('PATCH', `${apps}/statefulsets/restless/status`, { status: { replicas: 9 } })
        : undefined,
  },
  {
    controller: 'daemonset-controller',
    key: 'default/restless',
    objects: [[`${apps}/daemonsets`, named({ selector: workload.selector, template: workload.template })]],
    watched: `${apps}/daemonsets`,
    rewrite: ({ object }, send) =>
      object.status.numberMisscheduled === 0
        ? send('PATCH', `${apps}/daemonsets/restless/status`, { status: { numberMisscheduled: 9 } })
        : undefined,
  },
  {
    controller: 'job-controller',
    key: 'default/restless',
    objects: [[`${batch}/jobs`, named({ suspend: true, template: { spec: { ...pod.spec, restartPolicy: 'Never' } } })]],
    watched: `${batch}/jobs`,
    rewrite: ({ object }, send) =>
      object.status?.active === 3
        ? undefined
        : send('PATCH', `${batch}/jobs/restless/status`, { status: { active: 3, ready: 1 } }),
  },
  {
    controller: 'ttl-after-finished-controller',
    key: 'default/restless',
    // With this controller, the Job would also be deleted in other ways.
    without: { 'job-controller': false },
    objects: [
      [
        `${batch}/jobs`,
        { metadata: { name: 'other' }, spec: { template: { spec: { ...pod.spec, restartPolicy: 'Never' } } } },
      ],
    ],
    watched: `${batch}/jobs`,
    rewrite: async ({ type, object }, send) => {
      if (object.metadata.name === 'restless' && type !== 'DELETED') return;
      const template = { spec: { ...pod.spec, restartPolicy: 'Never' } };
      await send('POST', `${batch}/jobs`, named({ ttlSecondsAfterFinished: 0, template }));
      await send('PATCH', `${batch}/jobs/restless/status`, { status: finished });
    },
  },
  {
    controller: 'cronjob-controller',
    key: 'default/restless',
    objects: [
      [
        `${batch}/cronjobs`,
        named({
          schedule: '@yearly',
          jobTemplate: { spec: { template: { spec: { ...pod.spec, restartPolicy: 'Never' } } } },
        }),
      ],
    ],
    watched: `${batch}/cronjobs`,
    rewrite: ({ object }, send) =>
      object.status.active
        ? undefined
        : send('PATCH', `${batch}/cronjobs/restless/status`, {
            status: { active: [{ kind: 'Job', namespace: 'default', name: 'gone', uid: 'gone' }] },
          }),
  },
  {
    controller: 'disruption-controller',
    key: 'default/restless',
    objects: [['/apis/policy/v1/namespaces/default/poddisruptionbudgets', named({ minAvailable: 1 })]],
    watched: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
    rewrite: ({ object }, send) =>
      object.status.currentHealthy === 0
        ? send('PATCH', '/apis/policy/v1/namespaces/default/poddisruptionbudgets/restless/status', {
            status: { currentHealthy: 9 },
          })
        : undefined,
  },
  {
    controller: 'validatingadmissionpolicy-status-controller',
    key: '/restless',
    objects: [
      [
        policies,
        named({
          matchConstraints: {
            resourceRules: [
              { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] },
            ],
          },
          validations: [{ expression: 'object.spec.unknown == 1' }],
        }),
      ],
    ],
    watched: policies,
    rewrite: ({ object }, send) =>
      object.status?.observedGeneration === 1
        ? send('PATCH', `${policies}/restless/status`, { status: { observedGeneration: null } })
        : undefined,
  },
  {
    controller: 'persistentvolumeclaim-protection-controller',
    key: 'default/restless',
    objects: [[`${core}/persistentvolumeclaims`, named({ ...storage, storageClassName: '' })]],
    watched: `${core}/persistentvolumeclaims`,
    rewrite: unprotect(`${core}/persistentvolumeclaims`),
  },
  {
    controller: 'persistentvolume-protection-controller',
    key: '/restless',
    objects: [[volumes, volume]],
    watched: volumes,
    rewrite: unprotect(volumes),
  },
  {
    controller: 'persistentvolume-binder-controller',
    key: 'persistentvolumeclaims and persistentvolumes',
    objects: [[volumes, volume]],
    watched: volumes,
    rewrite: ({ object }, send) =>
      object.status?.phase === 'Available'
        ? send('PATCH', `${volumes}/restless/status`, { status: { phase: 'Failed' } })
        : undefined,
  },
  {
    controller: 'persistentvolume-provisioner',
    key: 'default/restless',
    without: { 'persistentvolume-binder-controller': false, 'persistentvolume-protection-controller': false },
    objects: [[`${core}/persistentvolumeclaims`, named(storage)]],
    watched: volumes,
    rewrite: async ({ type, object: { metadata } }, send) => {
      if (type === 'ADDED') await send('DELETE', `${volumes}/${metadata.name}`);
      if (metadata.finalizers) await send('PATCH', `${volumes}/${metadata.name}`, { metadata: { finalizers: null } });
      const touched = { metadata: { annotations: { touched: metadata.resourceVersion } } };
      await send('PATCH', `${core}/persistentvolumeclaims/restless`, touched);
    },
  },
  {
    controller: 'default-scheduler',
    key: 'default/restless',
    without: { kubelet: false },
    objects: [[`${core}/pods`, { metadata: { name: 'restless' }, ...pod }]],
    watched: `${core}/pods`,
    rewrite: async ({ type, object: { spec } }, send) => {
      if (type === 'DELETED' || !spec.nodeName) return;
      await send('DELETE', `${core}/pods/restless`, { gracePeriodSeconds: 0 });
      await send('POST', `${core}/pods`, { metadata: { name: 'restless' }, ...pod });
    },
  },
  {
    controller: 'kubelet',
    key: 'default/restless',
    objects: [[`${core}/pods`, { metadata: { name: 'restless' }, ...pod }]],
    watched: `${core}/pods`,
    rewrite: ({ object }, send) =>
      object.status.phase === 'Running'
        ? send('PATCH', `${core}/pods/restless/status`, { status: { phase: 'Pending' } })
        : undefined,
  },
  {
    controller: 'endpointslice-controller',
    key: 'default/restless',
    objects: [[`${core}/services`, service]],
    watched: `${discovery}/endpointslices`,
    rewrite: relabel(`${discovery}/endpointslices`),
  },
  {
    controller: 'endpoints-controller',
    key: 'default/restless',
    objects: [[`${core}/services`, service]],
    watched: `${core}/endpoints`,
    rewrite: relabel(`${core}/endpoints`),
  },
  {
    controller: 'service-lb-controller',
    key: 'default/restless',
    objects: [[`${core}/services`, named({ type: 'LoadBalancer', selector: labels, ports: [{ port: 80 }] })]],
    watched: `${core}/services`,
    rewrite: ({ object }, send) =>
      object.status.loadBalancer?.ingress
        ? send('PATCH', `${core}/services/restless/status`, { status: { loadBalancer: { ingress: null } } })
        : undefined,
  },
  {
    controller: 'resourcequota-controller',
    key: 'default/restless',
    objects: [[`${core}/resourcequotas`, named({ hard: { secrets: '1' } })]],
    watched: `${core}/resourcequotas`,
    rewrite: ({ object: { spec, status } }, send) =>
      status?.hard?.secrets === spec.hard.secrets
        ? send('PATCH', `${core}/resourcequotas/restless`, {
            spec: { hard: { secrets: spec.hard.secrets === '1' ? '2' : '1' } },
          })
        : undefined,
  },
  {
    controller: 'replication-controller',
    key: 'default/restless',
    objects: [[`${core}/replicationcontrollers`, named({ ...workload, selector: labels })]],
    watched: `${core}/replicationcontrollers`,
    rewrite: ({ object }, send) =>
      object.status?.replicas === 0
        ? send('PATCH', `${core}/replicationcontrollers/restless/status`, { status: { replicas: 9 } })
        : undefined,
  },
  {
    controller: 'clusterrole-aggregation-controller',
    key: '/restless',
    objects: [
      [
        clusterRoles,
        { metadata: { name: 'part', labels }, rules: [{ apiGroups: [''], resources: ['a'], verbs: ['get'] }] },
      ],
      [
        clusterRoles,
        { metadata: { name: 'restless' }, aggregationRule: { clusterRoleSelectors: [workload.selector] } },
      ],
    ],
    watched: clusterRoles,
    rewrite: ({ object }, send) =>
      object.metadata.name === 'restless' && object.rules?.length > 0
        ? send('PATCH', `${clusterRoles}/restless`, { rules: [] })
        : undefined,
  },
  {
    controller: 'horizontal-pod-autoscaler-controller',
    key: 'default/restless',
    without: { 'deployment-controller': false },
    objects: [
      [`${apps}/deployments`, named({ ...workload, replicas: 1 })],
      [
        autoscalers,
        named({
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'restless' },
          minReplicas: 2,
          maxReplicas: 3,
        }),
      ],
    ],
    watched: autoscalers,
    rewrite: async ({ object: { metadata, status } }, send) => {
      if (status.desiredReplicas !== 2) return;
      await send('PATCH', `${autoscalers}/restless/status`, { status: { desiredReplicas: 0 } });
      await send('PATCH', `${apps}/deployments/restless`, { spec: { replicas: 1 } });
      const touched = { metadata: { annotations: { touched: metadata.resourceVersion } } };
      await send('PATCH', `${autoscalers}/restless`, touched);
    },
  },
  {
    controller: 'certificatesigningrequest-signing-controller',
    key: '/restless',
    objects: [[signingRequests, signingRequest('restless')]],
    watched: signingRequests,
    rewrite: async ({ type, object: { status } }, send) => {
      const path = `${signingRequests}/restless`;
      if (type === 'DELETED') return;
      if (status?.certificate) {
        await send('DELETE', path);
        await send('POST', signingRequests, signingRequest('restless'));
      } else if (!status?.conditions) {
        const conditions = [{ type: 'Approved', status: 'True', reason: 'Test', message: 'test' }];
        await send('PATCH', `${path}/approval`, { status: { conditions } });
      }
    },
  },
  {
    controller: 'persistentvolume-expander',
    key: 'default/restless',
    objects: [
      ['/apis/storage.k8s.io/v1/storageclasses', { ...named({}), provisioner: 'a', allowVolumeExpansion: true }],
      [`${core}/persistentvolumeclaims`, named({ ...storage, storageClassName: 'restless' })],
    ],
    watched: `${core}/persistentvolumeclaims`,
    rewrite: ({ object: { spec, status } }, send) => {
      const path = `${core}/persistentvolumeclaims/restless`;
      if (status.phase !== 'Bound') return undefined;
      if (spec.resources.requests.storage === '1Gi') {
        return send('PATCH', path, { spec: { resources: { requests: { storage: '2Gi' } } } });
      }
      return status.capacity.storage === '2Gi'
        ? send('PATCH', `${path}/status`, { status: { capacity: { storage: '1Gi' } } })
        : undefined;
    },
  },
];

/** Removes the finalizers of an object each time they are added. */
function unprotect(collection: string): Restless['rewrite'] {
  return ({ object: { metadata } }, send) =>
    metadata.finalizers
      ? send('PATCH', `${collection}/${metadata.name}`, { metadata: { finalizers: null } })
      : undefined;
}

/** Adds a label to an object each time it is removed. */
function relabel(collection: string): Restless['rewrite'] {
  return ({ object: { metadata } }, send) =>
    metadata.labels.rival || !metadata.name.startsWith('restless')
      ? undefined
      : send('PATCH', `${collection}/${metadata.name}`, { metadata: { labels: { rival: 'yes' } } });
}

/** A rival that does not finish within this many turns of the event loop is starved. */
const turnsMax = 300_000;

describe('an object that never settles', () => {
  it('is tested with every controller', () => {
    const names = embeddedControllers.map(({ name }) => name);
    expect(restless.map(({ controller }) => controller).sort()).toEqual(names.sort());
  });

  it('does not block the event loop if it is a definition, which has no controller', async () => {
    const server = await ControlledServer.start();
    const leaving = new AbortController();
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const names = { plural: 'restless', kind: 'Restless' };
    const schema = { openAPIV3Schema: { type: 'object' } };
    const versions = [{ name: 'v1', served: true, storage: true, schema }];
    const spec = { group: 'example.com', scope: 'Namespaced', names, versions };
    try {
      await server.send('POST', crds, { metadata: { name: 'restless.example.com' }, spec });
      let rewrites = 0;
      const rival = (async () => {
        for await (const { object } of watchEvents(server.transport(), `${crds}?watch=1`, leaving.signal)) {
          if (object.status?.acceptedNames?.kind !== 'Restless') continue;
          // Not awaited: the response comes when the definition has settled.
          const status = { acceptedNames: { kind: 'Other' } };
          void server.answer('PATCH', `${crds}/restless.example.com/status`, { status });
          rewrites++;
        }
      })();
      rival.catch(() => undefined);
      const mostWrites = await mostWritesInATurn(() => rewrites > 1000, turnsMax);
      expect(mostWrites).toBeLessThan(writesInATurnMax);
    } finally {
      leaving.abort();
      await server.close();
    }
  });

  it.each(restless)('does not block the event loop, and is reported by $controller', async (given) => {
    const { controller, key, without, objects, watched, rewrite } = given;
    const log = new RecordedLog();
    const server = await ControlledServer.start({ logger: log, ...(without && { controllers: without }) });
    const leaving = new AbortController();
    try {
      // The root certificate is published after a delay.
      await server.clock.advance(100);
      for (const [path, body] of objects) await server.send('POST', path, body);
      await server.quiet();
      const rival = (async () => {
        const send: Send = (method, path, body) => server.answer(method, path, body);
        const events = watchEvents(server.transport(), `${watched}?watch=1`, leaving.signal);
        for await (const event of events) await rewrite(event, send);
      })();
      rival.catch(() => undefined);
      const reported = (): boolean =>
        log.lines.some(({ keys }) => keys['controller'] === controller && keys['key'] === key);
      const mostWrites = await mostWritesInATurn(reported, turnsMax);
      expect(mostWrites).toBeLessThan(writesInATurnMax);
      expect(log.lines.every(({ level }) => level === 'error')).toBe(true);
      // Nothing happens until the clock advances.
      await server.quiet();
    } finally {
      leaving.abort();
      await server.close();
    }
  });
});
