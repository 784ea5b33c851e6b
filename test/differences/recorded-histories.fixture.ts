import { definitions } from './history.fixture.ts';
import type { HistoryRequest } from './history-request.fixture.ts';

const namespace: HistoryRequest = { method: 'POST', path: '/api/v1/namespaces', body: '{"metadata":{"name":"@NS@"}}' };
const post = (path: string, body: unknown, contentType?: string): HistoryRequest => ({
  method: 'POST',
  path,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...(contentType !== undefined && { contentType }),
});
const patch = (path: string, type: string, body: unknown): HistoryRequest => ({
  method: 'PATCH',
  path,
  contentType: `application/${type}`,
  body: JSON.stringify(body),
});
const get = (path: string): HistoryRequest => ({ method: 'GET', path });

const maps = '/api/v1/namespaces/@NS@/configmaps';
const map = (data: unknown): HistoryRequest => post(maps, { metadata: { name: 'a' }, data });
const apps = '/apis/apps/v1/namespaces/@NS@';
const policies = '/apis/networking.k8s.io/v1/namespaces/@NS@/networkpolicies';
const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/@NS@/roles';
const selector = { matchLabels: { app: 'web' } };
const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', image: 'nginx:1.29' }] },
};

const things = '/apis/@NS@.example.com/v1/namespaces/@NS@/things';
const definition = (openAPIV3Schema: object, more: object = {}): HistoryRequest =>
  post(definitions, {
    metadata: { name: 'things.@NS@.example.com' },
    spec: {
      group: '@NS@.example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...more }],
    },
  });
const thing = { apiVersion: '@NS@.example.com/v1', kind: 'Thing', metadata: { name: 'a' } };

const yaml = 'application/yaml';
const yamlMap = (scalar: string): HistoryRequest => post(maps, `{metadata: {name: a}, data: {a: ${scalar}}}`, yaml);

