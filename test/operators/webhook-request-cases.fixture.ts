import { setTimeout as delay } from 'node:timers/promises';
import type { AdmissionReview } from '@evenkeel/core';
import { Deployment, Namespace, Node, Pod, Service, ServiceAccount } from '@evenkeel/kinds';
import type { SendOptions } from '../real-server.fixture.ts';
import {
  type CaseStep,
  type CaseWebhook,
  core,
  Gadget,
  gadget,
  gadgets,
  map,
  maps,
  Region,
  type Reviewed,
  regions,
  type See,
  type WebhookCase,
} from './webhook-case.fixture.ts';

type Review = AdmissionReview<Reviewed>;

const merge = { contentType: 'application/merge-patch+json' };
const apply = { contentType: 'application/apply-patch+yaml' };
const create: CaseStep['request'] = ['POST', maps, map({ a: 'b' })];

/** Shows parts of the reviews to the case. */
const shows = (
  title: string,
  shown: (review: Review, object: Reviewed) => unknown,
  webhook: Omit<CaseWebhook, 'type' | 'reviews'> & { readonly type?: CaseWebhook['type'] },
  ...steps: readonly CaseStep[]
): WebhookCase => ({
  title: `a review has ${title}`,
  webhooks: [
    {
      type: 'validating',
      ...webhook,
      reviews: (object: Reviewed, review: Review, see: See) => see(shown(review, object)),
    },
  ],
  steps,
});

const all = ['create', 'update', 'delete'] as const;
const data = (object: Reviewed): unknown => object?.data;

