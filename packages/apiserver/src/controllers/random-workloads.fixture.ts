import type { Random } from '@evenkeel/core';
import type { ControlledServer } from './controlled-server.fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects are as the server sends them
type Json = any;

/** Label keys that have a meaning for a controller, and some that have none. */
const labelKeys = [
  ...['app', 'app', 'app', 'tier', 'pod-template-hash', 'controller-revision-hash', 'controller-uid', 'job-name'],
  ...['batch.kubernetes.io/controller-uid', 'statefulset.kubernetes.io/pod-name', 'apps.kubernetes.io/pod-index'],
];
/**
 * The labels that a StatefulSet may select by: its controller sets the others. A pod that the set does not select because
 * of that may be adopted and deleted by another controller, and the two would fight for ever.
 */
const keptKeys = ['app', 'tier', 'job-name', 'controller-uid'];
const labelValues = ['a', 'b', '0', 'one-0'];
const names = ['one', 'two', 'three'];
const policies = ['Orphan', 'Background', 'Foreground'];
const unknownUid = '00000000-0000-4000-8000-000000000000';

const plurals = {
  Deployment: 'apps/v1/deployments',
  ReplicaSet: 'apps/v1/replicasets',
  StatefulSet: 'apps/v1/statefulsets',
  Job: 'batch/v1/jobs',
  Pod: 'v1/pods',
  Service: 'v1/services',
  ConfigMap: 'v1/configmaps',
} as const;
type Kind = keyof typeof plurals;
const kinds = Object.keys(plurals) as Kind[];

/** Random, unusual workloads of every kind and random changes to them, in a namespace for this run. */
export class RandomWorkloads {
  readonly #server: ControlledServer;
  readonly #random: Random;
  readonly #namespace: string;
  /** The number of requests that the server accepted. */
  accepted = 0;

  constructor(server: ControlledServer, random: Random, namespace: string) {
    this.#server = server;
    this.#random = random;
    this.#namespace = namespace;
  }

  async begin(): Promise<void> {
    await this.#server.send('POST', '/api/v1/namespaces', { metadata: { name: this.#namespace } });
  }

