import {
  container,
  deployment,
  paths,
  pod,
  selector,
  service,
  statefulSet,
  template,
} from './admitted-objects.fixture.ts';

/** An object, a change of it, and whether the server accepts the change. */
export interface ChangedObject {
  readonly title: string;
  readonly path: string;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

let count = 0;

function change(title: string, path: string, before: object, after: object): ChangedObject {
  count += 1;
  const name = `change-${count}`;
  const named = (body: object): Record<string, unknown> => {
    const { metadata, ...rest } = body as { metadata?: object };
    return { ...rest, metadata: { ...metadata, name } };
  };
  return { title, path, before: named(before), after: named(after) };
}

const spec = (one: { object: object }, more: object): object => {
  const object = one.object as { spec: object };
  return { ...object, spec: { ...object.spec, ...more } };
};

const plain = deployment('', { selector, template });
const set = statefulSet('', { selector, template, serviceName: 'a' });
const web = service('', { ports: [{ port: 80 }] });
const nodes = service('', { type: 'NodePort', ports: [{ name: 'a', port: 80 }] });
const single = pod('', { containers: [container] });
const map = (body: object): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, ...body });
const secret = (body: object): object => ({ apiVersion: 'v1', kind: 'Secret', metadata: {}, ...body });
const core = '/api/v1/namespaces/default';
const bindings = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings';
const binding = (name: string): object => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
});
const jobTemplate = { spec: { containers: [container], restartPolicy: 'Never' } };
const job = (more: object): object => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  spec: { template: jobTemplate, ...more },
});

const quota = (spec: object): object => ({ apiVersion: 'v1', kind: 'ResourceQuota', spec });
const limits = (...items: readonly object[]): object => ({
  apiVersion: 'v1',
  kind: 'LimitRange',
  spec: { limits: items },
});

/** Updates. The server keeps its values of missing fields. */
export const changedObjects: readonly ChangedObject[] = [
  change('scales a Deployment', paths.deployments, plain.object, spec(plain, { replicas: 3 })),
  change(
    'changes the selector of a Deployment',
    paths.deployments,
    plain.object,
    spec(plain, {
      selector: { matchLabels: { app: 'other' } },
      template: { ...template, metadata: { labels: { app: 'other' } } },
    }),
  ),
  change('changes the service of a StatefulSet', paths.statefulSets, set.object, spec(set, { serviceName: 'b' })),
  change('scales a StatefulSet', paths.statefulSets, set.object, spec(set, { replicas: 0 })),
  change('omits the address of a Service', paths.services, web.object, spec(web, { ports: [{ port: 81 }] })),
  change('changes a Service to type NodePort', paths.services, web.object, spec(web, { type: 'NodePort' })),
  change('changes a Service from type NodePort', paths.services, nodes.object, spec(nodes, { type: 'ClusterIP' })),
  change(
    'adds a port to a Service of type NodePort',
    paths.services,
    nodes.object,
    spec(nodes, {
      ports: [
        { name: 'b', port: 81 },
        { name: 'a', port: 80 },
      ],
    }),
  ),
  change(
    'changes a Service to type ExternalName',
    paths.services,
    web.object,
    spec(web, {
      type: 'ExternalName',
      externalName: 'example.com',
      ports: [],
    }),
  ),
  change('removes the address of a Service', paths.services, web.object, spec(web, { clusterIP: 'None' })),
  change(
    'changes the image of a Pod',
    paths.pods,
    single.object,
    spec(single, {
      containers: [{ ...container, image: 'nginx:1.30' }],
    }),
  ),
  change(
    'renames the container of a Pod',
    paths.pods,
    single.object,
    spec(single, {
      containers: [{ ...container, name: 'other' }],
    }),
  ),
  change(
    'adds a container to a Pod',
    paths.pods,
    single.object,
    spec(single, {
      containers: [container, { name: 'two', image: 'a:1' }],
    }),
  ),
  change(
    'adds a toleration to a Pod',
    paths.pods,
    single.object,
    spec(single, {
      tolerations: [{ key: 'a', operator: 'Exists' }],
    }),
  ),
  change(
    'changes an immutable ConfigMap',
    `${core}/configmaps`,
    map({ immutable: true, data: { a: '1' } }),
    map({ data: { a: '2' } }),
  ),
  change(
    'changes an immutable Secret',
    `${core}/secrets`,
    secret({ immutable: true, data: { a: 'MQ==' } }),
    secret({
      immutable: true,
      data: { a: 'Mg==' },
    }),
  ),
  change('changes the type of a Secret', `${core}/secrets`, secret({}), secret({ type: 'example.com/other' })),
  change('changes the role of a RoleBinding', bindings, binding('a'), binding('b')),
  change('suspends a Job', paths.jobs, job({}), job({ suspend: true })),
  change('increases the completions of a Job', paths.jobs, job({}), job({ completions: 3 })),
  change(
    'changes the amounts of a ResourceQuota',
    `${core}/resourcequotas`,
    quota({ hard: { pods: '1' } }),
    quota({ hard: { pods: '2', cpu: '0.5' } }),
  ),
  change(
    'changes the scopes of a ResourceQuota',
    `${core}/resourcequotas`,
    quota({ hard: { pods: '1' }, scopes: ['Terminating'] }),
    quota({ hard: { pods: '1' }, scopes: ['NotTerminating', 'PriorityClass'] }),
  ),
  change(
    'removes the scopes of a ResourceQuota and makes it invalid',
    `${core}/resourcequotas`,
    quota({ hard: { pods: '1' }, scopes: ['Terminating'] }),
    quota({ hard: { pods: '1.5' } }),
  ),
  change(
    'makes a LimitRange invalid',
    `${core}/limitranges`,
    limits({ type: 'Pod', max: { cpu: '1' } }),
    limits({ type: 'Pod', max: { cpu: '1' }, min: { cpu: '2' } }),
  ),
];