/** Histories whose responses once differed, shrunk. */
export const recordedHistories: readonly (readonly [title: string, requests: readonly HistoryRequest[]])[] = [
  ...['1.0', '1e2'].map((number): readonly [string, readonly HistoryRequest[]] => [
    `${number} as an integer`,
    [
      namespace,
      post(`/api/v1/namespaces/@NS@/services`, `{"metadata":{"name":"a"},"spec":{"ports":[{"port":${number}}]}}`),
    ],
  ]),
  ...['MQ', 'MQ=', 'M===', 'MQ==MQ==', 'MR==', 'M\nQ=='].map((text): readonly [string, readonly HistoryRequest[]] => [
    `${JSON.stringify(text)} as base64`,
    [namespace, post(maps, { metadata: { name: 'a' }, binaryData: { a: text } })],
  ]),
  ...['yes', 'Off', 'y', '~', '017', '0o17', '0x1F', '0b11', '1_000', '1e400', '1:30', '.inf', '.nan', '!!binary aGk=']
    .concat(['2026-01-02', '!!int "5"', '!!int "x"', '!!bool "yes"', '!!str 5', '-0', '+1', '685_230.15', '='])
    .map((scalar): readonly [string, readonly HistoryRequest[]] => [`${scalar} in YAML`, [namespace, yamlMap(scalar)]]),
  ['a watch whose timeout has passed', [namespace, get(`${maps}?watch=1&timeoutSeconds=-1`)]],
  [
    'zero values that Go omits',
    [namespace, post(`${apps}/deployments`, deployment({ paused: false, minReadySeconds: 0 }))],
  ],
  ['the order of members', [namespace, map({ b: '1', a: '2' }), get(`${maps}/a`), get(maps)]],
  [
    'a Role with an empty list of rules',
    [namespace, post(roles, { metadata: { name: 'a', generation: 7 }, rules: [] })],
  ],
  ['a Role without rules', [namespace, post(roles, { metadata: { name: 'a' } })]],
  ['a DaemonSet', [namespace, post(`${apps}/daemonsets`, { metadata: { name: 'a' }, spec: { selector, template } })]],
  ['a StatefulSet with dots in its name', [namespace, post(`${apps}/statefulsets`, { metadata: { name: 'a.b' } })]],
  ['a ControllerRevision without data', [namespace, post(`${apps}/controllerrevisions`, { revision: -1 })]],
  [
    'an invalid NetworkPolicy',
    [
      namespace,
      post(policies, {
        metadata: { name: 'a' },
        spec: {
          podSelector: { matchExpressions: [{}] },
          policyTypes: ['X'],
          ingress: [
            {
              ports: [{ port: 90, endPort: 3 }, { endPort: 7 }, { port: 'a b', endPort: 1 }, { protocol: 'x' }],
              from: [
                {},
                { ipBlock: { cidr: '10.0.0.0/33' } },
                { ipBlock: { cidr: '010.0.0.0/8', except: ['10.0.0.0/8', '11.0.0.0/9', 'x'] }, podSelector: {} },
                { ipBlock: { cidr: '10.0.0.1/8' } },
                { ipBlock: { cidr: '::ffff:10.0.0.1/8' } },
                { ipBlock: { cidr: 'fE80::/10', except: ['fe80::1/64'] } },
                { ipBlock: {} },
              ],
            },
          ],
        },
      }),
    ],
  ],
  [
    'an apply without a name',
    [namespace, patch(`${maps}/a?fieldManager=m`, 'apply-patch+yaml', { apiVersion: 'v1', kind: 'ConfigMap' })],
  ],
  ...[{ apiVersion: null }, { kind: null }, { apiVersion: 'v2' }, { kind: 'Pod' }].flatMap((body) =>
    ['merge-patch+json', 'strategic-merge-patch+json'].map((type): readonly [string, readonly HistoryRequest[]] => [
      `${type} with ${JSON.stringify(body)}`,
      [namespace, map({}), patch(`${maps}/a`, type, body), patch(`${maps}/a?fieldValidation=Strict`, type, body)],
    ]),
  ),
  [
    'an invalid version',
    [namespace, map({}), patch(`${maps}/a`, 'merge-patch+json', { metadata: { resourceVersion: 'x' } })],
  ],
  [
    'the type of an unknown object',
    [namespace, { method: 'PUT', path: `${roles}/a`, body: '{"metadata":{"name":"a","uid":"u"}}' }],
  ],
  ['deletion options of the wrong type', [{ method: 'DELETE', path: `${maps}/a`, body: '{"gracePeriodSeconds":"3"}' }]],
  ...['fieldSelector=%3D', 'fieldSelector=a%3D1&resourceVersionMatch=Exact', 'continue=x&resourceVersion=99999999']
    .concat(['sendInitialEvents=true&resourceVersionMatch=Other'])
    .map((query): readonly [string, readonly HistoryRequest[]] => [`a list with ${query}`, [get(`${maps}?${query}`)]]),
  ['a deletion of all with an invalid token', [namespace, map({}), { method: 'DELETE', path: `${maps}?continue=e30` }]],
  ['an unknown subresource of a deprecated kind', [get('/api/v1/namespaces/@NS@/endpoints/a/scale')]],
  ['an unknown field of a ReplicaSet', [get(`${apps}/replicasets?fieldSelector=status.phase%3Da`)]],
  [
    'a schema below items',
    [
      definition({
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: {
              list: {
                type: 'array',
                items: {
                  properties: {},
                  type: 'object',
                  default: { z: 1, a: 2 },
                  'x-kubernetes-preserve-unknown-fields': true,
                },
              },
            },
          },
        },
      }),
    ],
  ],
  [
    'an embedded resource with an invalid type',
    [
      namespace,
      definition({
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
        },
      }),
      post(things, { ...thing, spec: { apiVersion: 15 } }),
    ],
  ],
  [
    'custom resources',
    [
      namespace,
      definition(
        { type: 'object', properties: { status: { type: 'object' } }, 'x-kubernetes-preserve-unknown-fields': true },
        { subresources: { status: {} } },
      ),
      post(things, { ...thing, status: true }),
      post(things, { ...thing, apiVersion: null }),
      post(things, '{metadata: {labels: {app: .nan}}}', yaml),
      post(things, { zeta: 1, ...thing, metadata: { name: 'b', labels: { b: '', a: '' } }, alpha: { y: 1, x: 2 } }),
      get(things),
      get(`${things}?fieldSelector=%3D`),
    ],
  ],
];

function deployment(spec: object): object {
  return { metadata: { name: 'a' }, spec: { selector, template, ...spec } };
}