const reviewCases: readonly WebhookCase[] = [
  shows(
    'the operation, the object and the old object',
    (review, object) => [review.operation, data(object), data(review.oldObject), review.name, review.namespace],
    { operations: all },
    { request: create, seen: [['create', { a: 'b' }, null, 'map', '{ns}']] },
    { request: ['PUT', `${maps}/map`, map({ a: 'c' })], seen: [['update', { a: 'c' }, { a: 'b' }, 'map', '{ns}']] },
    {
      request: ['PATCH', `${maps}/map`, { data: { d: 'e' } }, merge],
      seen: [['update', { a: 'c', d: 'e' }, { a: 'c' }, 'map', '{ns}']],
    },
    { request: ['DELETE', `${maps}/map`], seen: [['delete', { a: 'c', d: 'e' }, { a: 'c', d: 'e' }, 'map', '{ns}']] },
  ),
  shows(
    'creations and updates by default',
    ({ operation }) => operation,
    {},
    { request: create, seen: ['create'] },
    { request: ['PATCH', `${maps}/map`, { data: { d: 'e' } }, merge], seen: ['update'] },
    { request: ['DELETE', `${maps}/map`], seen: [] },
  ),
  shows(
    'a generated name in a creation with a prefix',
    ({ name }, object) => [/^generated-\w{5}$/.test(name), object.metadata.generateName],
    {},
    { request: ['POST', maps, { metadata: { generateName: 'generated-' } }], code: 201, seen: [[true, 'generated-']] },
  ),
  shows(
    'the objects of a deleted collection',
    ({ name, operation }) => [operation, name],
    { operations: ['delete'] },
    { request: create, seen: [] },
    { request: ['DELETE', maps], seen: [['delete', '']] },
  ),
  shows(
    'an apply that creates and one that updates',
    ({ operation, options, oldObject }, object) => [
      operation,
      options['fieldManager'],
      options['force'],
      data(oldObject),
      data(object),
    ],
    {},
    {
      request: ['PATCH', `${maps}/map?fieldManager=me&force=true`, map({ a: 'b' }), apply],
      code: 201,
      seen: [['create', 'me', null, null, { a: 'b' }]],
    },
    {
      request: ['PATCH', `${maps}/map?fieldManager=me`, map({ c: 'd' }), apply],
      seen: [['update', 'me', null, { a: 'b' }, { c: 'd' }]],
    },
  ),
  shows(
    'other patches',
    (_, object) => data(object),
    {},
    { request: create, seen: [{ a: 'b' }] },
    {
      request: [
        'PATCH',
        `${maps}/map`,
        [{ op: 'replace', path: '/data/a', value: 'c' }],
        { contentType: 'application/json-patch+json' },
      ],
      seen: [{ a: 'c' }],
    },
    {
      request: [
        'PATCH',
        `${maps}/map`,
        { data: { e: 'f' } },
        { contentType: 'application/strategic-merge-patch+json' },
      ],
      seen: [{ a: 'c', e: 'f' }],
    },
  ),
  shows(
    'the options of the request',
    ({ options }) => options,
    { operations: all },
    {
      request: ['POST', `${maps}?fieldManager=me&fieldValidation=Strict`, map()],
      seen: [{ kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'me', fieldValidation: 'Strict' }],
    },
    {
      request: ['PUT', `${maps}/map`, map({ a: 'b' })],
      seen: [{ kind: 'UpdateOptions', apiVersion: 'meta.k8s.io/v1' }],
    },
    {
      request: ['DELETE', `${maps}/map`, { gracePeriodSeconds: 3, propagationPolicy: 'Background' }],
      seen: [
        { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1', gracePeriodSeconds: 3, propagationPolicy: 'Background' },
      ],
    },
  ),
  shows(
    'whether it is a dry run',
    ({ dryRun }) => dryRun,
    { operations: all },
    { request: ['POST', `${maps}?dryRun=All`, map()], seen: [true] },
    { request: create, seen: [false] },
    { request: ['DELETE', `${maps}/map?dryRun=All`], seen: [true] },
  ),
  shows(
    'the user with groups and extra',
    ({ user }) => [user.username, user.groups, user.extra, user.uid],
    {},
    {
      request: [
        ...(['POST', maps, map()] as const),
        {
          headers: {
            'impersonate-user': 'ann',
            'impersonate-uid': 'u-1',
            'impersonate-group': 'system:masters',
            'impersonate-extra-teams.example.com': 'one',
          },
        },
      ],
      seen: [['ann', ['system:masters', 'system:authenticated'], { 'teams.example.com': ['one'] }, 'u-1']],
    },
  ),
  shows(
    'the kind and the resource',
    ({ kind, resource, requestKind, subresource }) => [kind, resource, requestKind, subresource ?? 'none'],
    { kind: Deployment },
    {
      request: [
        'POST',
        '/apis/apps/v1/namespaces/{ns}/deployments',
        {
          metadata: { name: 'web' },
          spec: {
            selector: { matchLabels: { app: 'web' } },
            template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
          },
        },
      ],
      seen: [
        [
          { group: 'apps', version: 'v1', kind: 'Deployment' },
          { group: 'apps', version: 'v1', plural: 'deployments' },
          { group: 'apps', version: 'v1', kind: 'Deployment' },
          'none',
        ],
      ],
    },
  ),
  shows(
    'an identifier, a signal and an instance of the class',
    (review, object) => [/^[0-9a-f-]{36}$/.test(review.uid), review.signal.aborted, object instanceof Gadget],
    { kind: Gadget },
    { request: ['POST', gadgets, gadget({ size: 1 })], seen: [[true, false, true]] },
  ),
  shows(
    'frozen objects',
    ({ oldObject }, object) => [
      Object.isFrozen(object.metadata),
      Object.isFrozen(oldObject?.metadata ?? Object.freeze({})),
    ],
    { operations: all },
    { request: create, seen: [[true, true]] },
    { request: ['PATCH', `${maps}/map`, { data: { d: 'e' } }, merge], seen: [[true, true]] },
    { request: ['DELETE', `${maps}/map`], seen: [[true, true]] },
  ),
  {
    title: 'a mutating webhook cannot change the old object',
    webhooks: [
      {
        type: 'mutating',
        reviews: (_, { oldObject }) => {
          if (oldObject !== undefined) oldObject.data = {};
        },
      },
    ],
    steps: [
      { request: create, code: 201 },
      {
        request: ['PATCH', `${maps}/map`, { data: { d: 'e' } }, merge],
        code: 500,
        message: /failed with EvenkeelError; the log of the operator has the details$/,
      },
    ],
  },
  {
    title: 'a deletion can be rejected, also by a mutating webhook',
    webhooks: [
      {
        type: 'mutating',
        operations: ['delete'],
        reviews: (object, review) => {
          if (object.data.a === 'b') review.deny('keep it');
        },
      },
    ],
    steps: [
      { request: create, code: 201 },
      { request: ['DELETE', `${maps}/map`], code: 403, message: 'denied the request: keep it' },
      { request: ['DELETE', maps], code: 403, message: 'denied the request: keep it' },
      { request: ['PATCH', `${maps}/map`, { data: { a: 'c' } }, merge], code: 200 },
      { request: ['DELETE', `${maps}/map`], code: 200 },
    ],
  },
];

const pod = { metadata: { name: 'pod' }, spec: { containers: [{ name: 'a', image: 'a' }] } };
const createPod: CaseStep = { request: ['POST', `${core}/pods`, pod], code: 201 };

/** A webhook for a subresource that shows the kind of its object. */
const ofSubresource = (
  title: string,
  kind: CaseWebhook['kind'],
  subresource: string,
  shown: (object: Reviewed, review: Review) => unknown,
  steps: readonly CaseStep[],
  isolated = true,
): WebhookCase => ({
  title: `a webhook for ${title}`,
  isolated,
  webhooks: [
    {
      type: 'validating',
      ...(kind !== undefined && { kind }),
      options: { subresource },
      reviews: (object, review, see) => {
        see([review.operation, review.subresource, object.kind, shown(object, review)]);
        if (review.user.username === 'stranger') review.deny('no strangers');
      },
    },
  ],
  steps,
});
const stranger = { headers: { 'impersonate-user': 'stranger', 'impersonate-group': 'system:masters' } };

const deployment = {
  metadata: { name: 'web' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
  },
};
const deployments = '/apis/apps/v1/namespaces/{ns}/deployments';
const noHost = { code: 400, message: 'pod pod does not have a host assigned' } as const;

const subresourceCases: readonly WebhookCase[] = [
  ofSubresource('status', Gadget, 'status', (object) => object.status, [
    { request: ['POST', gadgets, gadget({ size: 1 })], code: 201, seen: [] },
    { request: ['PATCH', `${gadgets}/gadget`, { spec: { size: 2 } }, merge], seen: [] },
    {
      request: ['PATCH', `${gadgets}/gadget/status`, { status: { ready: true } }, merge],
      seen: [['update', 'status', 'Gadget', { ready: true }]],
    },
    {
      request: ['PATCH', `${gadgets}/gadget/status`, { status: { ready: false } }, { ...merge, ...stranger }],
      code: 403,
      message: 'denied the request: no strangers',
    },
  ]),
  ofSubresource(
    'the scale of a Deployment',
    Deployment,
    'scale',
    (object, { oldObject }) => [oldObject.spec, object.spec],
    [
      { request: ['POST', deployments, deployment], code: 201, seen: [] },
      {
        request: ['PATCH', `${deployments}/web/scale`, { spec: { replicas: 3 } }, merge],
        body: { spec: { replicas: 3 } },
        seen: [['update', 'scale', 'Scale', [{ replicas: 1 }, { replicas: 3 }]]],
      },
      { request: ['GET', `${deployments}/web/scale`], seen: [] },
      { request: ['PATCH', `${deployments}/web`, { spec: { replicas: 4 } }, merge], seen: [] },
      {
        request: ['PATCH', `${deployments}/web/scale`, { spec: { replicas: 9 } }, { ...merge, ...stranger }],
        code: 403,
        message: 'denied the request: no strangers',
      },
    ],
  ),
  ofSubresource('the scale of a custom object', Gadget, 'scale', (object) => object.spec, [
    { request: ['POST', gadgets, gadget({ size: 1 })], code: 201, seen: [] },
    {
      request: ['PATCH', `${gadgets}/gadget/scale`, { spec: { replicas: 3 } }, merge],
      body: { spec: { replicas: 3 } },
      seen: [['update', 'scale', 'Scale', { replicas: 3 }]],
    },
  ]),
  {
    title: 'a mutating webhook for a scale',
    webhooks: [
      {
        type: 'mutating',
        kind: Deployment,
        options: { subresource: 'scale' },
        reviews: (scale) => {
          scale.spec.replicas = Math.min(scale.spec.replicas, 3);
        },
      },
    ],
    steps: [
      { request: ['POST', deployments, deployment], code: 201 },
      {
        request: ['PATCH', `${deployments}/web/scale`, { spec: { replicas: 9 } }, merge],
        body: { kind: 'Scale', spec: { replicas: 3 } },
      },
      { request: ['GET', `${deployments}/web`], body: { spec: { replicas: 3 } } },
    ],
  },
  ofSubresource(
    'ephemeral containers',
    Pod,
    'ephemeralcontainers',
    (object) => object.spec.ephemeralContainers[0].name,
    [
      { ...createPod, seen: [] },
      {
        request: [
          'PATCH',
          `${core}/pods/pod/ephemeralcontainers`,
          { spec: { ephemeralContainers: [{ name: 'debug', image: 'debug' }] } },
          { contentType: 'application/strategic-merge-patch+json' },
        ],
        seen: [['update', 'ephemeralcontainers', 'Pod', 'debug']],
      },
    ],
  ),
  ofSubresource('exec', Pod, 'exec', ({ command, stdin, container }, { name }) => [name, command, stdin, container], [
    { ...createPod, seen: [] },
    {
      request: ['POST', `${core}/pods/pod/exec?command=ls&command=-l&stdin=true&container=a`],
      ...noHost,
      seen: [['connect', 'exec', 'PodExecOptions', ['pod', ['ls', '-l'], true, 'a']]],
    },
    {
      request: ['GET', `${core}/pods/pod/exec?command=ls`, undefined, stranger],
      code: 403,
      message: 'denied the request: no strangers',
    },
    { request: ['GET', `${core}/pods/pod/attach`], ...noHost, seen: [] },
  ]),
  ofSubresource('attach', Pod, 'attach', ({ stdout }, { options }) => [stdout, options], [
    createPod,
    {
      request: ['POST', `${core}/pods/pod/attach?stdout=true`],
      ...noHost,
      seen: [['connect', 'attach', 'PodAttachOptions', [true, {}]]],
    },
  ]),
  ofSubresource('port forwarding', Pod, 'portforward', ({ ports }) => ports, [
    createPod,
    {
      request: ['GET', `${core}/pods/pod/portforward?ports=80&ports=81`],
      ...noHost,
      seen: [['connect', 'portforward', 'PodPortForwardOptions', [80, 81]]],
    },
  ]),
  ofSubresource('the proxy of a Pod', Pod, 'proxy', ({ path }, { name }) => [name, path], [
    createPod,
    {
      request: ['DELETE', `${core}/pods/pod:80/proxy/some/path`],
      code: 400,
      message: 'address not allowed',
      seen: [['connect', 'proxy', 'PodProxyOptions', ['pod:80', '/some/path']]],
    },
  ]),
  ofSubresource('the proxy of a Service', Service, 'proxy', ({ path }, { name }) => [name, path], [
    {
      request: ['GET', `${core}/services/web:80/proxy/x`],
      code: 404,
      message: 'services "web" not found',
      seen: [['connect', 'proxy', 'ServiceProxyOptions', ['web:80', '/x']]],
    },
  ]),
  ofSubresource('a binding', Pod, 'binding', ({ target }) => target.name, [
    createPod,
    {
      request: [
        'POST',
        `${core}/pods/pod/binding`,
        { metadata: { name: 'pod' }, target: { kind: 'Node', name: 'one' } },
      ],
      code: 201,
      seen: [['create', 'binding', 'Binding', 'one']],
    },
  ]),
  ofSubresource('an eviction', Pod, 'eviction', ({ metadata }) => metadata.name, [
    createPod,
    {
      request: [
        'POST',
        `${core}/pods/pod/eviction`,
        { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'pod' } },
      ],
      code: 201,
      seen: [['create', 'eviction', 'Eviction', 'pod']],
    },
  ]),
  ofSubresource('a token', ServiceAccount, 'token', ({ spec }) => spec.audiences, [
    { request: ['POST', `${core}/serviceaccounts`, { metadata: { name: 'robot' } }], code: 201 },
    {
      request: [
        'POST',
        `${core}/serviceaccounts/robot/token`,
        { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: ['me'] } },
        stranger,
      ],
      code: 403,
      message: 'denied the request: no strangers',
      seen: [['create', 'token', 'TokenRequest', ['me']]],
    },
  ]),
];

