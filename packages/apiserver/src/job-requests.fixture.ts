import {
  merge as mergeAt,
  type RequestScript,
  remove as removeAt,
  type ScriptedRequest,
} from './scripted-request.fixture.ts';

const root = '/apis/batch/v1/namespaces/default/jobs';

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }] } };

const create = (name: string, spec: object = {}): ScriptedRequest => ({
  method: 'POST',
  path: root,
  body: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { template, ...spec } },
});
const remove = (path: string, body?: object): ScriptedRequest => removeAt(`${root}${path}`, body && { body });
const merge = (path: string, body: object): ScriptedRequest => mergeAt(`${root}/${path}`, body);
const status = (name: string, body: object): ScriptedRequest => merge(`${name}/status`, { status: body });

const conditions = (...types: string[]): object => ({
  conditions: types.map((type) => ({ type, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' })),
});
const started = { startTime: '2026-01-01T00:00:00Z' };
const completed = { ...started, completionTime: '2026-01-01T00:01:00Z' };

/** Statuses that a Job without a status is set to, each in a separate Job. */
const statuses: readonly (readonly [object, object?])[] = [
  [{ active: -1, ready: -1, terminating: -1, succeeded: -1, failed: -1 }],
  [{ uncountedTerminatedPods: { succeeded: ['a', 'a', ''], failed: ['a'] } }],
  [conditions('Complete')],
  [conditions('Failed')],
  [{ ...started, ...conditions('Failed') }],
  [{ ...started, ...conditions('FailureTarget', 'Failed') }],
  [{ ...completed, ...conditions('Complete') }],
  [{ ...completed, ...conditions('SuccessCriteriaMet', 'Complete') }],
  [{ ...completed, ...conditions('SuccessCriteriaMet', 'FailureTarget', 'Complete', 'Failed') }],
  [{ ...completed }],
  [{ ...completed, completionTime: '2025-01-01T00:00:00Z', ...conditions('SuccessCriteriaMet', 'Complete') }],
  [{ ...started, active: 1, terminating: 1, ...conditions('FailureTarget', 'Failed') }],
  [
    {
      ...started,
      uncountedTerminatedPods: { succeeded: ['a'], failed: ['b', 'c'] },
      ...conditions('FailureTarget', 'Failed'),
    },
  ],
  [{ ...started, uncountedTerminatedPods: { failed: ['b'] }, ...conditions('FailureTarget', 'Failed') }],
  [{ active: 1, ready: 2 }],
  [{ ready: 1 }],
  [{ completedIndexes: '0', failedIndexes: '1' }],
  [
    { completedIndexes: '0,2-3', failedIndexes: '1-2' },
    { completionMode: 'Indexed', completions: 5, backoffLimitPerIndex: 1 },
  ],
  [
    { completedIndexes: '2,1', failedIndexes: '9' },
    { completionMode: 'Indexed', completions: 5, backoffLimitPerIndex: 1 },
  ],
  [
    { completedIndexes: 'x', failedIndexes: '' },
    { completionMode: 'Indexed', completions: 5, backoffLimitPerIndex: 1 },
  ],
  [
    { ...completed, ...conditions('Complete') },
    { completionMode: 'Indexed', completions: 5, successPolicy: { rules: [{ succeededCount: 1 }] } },
  ],
];

/** The statuses that one Job is set to, one after the other. */
const course: readonly object[] = [
  { ...started, active: 2, ready: 1, failed: 1, succeeded: 1 },
  { active: 2, ready: 1, failed: 0, succeeded: 0 },
  { startTime: null },
  { startTime: '2026-01-01T00:00:09Z' },
  { ready: 2, terminating: 3 },
  conditions('FailureTarget'),
  conditions('SuccessCriteriaMet'),
  { conditions: [] },
  conditions('FailureTarget', 'Failed'),
  { active: 0, ready: 0, ...conditions('FailureTarget', 'Failed') },
  { active: 0, ready: 0, terminating: 0, ...conditions('FailureTarget', 'Failed') },
  { active: 1 },
  { terminating: 1 },
  { ready: 1 },
  conditions('Failed'),
  conditions('FailureTarget'),
];

const success: readonly object[] = [
  { ...started, succeeded: 1, ...conditions('SuccessCriteriaMet') },
  conditions('Complete'),
  { completionTime: '2026-01-01T00:01:00Z', ...conditions('SuccessCriteriaMet', 'Complete') },
  { completionTime: '2026-01-01T00:02:00Z' },
  { completionTime: null },
  conditions('Complete'),
  conditions('SuccessCriteriaMet'),
  conditions('SuccessCriteriaMet', 'Complete', 'Failed'),
  { uncountedTerminatedPods: { failed: ['a'] } },
];

const rules = (...list: object[]): object => ({ podFailurePolicy: { rules: list } });
const indexed = { completionMode: 'Indexed', completions: 3 };
const exitCodes = (more: object): object => ({ onExitCodes: { operator: 'In', values: [1], ...more } });

const specs: readonly object[] = [
  ...['', 'abc', 'a b/c_d e', 'a.com/', '/x', 'a.com/b', `${'example'.repeat(6)}.com/${'a'.repeat(30)}`].map(
    (managedBy) => ({ managedBy }),
  ),
  rules({ action: 'No' }, { action: 'FailIndex', ...exitCodes({ values: [0, 3, 3, 2], containerName: 'zz' }) }),
  rules({
    action: 'Ignore',
    ...exitCodes({ operator: 'X', values: [] }),
    onPodConditions: [{ type: 'a b', status: '?' }],
  }),
  rules({ action: 'Count', onPodConditions: [{ type: 'DisruptionTarget' }] }),
  rules(...Array.from({ length: 21 }, () => ({ action: 'Count', ...exitCodes({}) }))),
  { ...rules({ action: 'Count' }), podReplacementPolicy: 'TerminatingOrFailed' },
  { successPolicy: { rules: [{ succeededCount: 1 }, { succeededIndexes: '1' }] } },
  { ...indexed, successPolicy: { rules: [] } },
  { completionMode: 'Indexed', successPolicy: { rules: [{ succeededCount: 3 }] } },
  {
    ...indexed,
    successPolicy: {
      rules: [
        {},
        ...['0-5', 'a', '1-2-3', '2,1', '1-1', '', '-1', '1,', '+1', '99999999999999999999'].map(
          (succeededIndexes) => ({
            succeededIndexes,
          }),
        ),
        { succeededIndexes: '0,1', succeededCount: 3 },
        { succeededCount: -1 },
        { succeededCount: 9 },
      ],
    },
  },
  { completionMode: 'Indexed', completions: 200_000, parallelism: 20_000, backoffLimitPerIndex: 1 },
  { completionMode: 'Indexed', completions: 200_000, backoffLimitPerIndex: 1, maxFailedIndexes: 150_000 },
];

const suspended = { suspend: true };
const inTemplate = (body: object): object => ({ spec: { template: { spec: body } } });
const resources = { requests: { cpu: '1' } };
const updates: readonly object[] = [
  { spec: { parallelism: 3, activeDeadlineSeconds: 60, backoffLimit: 3, ttlSecondsAfterFinished: 9, suspend: true } },
  { spec: { completions: 3 } },
  { spec: { completionMode: 'Indexed', completions: 2 } },
  { spec: { selector: { matchLabels: { a: 'b' } } } },
  { spec: { manualSelector: true } },
  { spec: { managedBy: 'example.com/a' } },
  { spec: { podReplacementPolicy: 'Failed' } },
  { spec: { backoffLimitPerIndex: 1 } },
  inTemplate({ nodeSelector: { a: 'b' } }),
  inTemplate({ containers: [{ name: 'a', image: 'a:1', resources }] }),
  inTemplate({ containers: [{ name: 'a', image: 'a:2' }] }),
  inTemplate({ activeDeadlineSeconds: 3 }),
  { spec: { template: { metadata: { annotations: { a: 'b' } } } } },
  { spec: { template: { metadata: { finalizers: ['example.com/a'] } } } },
];

/** Requests about Jobs, for servers without controllers. */
export const jobScripts: readonly RequestScript[] = [
  {
    title: 'warns that it keeps the pods of a Job that is deleted without a propagation policy',
    requests: [
      ...['a', 'b', 'c', 'd', 'e'].map((name) => create(`deleted-${name}`)),
      remove('/deleted-none'),
      remove('/deleted-a'),
      remove('/deleted-b?propagationPolicy=Background'),
      remove('/deleted-c', { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Foreground' }),
      remove('/deleted-d', { kind: 'DeleteOptions', apiVersion: 'v1', orphanDependents: false }),
      remove('?labelSelector=job-name%3Ddeleted-e'),
      remove('?labelSelector=job-name%3Ddeleted-none'),
      remove('?labelSelector=job-name%3Ddeleted-none&propagationPolicy=Background'),
    ],
  },
  {
    title: 'accepts or rejects the spec of a Job',
    requests: specs.map((spec, index) => create(`spec-${index}`, spec)),
  },
  {
    title: 'accepts or rejects a change of a Job',
    requests: [
      create('running'),
      status('running', { ...started, active: 1 }),
      ...updates.map((body) => merge('running', body)),
      create('never-started', suspended),
      ...updates.map((body) => merge('never-started', body)),
      create('stopped', suspended),
      status('stopped', { ...started, ...conditions('Suspended') }),
      ...updates.map((body) => merge('stopped', body)),
      create('stopping', suspended),
      status('stopping', { ...started, active: 1 }),
      ...updates.map((body) => merge('stopping', body)),
      create('wide', { completionMode: 'Indexed', completions: 3, parallelism: 3 }),
      merge('wide', { spec: { completions: 4 } }),
      merge('wide', { spec: { completions: 2, parallelism: 2 } }),
      merge('wide', { spec: { completions: null } }),
    ],
  },
  {
    title: 'accepts or rejects the status of a Job',
    requests: statuses.flatMap(([body, spec], index) => [
      create(`status-${index}`, spec),
      status(`status-${index}`, body),
    ]),
  },
  {
    title: 'accepts or rejects a change of the status of a Job',
    requests: [
      create('course'),
      ...course.map((body) => status('course', body)),
      create('success'),
      ...success.map((body) => status('success', body)),
    ],
  },
];
