import { ApiServer } from '../api-server.ts';
import { definitionOf } from '../customresource/definition-server.fixture.ts';
import { request } from '../request.fixture.ts';

describe('the validation of a create', () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await ApiServer.create({ controllers: false });
  });
  afterAll(() => server.close());

  async function refusal(path: string, body: object): Promise<string> {
    const answer = await request(server.transport(), 'POST', path, body);
    expect(answer.status).toBe(422);
    return answer.body.message;
  }

  it('reports all errors of an object at once, those of metadata first', async () => {
    const template = { spec: { containers: [] } };
    expect(await refusal('/apis/apps/v1/namespaces/default/deployments', { spec: { selector: {}, template } })).toBe(
      'Deployment.apps "" is invalid: [metadata.name: Required value: name or generateName is required, spec.selector: Invalid value: {}: empty selector is invalid for deployment, spec.template.spec.containers: Required value]',
    );
  });

  it('does not fail in rules that read the name if an object has none', async () => {
    const spec = { schedule: '* * * * *', jobTemplate: { spec: { template: { spec: {} } } } };
    const required = 'metadata.name: Required value: name or generateName is required';
    expect(await refusal('/apis/batch/v1/namespaces/default/cronjobs', { metadata: {}, spec })).toContain(required);
    expect(await refusal('/apis/batch/v1/namespaces/default/jobs', { spec: spec.jobTemplate.spec })).toContain(
      required,
    );
  });

  it('reports only the errors of metadata and schema for a custom kind, without running its rules', async () => {
    const schema = {
      required: ['spec'],
      properties: { spec: { type: 'object' } },
      'x-kubernetes-validations': [{ rule: 'false', message: 'never' }],
    };
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const definition = definitionOf('crontabs', 'CronTab', { schema });
    expect((await request(server.transport(), 'POST', definitions, definition)).status).toBe(201);
    const object = { apiVersion: 'stable.example.com/v1', kind: 'CronTab', metadata: {} };
    const path = '/apis/stable.example.com/v1/namespaces/default/crontabs';
    const unchecked =
      '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
    expect(await refusal(path, object)).toBe(
      `CronTab.stable.example.com "" is invalid: [metadata.name: Required value: name or generateName is required, spec: Required value, ${unchecked}]`,
    );
    expect(await refusal(path, { ...object, spec: {} })).toBe(
      `CronTab.stable.example.com "" is invalid: [metadata.name: Required value: name or generateName is required, ${unchecked}]`,
    );
  });

  it('reports errors of metadata last for kinds for which upstream does', async () => {
    const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
    expect(await refusal(budgets, { spec: { minAvailable: -1 } })).toBe(
      'PodDisruptionBudget.policy "" is invalid: spec.minAvailable: Invalid value: -1: must be greater than or equal to 0',
    );
    expect(await refusal(budgets, { spec: { minAvailable: 1 } })).toBe(
      'PodDisruptionBudget.policy "" is invalid: metadata.name: Required value: name or generateName is required',
    );
  });
});