/** Whether a webhook with these options is called. */
const selects = (
  title: string,
  options: NonNullable<CaseWebhook['options']>,
  steps: readonly CaseStep[],
  webhook: Partial<CaseWebhook> = {},
  isolated = true,
): WebhookCase => ({
  title: `selects by ${title}`,
  isolated,
  webhooks: [
    { type: 'validating', ...webhook, options, reviews: (_, { name, operation }, see) => see(`${operation} ${name}`) },
  ],
  steps,
});

const named = (name: string, metadata: object = {}, options: SendOptions = {}): CaseStep['request'] => [
  'POST',
  maps,
  map({ a: 'b' }, { name, ...metadata }),
  options,
];
const called = (name: string, metadata: object = {}): CaseStep => ({
  request: named(name, metadata),
  code: 201,
  seen: [`create ${name}`],
});
const skipped = (name: string, metadata: object = {}): CaseStep => ({
  request: named(name, metadata),
  code: 201,
  seen: [],
});
const condition = (expression: string): NonNullable<CaseWebhook['options']> => ({
  matchConditions: [{ name: 'one', expression }],
});
const version2 = gadgets.replace('/v1/', '/v2/');
const asVersion2 = (spec: object): object => ({ ...gadget(spec), apiVersion: 'cases.example.com/v2' });

