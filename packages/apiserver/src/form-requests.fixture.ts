import type { RequestScript, ScriptedRequest } from './pipeline-requests.fixture.ts';

type Options = Omit<ScriptedRequest, 'method' | 'path'>;

const get = (path: string, options: Options = {}): ScriptedRequest => ({ method: 'GET', path, ...options });
const post = (path: string, body: unknown, options: Options = {}): ScriptedRequest => ({
  ...{ method: 'POST', path, body },
  ...options,
});
const patch = (path: string, type: string, body: unknown): ScriptedRequest => ({
  ...{ method: 'PATCH', path, body, contentType: `application/${type}-patch+${type === 'apply' ? 'yaml' : 'json'}` },
});

const meta = (as: string) => ({ accept: `application/json;as=${as};v=v1;g=meta.k8s.io` });
const yaml = { accept: 'application/yaml' };
const begin = (name: string): ScriptedRequest => post('/api/v1/namespaces', { metadata: { name } });
const inNamespace = (name: string, plural: string): string => `/api/v1/namespaces/${name}/${plural}`;

const definition = {
  metadata: { name: 'forms.forms.example.com' },
  spec: {
    group: 'forms.example.com',
    scope: 'Namespaced',
    names: { plural: 'forms', kind: 'Form' },
    preserveUnknownFields: false,
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 0 }],
        subresources: {
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { size: { type: 'integer' }, replicas: { type: 'integer' } } },
              status: { type: 'object', properties: { replicas: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
};
const forms = '/apis/forms.example.com/v1/namespaces/forms/forms';
const form = (name: string): object => ({
  apiVersion: 'forms.example.com/v1',
  kind: 'Form',
  metadata: { name },
  spec: { size: 1, replicas: 2 },
});
const scaleOf = (replicas: number, more: object = {}): object => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'a' },
  spec: { replicas },
  ...more,
});

const deployment = {
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { app: 'd' } },
    template: { metadata: { labels: { app: 'd' } }, spec: { containers: [{ name: 'main', image: 'nginx:1.29' }] } },
  },
};

const selectors: RequestScript = {
  title: 'invalid selectors',
  requests: [
    begin('selectors'),
    ...[
      ...[
        ',',
        'a,',
        'a,,b',
        'a b',
        '=a',
        '(a)',
        '!',
        '!=a',
        '!a=b',
        'a!b',
        'a===b',
        'a=(',
        'a=b c',
        'a=!',
        'a in',
        'a in b',
      ],
      ...[
        'a in (b',
        'a in (b c)',
        'a in (=)',
        'a in b)',
        'a in (b=)',
        'a in (,)',
        'a in ()',
        'a in (b,)',
        'a in (,b)',
        'a in (b,,c)',
      ],
      ...[
        'a>b',
        'a>1',
        'a<-1',
        'a>1.5',
        'a>',
        '-a',
        'a/b/c',
        'a=-',
        'a in (b,-,c-)',
        '-a=-',
        `${'a'.repeat(64)}=b`,
        'A.b/c=D_e',
        'a!=é',
      ],
    ].map((text) => get(`${inNamespace('selectors', 'configmaps')}?labelSelector=${encodeURIComponent(text)}`)),
    ...[
      'metadata.name=a\\b',
      'metadata.name=a\\\\b',
      'metadata.name=a\\,b',
      'metadata.name=a\\',
      'metadata.name!=\\=',
    ].map((text) => get(`${inNamespace('selectors', 'configmaps')}?fieldSelector=${encodeURIComponent(text)}`)),
  ],
};