  async create(): Promise<void> {
    const kind = this.#pick([...kinds, 'Deployment', 'Deployment', 'ReplicaSet', 'StatefulSet'] as const);
    const metadata: Json = { name: this.#pick(names), ...this.#maybe({ labels: this.#labels() }) };
    if (this.#chance(4)) metadata.ownerReferences = await this.#owners();
    await this.#send('POST', this.#path(kind), {
      metadata,
      ...(kind === 'ConfigMap' ? {} : { spec: this.#spec(kind) }),
    });
  }

  /** Makes one change to one object, which may be an object that a controller created. */
  async change(): Promise<void> {
    const kind = this.#pick(kinds);
    const items = await this.#items(kind);
    if (items.length === 0) return;
    const object = this.#pick(items) as Json;
    const path = `${this.#path(kind)}/${object.metadata.name}`;
    switch (this.#random.integer(9)) {
      case 0: {
        const grace = this.#maybe({ gracePeriodSeconds: 0 });
        await this.#send('DELETE', path, { propagationPolicy: this.#pick(policies), ...grace });
        return;
      }
      case 1:
        await this.#send('PATCH', path, { metadata: { labels: this.#labels() } });
        return;
      case 2:
        await this.#send('PATCH', path, { metadata: { ownerReferences: await this.#owners() } });
        return;
      case 3: {
        const status = {
          replicas: this.#random.integer(9),
          observedGeneration: this.#random.integer(9),
          phase: 'Pending',
        };
        await this.#send('PATCH', `${path}/status`, { status });
        return;
      }
      case 4: {
        const [set] = await this.#items('ReplicaSet');
        // As a rollback sends it, with the hash label.
        if (set !== undefined) await this.#send('PATCH', path, { spec: { template: (set as Json).spec.template } });
        return;
      }
      case 5:
        await this.#send('PATCH', path, { metadata: { finalizers: this.#chance(2) ? ['example.com/kept'] : null } });
        return;
      case 6:
        await this.#send('PATCH', path, { metadata: { annotations: this.#annotations() } });
        return;
      default:
        await this.#send('PATCH', path, { spec: this.#specChange(kind) });
    }
  }

  async end(): Promise<void> {
    for (const kind of kinds) {
      for (const { metadata } of (await this.#items(kind)) as Json[]) {
        const path = `${this.#path(kind)}/${metadata.name}`;
        if (metadata.finalizers) await this.#send('PATCH', path, { metadata: { finalizers: null } });
      }
    }
    await this.#send('DELETE', `/api/v1/namespaces/${this.#namespace}`);
  }

  async #send(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<void> {
    const { status } = await this.#server.answer(method, path, body);
    if (status >= 500) throw new Error(`${method} ${path} was answered with ${status}: ${JSON.stringify(body)}`);
    if (status < 300) this.accepted++;
  }

  async #items(kind: Kind): Promise<object[]> {
    return (await this.#server.send('GET', this.#path(kind))).items;
  }

  #path(kind: Kind): string {
    const [version, plural] = splitLast(plurals[kind]);
    return `/${version === 'v1' ? 'api' : 'apis'}/${version}/namespaces/${this.#namespace}/${plural}`;
  }

  #spec(kind: Kind): Json {
    const spec = { ...this.#specChange(kind) };
    if (kind === 'Pod') return { ...spec, ...this.#podSpec(false) };
    if (kind === 'Service') {
      return {
        selector: this.#labels(),
        ports: [{ port: 80 }],
        ...this.#maybe({ type: 'LoadBalancer' }, { clusterIP: 'None' }),
      };
    }
    const labels = this.#labels(kind === 'StatefulSet' ? keptKeys : labelKeys);
    const metadata = {
      ...(this.#chance(8) ? {} : { labels }),
      ...this.#maybe({ annotations: this.#annotations() }, { ownerReferences: [this.#lostOwner()] }, { name: 'named' }),
    };
    spec.template = { metadata, spec: this.#podSpec(kind === 'Job') };
    if (kind !== 'Job') spec.selector = this.#selector(labels);
    else if (this.#chance(3)) Object.assign(spec, { manualSelector: true, selector: this.#selector(labels) });
    if (kind === 'StatefulSet' && this.#chance(3)) {
      const storage = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
      spec.volumeClaimTemplates = [{ metadata: { name: 'data' }, spec: storage }];
    }
    return spec;
  }

  /** A random part of the spec that may also be changed after creation. */
  #specChange(kind: Kind): Json {
    const replicas = this.#random.integer(4);
    const bound = (): unknown => this.#pick([0, 1, 2, '0%', '25%', '100%']);
    switch (kind) {
      case 'Deployment': {
        const rollingUpdate = { maxSurge: bound(), maxUnavailable: bound() };
        const strategies = [
          { type: 'Recreate', rollingUpdate: null },
          { type: 'RollingUpdate', rollingUpdate },
        ];
        return {
          ...this.#maybe({ replicas }),
          ...this.#maybe({ strategy: this.#pick(strategies) }),
          ...this.#maybe({ paused: true }, { paused: false }, { minReadySeconds: 5 }, { progressDeadlineSeconds: 7 }),
          ...this.#maybe({ revisionHistoryLimit: 0 }),
        };
      }
      case 'ReplicaSet':
        return { ...this.#maybe({ replicas }, { minReadySeconds: 5 }) };
      case 'StatefulSet': {
        const partition = this.#random.integer(3);
        return {
          ...this.#maybe({ replicas }),
          ...this.#maybe({ podManagementPolicy: 'Parallel' }, { ordinals: { start: 2 } }, { minReadySeconds: 5 }),
          ...this.#maybe(
            { updateStrategy: { type: 'OnDelete', rollingUpdate: null } },
            { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } } },
          ),
          ...this.#maybe({ persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Delete' } }),
        };
      }
      case 'Job':
        return {
          ...this.#maybe({ parallelism: replicas }, { suspend: true }, { suspend: false }),
          ...this.#maybe({ completions: replicas }, { completions: 2, completionMode: 'Indexed' }),
          ...this.#maybe({ ttlSecondsAfterFinished: 0 }, { activeDeadlineSeconds: 3 }, { backoffLimit: 0 }),
        };
      default:
        return {};
    }
  }

  #podSpec(isOnce: boolean): Json {
    return {
      containers: [{ name: 'a', image: this.#pick(['a:1', 'a:2', 'b']) }],
      ...(isOnce && { restartPolicy: this.#pick(['Never', 'OnFailure']) }),
      ...this.#maybe({ schedulerName: 'nobody' }, { nodeName: 'node-0' }, { terminationGracePeriodSeconds: 0 }),
    };
  }

  #selector(labels: Readonly<Record<string, string>>): Json {
    const chosen = Object.fromEntries(Object.entries(labels).filter(() => this.#chance(2)));
    const [key = 'app'] = Object.keys(labels);
    const expressions = [
      { key, operator: 'Exists' },
      { key, operator: 'In', values: [labels[key] ?? 'a', 'z'] },
      { key: 'absent', operator: 'DoesNotExist' },
      { key, operator: 'NotIn', values: ['z'] },
    ];
    if (this.#chance(2)) return { matchLabels: labels };
    return { matchLabels: chosen, ...this.#maybe({ matchExpressions: [this.#pick(expressions)] }) };
  }

  #labels(keys: readonly string[] = labelKeys): Record<string, string> {
    const count = 1 + this.#random.integer(3);
    return Object.fromEntries(
      Array.from({ length: count }, () => [this.#pick(keys), this.#pick(labelValues)] as const),
    );
  }

  #annotations(): Record<string, string> {
    const prefix = 'deployment.kubernetes.io/';
    const key = this.#pick(['note', `${prefix}revision`, `${prefix}desired-replicas`, `${prefix}max-replicas`]);
    return { [key]: this.#pick(['1', '0', '99', 'x']) };
  }

  /** References to existing, missing and unknown owners; the object itself may be among them. */
  async #owners(): Promise<Json[]> {
    const kind = this.#pick(kinds);
    const [apiVersion] = splitLast(plurals[kind]);
    const owners = ((await this.#items(kind)) as Json[]).map(({ metadata: { name, uid } }) => ({
      apiVersion,
      kind,
      name,
      uid,
    }));
    const chosen = [...owners, this.#lostOwner()].filter(() => this.#chance(2));
    if (this.#chance(8)) chosen.push({ ...this.#lostOwner(), apiVersion: 'example.com/v1', kind: 'Unknown' });
    return chosen.map((owner, index) => ({
      ...owner,
      ...(index === 0 && this.#chance(2) && { controller: true }),
      ...this.#maybe({ blockOwnerDeletion: true }),
    }));
  }

  #lostOwner(): Json {
    return { apiVersion: 'apps/v1', kind: 'Deployment', name: 'lost', uid: unknownUid };
  }

  #chance(of: number): boolean {
    return this.#random.integer(of) === 0;
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.#random.integer(values.length)] as T;
  }

  /** One of the choices, or an empty object. */
  #maybe(...choices: readonly object[]): object {
    return choices[this.#random.integer(2 * choices.length)] ?? {};
  }
}

function splitLast(text: string): [string, string] {
  const at = text.lastIndexOf('/');
  return [text.slice(0, at), text.slice(at + 1)];
}