/** The operator ends the call at the same time as the API server, so either may be the first. */
const timedOut =
  /failed calling webhook .*: (?:context deadline exceeded|the server was unable to return a response in the time allotted, but may still be processing the request)$/;

const slow = (failurePolicy: 'Fail' | 'Ignore', expected: Pick<CaseStep, 'code' | 'message'>): WebhookCase => ({
  title: `a webhook that exceeds its timeout with the failure policy ${failurePolicy}`,
  webhooks: [
    {
      type: 'validating',
      options: { failurePolicy, timeoutSeconds: 1 },
      reviews: (_, { signal }) => delay(60_000, undefined, { signal, ref: false }),
    },
  ],
  steps: [{ request: create, ...expected }],
});

/** Adds its name to the data of an object. */
const appends = (name: string, options: NonNullable<CaseWebhook['options']> = {}): CaseWebhook => ({
  type: 'mutating',
  options,
  reviews: (object, _, see) => {
    see(name);
    object.data = { ...object.data, order: `${object.data?.order ?? ''}${name}` };
  },
});
/** Repeats nothing, so that it may be called again. */
const idempotent = (name: string, options: NonNullable<CaseWebhook['options']>): CaseWebhook => ({
  type: 'mutating',
  options,
  reviews: (object, _, see) => {
    see(`${name} sees ${Object.keys(object.data).join(' ')}`);
    object.data[name] = 'yes';
  },
});

