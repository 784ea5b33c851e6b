import {
  apply,
  asPartial,
  asPartialList,
  asTable,
  begin,
  deployment,
  deployments,
  get,
  maps,
  namespaceOf,
  namespaces,
  post,
  type RequestScript,
  remove,
} from './scripted-request.fixture.ts';

const yaml = { accept: 'application/yaml' };
const table = { accept: asTable };
const partial = { accept: asPartial };
const partialList = { accept: asPartialList };

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
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const forms = (namespace: string): string => `/apis/forms.example.com/v1/namespaces/${namespace}/forms`;
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

const labelSelectors = [
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
];
const fieldSelectors = [
  'metadata.name=a\\b',
  'metadata.name=a\\\\b',
  'metadata.name=a\\,b',
  'metadata.name=a\\',
  'metadata.name!=\\=',
];

const selectors: RequestScript = {
  title: 'invalid selectors',
  requests: [
    begin('selectors'),
    ...labelSelectors.map((text) => get(`${maps('selectors')}?labelSelector=${encodeURIComponent(text)}`)),
    ...fieldSelectors.map((text) => get(`${maps('selectors')}?fieldSelector=${encodeURIComponent(text)}`)),
  ],
};

const representations: RequestScript = {
  title: 'other forms of responses',
  requests: [
    begin('forms'),
    post(definitions, definition),
    get(`${definitions}/forms.forms.example.com`, { eventually: true }),
    get(forms('forms'), { eventually: true }),
    post(forms('forms'), form('a')),
    get(`${forms('forms')}/a`, yaml),
    get(`${forms('forms')}/a`, partialList),
    get(forms('forms'), partial),
    get(`${namespaceOf('forms')}/secrets`, partialList),
    get(`${forms('forms')}/a/scale`, table),
    get(`${forms('forms')}/a/scale?includeObject=Object`, table),
    get(`${forms('forms')}/a/scale`, partial),
    get(`${forms('forms')}/a/scale`, partialList),
    get(`${forms('forms')}/a/scale`, yaml),
    post(deployments('forms'), deployment('d')),
    get(`${deployments('forms')}/d/scale`, table),
    get(`${deployments('forms')}/d/scale`, partial),
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
      { path: deployments('applied'), object: deployment('a') },
      { path: forms('applied'), object: form('a') },
    ].flatMap(({ path, object }) => {
      return [
        post(path, object),
        apply(`${path}/a/scale`, scaleOf(3)),
        apply(`${path}/a/scale?fieldManager=x`, scaleOf(3)),
        apply(`${path}/a/scale?fieldManager=x&force=true`, scaleOf(3)),
        get(`${path}/a`),
        apply(`${path}/a/scale?fieldManager=x`, scaleOf(4)),
        apply(`${path}/a/scale?fieldManager=y`, scaleOf(4)),
        apply(`${path}/a/scale?fieldManager=x`, scaleOf(4, { metadata: { name: 'b' } })),
        apply(`${path}/a/scale?fieldManager=x`, { ...scaleOf(4), kind: 'Form' }),
        apply(`${path}/missing/scale?fieldManager=x`, scaleOf(4, { metadata: { name: 'missing' } })),
        get(`${path}/a`),
      ];
    }),
    apply(`${forms('applied')}/a?fieldManager=x`, form('b')),
  ],
};

const bodies: RequestScript = {
  title: 'bodies without content or type',
  requests: [
    begin('bodies'),
    ...['null', ''].flatMap((body) => [
      post(maps('bodies'), body, { contentType: 'application/yaml' }),
      post(forms('bodies'), body, {
        contentType: 'application/yaml',
        statusOnly: 'the quoted body differs',
      }),
    ]),
    post(maps('bodies'), 'null'),
    post(forms('bodies'), 'null'),
    post(forms('bodies'), ' null\n'),
    post(forms('bodies'), { kind: 'Form', metadata: { name: 'a' } }),
    post(forms('bodies'), { apiVersion: 'forms.example.com/v1' }),
    post(namespaces, { metadata: { name: 'ending', finalizers: ['a.example.com/b'] } }),
    remove(namespaceOf('ending')),
    post(maps('ending'), {}),
  ],
};

/** Forms of requests and responses that only some clients use. */
export const formScripts: readonly RequestScript[] = [selectors, representations, appliedScales, bodies];