const representations: RequestScript = {
  title: 'other forms of responses',
  requests: [
    begin('forms'),
    post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition),
    get('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/forms.forms.example.com', { eventually: true }),
    get(forms, { eventually: true }),
    post(forms, form('a')),
    get(`${forms}/a`, yaml),
    get(`${forms}/a`, meta('PartialObjectMetadataList')),
    get(forms, meta('PartialObjectMetadata')),
    get(inNamespace('forms', 'secrets'), meta('PartialObjectMetadataList')),
    get(`${forms}/a/scale`, meta('Table')),
    get(`${forms}/a/scale?includeObject=Object`, meta('Table')),
    get(`${forms}/a/scale`, meta('PartialObjectMetadata')),
    get(`${forms}/a/scale`, meta('PartialObjectMetadataList')),
    get(`${forms}/a/scale`, yaml),
    post('/apis/apps/v1/namespaces/forms/deployments', deployment),
    get('/apis/apps/v1/namespaces/forms/deployments/d/scale', meta('Table')),
    get('/apis/apps/v1/namespaces/forms/deployments/d/scale', meta('PartialObjectMetadata')),
    get('/apis', yaml),
    get('/apis/apps', yaml),
    get('/apis/apps/v1', yaml),
    get('/apis/apps/v7'),
    get('/apis/nothing.example.com'),
    get('/apis/nothing.example.com/v1'),
    get('/api/v7'),
  ],
};

const appliedScales: RequestScript = {
  title: 'server-side apply of a scale',
  requests: [
    begin('applied'),
    ...[
      { path: '/apis/apps/v1/namespaces/applied/deployments', object: { ...deployment, metadata: { name: 'a' } } },
      { path: '/apis/forms.example.com/v1/namespaces/applied/forms', object: form('a') },
    ].flatMap(({ path, object }) => {
      return [
        post(path, object),
        patch(`${path}/a/scale`, 'apply', scaleOf(3)),
        patch(`${path}/a/scale?fieldManager=x`, 'apply', scaleOf(3)),
        patch(`${path}/a/scale?fieldManager=x&force=true`, 'apply', scaleOf(3)),
        get(`${path}/a`),
        patch(`${path}/a/scale?fieldManager=x`, 'apply', scaleOf(4)),
        patch(`${path}/a/scale?fieldManager=y`, 'apply', scaleOf(4)),
        patch(`${path}/a/scale?fieldManager=x`, 'apply', scaleOf(4, { metadata: { name: 'b' } })),
        patch(`${path}/a/scale?fieldManager=x`, 'apply', { ...scaleOf(4), kind: 'Form' }),
        patch(`${path}/missing/scale?fieldManager=x`, 'apply', scaleOf(4, { metadata: { name: 'missing' } })),
        get(`${path}/a`),
      ];
    }),
    patch('/apis/forms.example.com/v1/namespaces/applied/forms/a?fieldManager=x', 'apply', form('b')),
  ],
};

const bodies: RequestScript = {
  title: 'bodies without content or type',
  requests: [
    begin('bodies'),
    ...['null', ''].flatMap((body) => [
      post(inNamespace('bodies', 'configmaps'), body, { contentType: 'application/yaml' }),
      post('/apis/forms.example.com/v1/namespaces/bodies/forms', body, {
        contentType: 'application/yaml',
        statusOnly: 'the quoted body differs',
      }),
    ]),
    post(inNamespace('bodies', 'configmaps'), 'null'),
    post('/apis/forms.example.com/v1/namespaces/bodies/forms', 'null'),
    post('/apis/forms.example.com/v1/namespaces/bodies/forms', { kind: 'Form', metadata: { name: 'a' } }),
    post('/apis/forms.example.com/v1/namespaces/bodies/forms', { apiVersion: 'forms.example.com/v1' }),
    post('/api/v1/namespaces', { metadata: { name: 'ending', finalizers: ['a.example.com/b'] } }),
    { method: 'DELETE', path: '/api/v1/namespaces/ending' },
    post(inNamespace('ending', 'configmaps'), {}),
  ],
};

/** Forms of requests and responses that only some clients use. */
export const formScripts: readonly RequestScript[] = [selectors, representations, appliedScales, bodies];