const region = (name: string, labels: object = {}): object => ({
  apiVersion: 'foreign.example.org/v1alpha1',
  kind: 'Region',
  metadata: { name, labels },
  spec: { code: 'x' },
});

const optionCases: readonly WebhookCase[] = [
  selects('labels of the object', { objectSelector: { matchLabels: { app: 'web' } } }, [
    called('with', { labels: { app: 'web' } }),
    skipped('other', { labels: { app: 'db' } }),
    skipped('without'),
  ]),
  selects(
    'expressions about labels',
    {
      objectSelector: {
        matchExpressions: [
          { key: 'app', operator: 'In', values: ['web', 'db'] },
          { key: 'skip', operator: 'DoesNotExist' },
        ],
      },
    },
    [
      called('web', { labels: { app: 'web' } }),
      called('db', { labels: { app: 'db' } }),
      skipped('skip', { labels: { app: 'web', skip: '' } }),
      skipped('none'),
    ],
  ),
  selects('labels of the old object', { objectSelector: { matchLabels: { app: 'web' } } }, [
    called('map', { labels: { app: 'web' } }),
    { request: ['PATCH', `${maps}/map`, { metadata: { labels: null } }, merge], seen: ['update map'] },
    { request: ['PATCH', `${maps}/map`, { data: { c: 'd' } }, merge], seen: [] },
  ]),
  selects('labels of the namespace', { namespaceSelector: { matchLabels: { team: 'x' } } }, [
    skipped('before'),
    { request: ['PATCH', '/api/v1/namespaces/{ns}', { metadata: { labels: { other: 'y' } } }, merge], code: 200 },
    skipped('after'),
  ]),
  selects(
    'expressions about labels of the namespace',
    { namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['x'] }] } },
    [called('without')],
  ),
  selects('a true condition', condition("object.data.a == 'b'"), [called('map')]),
  selects('a false condition', condition("object.data.a == 'c'"), [skipped('map')]),
  selects('a condition on the request', condition("request.userInfo.username == 'stranger'"), [
    skipped('one'),
    { request: named('two', {}, stranger), code: 201, seen: ['create two'] },
  ]),
  selects('a condition on both objects', condition('oldObject == null || object.data != oldObject.data'), [
    called('map'),
    { request: ['PATCH', `${maps}/map`, { metadata: { labels: { a: 'b' } } }, merge], seen: [] },
    { request: ['PATCH', `${maps}/map`, { data: { c: 'd' } }, merge], seen: ['update map'] },
  ]),
  selects(
    'several conditions, all of which must be true',
    {
      matchConditions: [
        { name: 'one', expression: "object.metadata.name != 'skipped'" },
        { name: 'cases.example.com/two', expression: 'has(object.data)' },
      ],
    },
    [called('map'), skipped('skipped')],
  ),
  selects(
    'a condition of the authorizer',
    condition("authorizer.group('').resource('pods').check('create').allowed()"),
    [called('map')],
  ),
  selects('a condition that fails', condition("object.data.missing == 'x'"), [
    { request: create, code: 403, message: /resulted in error: no such key: missing$/ },
  ]),
  selects(
    'a condition that fails, with the failure policy Ignore',
    { ...condition("object.data.missing == 'x'"), failurePolicy: 'Ignore' },
    [skipped('map')],
  ),
  selects('the scope Namespaced', { scope: 'Namespaced' }, [called('map')]),
  selects(
    'the scope Cluster',
    { scope: 'Cluster', objectSelector: { matchLabels: { case: '{ns}' } } },
    [{ request: ['POST', regions, region('scoped-{ns}', { case: '{ns}' })], code: 201, seen: ['create scoped-{ns}'] }],
    { kind: Region },
    false,
  ),
  selects('every scope', { scope: '*' }, [called('map')]),
  {
    title: 'an object of another version, which matchPolicy Equivalent converts',
    webhooks: [
      {
        type: 'validating',
        kind: Gadget,
        reviews: (object, { requestKind, kind, resource }, see) =>
          see([object.apiVersion, requestKind.version, kind.version, resource.version]),
      },
    ],
    steps: [
      {
        request: ['POST', version2, asVersion2({ size: 1 })],
        body: { apiVersion: 'cases.example.com/v2' },
        seen: [['cases.example.com/v1', 'v2', 'v1', 'v1']],
      },
    ],
  },
  {
    title: 'a change of an object of another version',
    webhooks: [
      {
        type: 'mutating',
        kind: Gadget,
        options: { matchPolicy: 'Equivalent' },
        reviews: (object) => {
          object.spec.size = 4;
        },
      },
    ],
    steps: [
      {
        request: ['POST', version2, asVersion2({ size: 1, other: 'x' })],
        body: { apiVersion: 'cases.example.com/v2', spec: { size: 4, other: 'x' } },
      },
    ],
  },
  selects(
    'the exact version',
    { matchPolicy: 'Exact' },
    [
      { request: ['POST', version2, asVersion2({ size: 1 })], code: 201, seen: [] },
      { request: ['PATCH', `${gadgets}/gadget`, { spec: { size: 2 } }, merge], seen: ['update gadget'] },
    ],
    { kind: Gadget },
  ),
  {
    title: 'a dry run calls a webhook whose side effects depend on it',
    webhooks: [
      { type: 'validating', options: { sideEffects: 'NoneOnDryRun' }, reviews: (_, { dryRun }, see) => see(dryRun) },
      { type: 'mutating', options: { sideEffects: 'None' }, reviews: (_, { dryRun }, see) => see(dryRun) },
    ],
    steps: [{ request: ['POST', `${maps}?dryRun=All`, map()], code: 201, seen: [true, true] }],
  },
  slow('Fail', { code: 500, message: timedOut }),
  slow('Ignore', { code: 201 }),
  {
    title: 'an error of the code rejects although the failure policy is Ignore',
    webhooks: [
      {
        type: 'validating',
        options: { failurePolicy: 'Ignore' },
        reviews: () => {
          throw new Error('no');
        },
      },
    ],
    steps: [{ request: create, code: 500, message: /failed with Error; the log of the operator has the details$/ }],
  },
  {
    title: "a name and a path of one's own",
    webhooks: [
      {
        type: 'validating',
        options: { name: '{ns}.own.name', path: '/my-own.path-{ns}' },
        reviews: (_, review) => review.deny('no'),
      },
    ],
    steps: [{ request: create, code: 403, message: 'admission webhook "{ns}.own.name" denied the request: no' }],
  },
  {
    title: 'mutating webhooks run in order, before validating ones',
    webhooks: [
      { type: 'validating', reviews: (object, _, see) => see(`validates ${object.data.order}`) },
      appends('a'),
      appends('b'),
      appends('c'),
    ],
    steps: [
      { request: ['POST', maps, map()], body: { data: { order: 'abc' } }, seen: ['a', 'b', 'c', 'validates abc'] },
    ],
  },
  {
    title: 'a mutating webhook that denies ends the order',
    webhooks: [
      appends('a'),
      { type: 'mutating', reviews: (_, review) => review.deny('stop') },
      appends('c'),
      { type: 'validating', reviews: (_, __, see) => see('validates') },
    ],
    steps: [{ request: create, code: 403, message: 'denied the request: stop', seen: ['a'] }],
  },
  {
    title: 'several validating webhooks all run',
    webhooks: [1, 2, 3].map((index) => ({ type: 'validating', reviews: (_, review) => review.warn(`${index}`) })),
    steps: [{ request: create, code: 201 }],
  },
  {
    title: 'reinvocationPolicy IfNeeded repeats a webhook after a later change',
    webhooks: [idempotent('first', { reinvocationPolicy: 'IfNeeded' }), idempotent('second', {})],
    steps: [
      {
        request: create,
        body: { data: { a: 'b', first: 'yes', second: 'yes' } },
        seen: ['first sees a', 'second sees a first', 'first sees a first second'],
      },
    ],
  },
  {
    title: 'reinvocationPolicy Never repeats no webhook',
    webhooks: [
      idempotent('first', { reinvocationPolicy: 'Never' }),
      idempotent('second', { reinvocationPolicy: 'IfNeeded' }),
    ],
    steps: [{ request: create, seen: ['first sees a', 'second sees a first'] }],
  },
  {
    title: 'reinvocationPolicy IfNeeded repeats no webhook without a later change',
    webhooks: [
      idempotent('first', { reinvocationPolicy: 'IfNeeded' }),
      { type: 'mutating', reviews: (_, __, see) => see('changes nothing') },
    ],
    steps: [{ request: create, seen: ['first sees a', 'changes nothing'] }],
  },
];

const tooLarge = { code: 422, message: 'spec.size: Invalid value: 9: must not be greater than 5' } as const;
const schema: CaseWebhook = { type: 'validating', kind: Gadget, options: { schema: true } };

const kindCases: readonly WebhookCase[] = [
  {
    title: 'schema: true rejects what the CRD cannot express',
    webhooks: [schema],
    steps: [
      { request: ['POST', gadgets, gadget({ size: 9 })], ...tooLarge },
      { request: ['POST', `${gadgets}?dryRun=All`, gadget({ size: 9 })], ...tooLarge },
      {
        request: ['POST', gadgets, gadget({ size: 9, tags: ['a', 'bad'] })],
        code: 422,
        message:
          /: \[spec\.size: Invalid value: 9: must not be greater than 5, spec\.tags\[1\]: Invalid value: "bad": must not be bad\]$/,
      },
      { request: ['POST', gadgets, gadget({ size: 5, tags: ['a'] })], code: 201 },
      { request: ['PATCH', `${gadgets}/gadget`, { spec: { size: 9 } }, merge], ...tooLarge },
      { request: ['PATCH', `${gadgets}/gadget/status`, { status: { ready: true } }, merge], code: 200 },
    ],
  },
  {
    title: 'schema: true tolerates the problems of the stored object, and no new ones',
    webhooks: [
      {
        ...schema,
        options: {
          schema: true,
          matchConditions: [
            { name: 'late', expression: "!has(object.metadata.labels) || object.metadata.labels.early != 'yes'" },
          ],
        },
      },
    ],
    steps: [
      { request: ['POST', gadgets, gadget({ size: 9 }, { labels: { early: 'yes' } })], code: 201 },
      { request: ['PATCH', `${gadgets}/gadget`, { metadata: { labels: null } }, merge], code: 200 },
      { request: ['PATCH', `${gadgets}/gadget`, { spec: { size: 8 } }, merge], code: 200 },
      {
        request: ['PATCH', `${gadgets}/gadget`, { spec: { tags: ['bad'] } }, merge],
        code: 422,
        message: 'is invalid: spec.tags[0]: Invalid value: "bad": must not be bad',
      },
      { request: ['PATCH', `${gadgets}/gadget`, { spec: { size: 2 } }, merge], code: 200 },
      { request: ['PATCH', `${gadgets}/gadget`, { spec: { size: 9 } }, merge], ...tooLarge },
    ],
  },
  {
    title: 'schema: true does not check an object that is being deleted',
    webhooks: [schema],
    steps: [
      { request: ['POST', gadgets, gadget({ size: 1 }, { finalizers: ['cases.example.com/hold'] })], code: 201 },
      { request: ['DELETE', `${gadgets}/gadget`], body: { metadata: { deletionTimestamp: expect.any(String) } } },
      {
        request: ['PATCH', `${gadgets}/gadget`, { metadata: { finalizers: null }, spec: { size: 9 } }, merge],
        code: 200,
      },
      { request: ['GET', `${gadgets}/gadget`], code: 404 },
    ],
  },
  {
    title: 'schema: true together with a method',
    webhooks: [
      {
        ...schema,
        operations: ['create', 'delete'],
        reviews: (_, review) => (review.operation === 'delete' ? review.deny('stays') : review.required('spec.host')),
      },
    ],
    steps: [
      {
        request: ['POST', gadgets, gadget({ size: 9 })],
        code: 422,
        message: /: \[spec\.host: Required value, spec\.size: Invalid value: 9: must not be greater than 5\]$/,
      },
      { request: ['DELETE', `${gadgets}/gadget`], code: 404 },
    ],
  },
  {
    title: 'a custom kind of the operator',
    webhooks: [
      {
        type: 'validating',
        kind: Gadget,
        reviews: (object, review) => review.invalid('spec.size', object.spec.size, 'is never right'),
      },
    ],
    steps: [
      {
        request: ['POST', gadgets, gadget({ size: 1 })],
        code: 422,
        message: 'Gadget.cases.example.com "gadget" is invalid: spec.size: Invalid value: 1: is never right',
        body: { details: { name: 'gadget', group: 'cases.example.com', kind: 'Gadget' } },
      },
    ],
  },
  {
    title: 'a cluster-scoped kind of another operator',
    isolated: false,
    webhooks: [
      {
        type: 'validating',
        kind: Region,
        options: { objectSelector: { matchLabels: { case: '{ns}' } } },
        reviews: (_, review, see) => {
          see(review.namespace ?? 'none');
          review.warn('reviewed');
        },
      },
    ],
    steps: [
      { request: ['POST', regions, region('foreign-{ns}', { case: '{ns}' })], code: 201 },
      { request: ['POST', regions, region('other-{ns}')], code: 201, warnings: [], seen: [] },
    ],
  },
  {
    title: 'Namespaces, which have their own name as namespace',
    isolated: false,
    webhooks: [
      {
        type: 'validating',
        kind: Namespace,
        options: { objectSelector: { matchLabels: { case: '{ns}' } } },
        operations: ['create', 'update', 'delete'],
        reviews: (object, review) => review.warn(`${review.operation} ${object.metadata.name} in ${review.namespace}`),
      },
    ],
    steps: [
      {
        request: ['POST', '/api/v1/namespaces', { metadata: { name: 'new-{ns}', labels: { case: '{ns}' } } }],
        code: 201,
        warnings: ['create new-{ns} in new-{ns}'],
      },
    ],
  },
  {
    title: 'Nodes',
    isolated: false,
    webhooks: [
      {
        type: 'mutating',
        kind: Node,
        options: { objectSelector: { matchLabels: { case: '{ns}' } } },
        reviews: (node) => {
          node.spec.providerID = 'cases://node';
        },
      },
    ],
    steps: [
      {
        request: ['POST', '/api/v1/nodes', { metadata: { name: 'node-{ns}', labels: { case: '{ns}' } }, spec: {} }],
        body: { spec: { providerID: 'cases://node' } },
      },
    ],
  },
];

export const requestCases: readonly WebhookCase[] = [...reviewCases, ...subresourceCases, ...optionCases, ...kindCases];
