import type { JsonObject } from '@evenkeel/apimachinery/json';
import { assessCapability, type CapabilityFacts, capabilityQuestions, taggedTestsIn } from '../index.ts';

const described = { type: 'integer', description: 'How many.' };

function definition(version: JsonObject): JsonObject {
  const served = { name: 'v1', served: true, storage: true, ...version };
  return { kind: 'CustomResourceDefinition', spec: { names: { kind: 'Shop' }, versions: [served] } };
}

function schema(spec: JsonObject, status: JsonObject = {}): JsonObject {
  const properties = { spec: { type: 'object', properties: spec }, status: { type: 'object', properties: status } };
  return { subresources: { status: {} }, schema: { openAPIV3Schema: { type: 'object', properties } } };
}

function answerTo(question: keyof typeof capabilityQuestions, facts: Partial<CapabilityFacts>): string {
  const { questions } = assessCapability({ definitions: [], manifests: [], tests: [], ...facts });
  const { answer, evidence } = questions.find((each) => each.question === question) ?? {};
  return [answer, ...(evidence ?? []).map(({ source, fact }) => `${source}: ${fact}`)].join('; ');
}

function rule(...rules: readonly JsonObject[]): Partial<CapabilityFacts> {
  return { manifests: [{ place: 'rules.yaml', object: { kind: 'PrometheusRule', spec: { groups: [{ rules }] } } }] };
}

/** A run that created a Deployment with this container, and other objects. */
function run(container: JsonObject, ...others: readonly JsonObject[]): Partial<CapabilityFacts> {
  const metadata = { name: 'a', namespace: 'default' };
  const template = { spec: { containers: [{ name: 'app', ...container }] } };
  const deployment = { kind: 'Deployment', metadata, spec: { strategy: { type: 'RollingUpdate' }, template } };
  const made = {
    kind: 'Pod',
    metadata: { ...metadata, ownerReferences: [{ kind: 'ReplicaSet' }] },
    spec: template.spec,
  };
  return {
    run: {
      examples: [{ kind: 'Shop', metadata }],
      children: [deployment, made, ...others],
      events: [],
      changedConditions: ['Shop a: Available was False, then True'],
      hasConverged: true,
    },
  };
}

/** The same run, whose operator had not finished. */
function unfinished({ run: finished }: Partial<CapabilityFacts>): Partial<CapabilityFacts> {
  return { run: finished && { ...finished, hasConverged: false } };
}

function manager(container: JsonObject): Partial<CapabilityFacts> {
  const spec = { template: { spec: { containers: [container] } } };
  return { manifests: [{ place: 'manager.yaml', object: { kind: 'Deployment', spec } }] };
}

const requests = { requests: { cpu: '1' } };
const budget = { kind: 'PodDisruptionBudget', metadata: { name: 'a', namespace: 'default' } };

describe('assessCapability()', () => {
  it.each<readonly [keyof typeof capabilityQuestions, string, Partial<CapabilityFacts>]>([
    ['1.1', 'yes; class: Shop v1: spec.size', { definitions: [definition(schema({ size: described }))] }],
    ['1.1', 'no; class: Shop v1 has no field in its spec', { definitions: [definition(schema({}))] }],
    ['1.4', 'yes; class: Shop v1: spec.webImage', { definitions: [definition(schema({ webImage: described }))] }],
    [
      '1.4',
      'yes; class: variable SHOP_IMAGE in manager.yaml',
      manager({ env: [{ name: 'SHOP_IMAGE' }, { name: 'IMAGERY' }] }),
    ],
    ['1.4', 'unknown', { definitions: [definition(schema({ size: described }))] }],
    ['1.8', 'yes; class: Shop v1: status.ready', { definitions: [definition(schema({}, { ready: described }))] }],
    ['1.8', 'no; class: Shop v1 has no status', { definitions: [definition(schema({}))] }],
    [
      '1.9',
      'no; class: Shop v1: spec.web.port has no description',
      { definitions: [definition(schema({ web: { ...described, properties: { port: {}, size: described } } }))] },
    ],
    [
      '1.9',
      'yes; class: Shop v1: each field of the spec has a description, except those below spec.web',
      { definitions: [definition(schema({ web: { ...described, properties: { port: {} } } }))] },
    ],
    [
      '1.9',
      'yes; class: Shop v1: each field of the spec has a description',
      { definitions: [definition(schema({ size: described }))] },
    ],
    ['1.10', 'no; bundle: spec.relatedImages is empty', { csv: {} }],
    [
      '1.10',
      'no; bundle: b is missing in spec.relatedImages',
      {
        csv: {
          relatedImages: [{ image: 'a' }],
          install: {
            spec: {
              deployments: [
                {
                  spec: {
                    template: {
                      spec: { containers: [{ image: 'a', env: [{ name: 'RELATED_IMAGE_B', value: 'b' }] }] },
                    },
                  },
                },
              ],
            },
          },
        },
      },
    ],
    ['3.6', 'no; object: Deployment default/a, container app has no livenessProbe', run({})],
    ['3.6', 'yes; object: Deployment default/a, container app has a livenessProbe', run({ livenessProbe: {} })],
    ['3.7', 'no; object: Deployment default/a, container app has no readinessProbe', run({})],
    ['3.7', 'unknown', run({ readinessProbe: {} })],
    ['3.8', 'yes; object: Deployment default/a has the strategy RollingUpdate', run({})],
    ['3.9', 'no; object: the operator created no PodDisruptionBudget for Shop default/a', run({})],
    ['3.9', 'yes; object: the operator created PodDisruptionBudget default/a', run({}, budget)],
    ['3.9', 'unknown', {}],
    ['3.9', 'unknown', unfinished(run({}))],
    [
      '3.10',
      'no; object: Deployment default/a, container app has no resources.limits.cpu',
      run({ resources: requests }),
    ],
    [
      '4.1',
      'yes; metric: port metrics (9090) in manager.yaml',
      manager({ ports: [{ name: 'metrics', containerPort: 9090 }] }),
    ],
    ['4.2', 'unknown', rule({ record: 'shop:errors' })],
    ['4.2', 'yes; alert: ShopDown in rules.yaml', rule({ alert: 'ShopDown' })],
    ['4.4', 'no; alert: ShopDown has no runbook_url and no runbook', rule({ alert: 'ShopDown' })],
    [
      '4.5',
      'no; alert: no alert has the severity warning',
      rule({ alert: 'ShopDown', labels: { severity: 'critical' } }),
    ],
    ['4.7', 'unknown', run({})],
    ['1.6', 'yes; object: Shop a: Available was False, then True', run({})],
    ['5.1', 'unknown', run({})],
  ])('%s: %s', (question, expected, facts) => {
    expect(answerTo(question, facts)).toBe(expected);
  });

  it('lets tagged tests decide, and a failed one before others', () => {
    const facts = run({});
    const passed = { questions: ['3.9'], title: 'has one pod', file: 'a.test.ts', passed: true } as const;
    const failed = { ...passed, title: 'survives a drain', passed: false };
    expect(answerTo('3.9', { ...facts, tests: [passed] })).toBe('yes; test: "has one pod" in a.test.ts passed');
    expect(answerTo('3.9', { ...facts, tests: [passed, failed] })).toBe(
      'no; test: "survives a drain" in a.test.ts failed',
    );
  });

  it('reaches a level only with those below it, without the questions that only ask what is missing', () => {
    const below = (level: number) =>
      Object.entries(capabilityQuestions)
        .filter(([id, { counts }]) => counts && Number.parseInt(id, 10) <= level)
        .map(([id]) => id as keyof typeof capabilityQuestions);
    const levelWith = (questions: readonly (keyof typeof capabilityQuestions)[]) =>
      assessCapability({ definitions: [], manifests: [], tests: [{ questions, title: '', file: '', passed: true }] });
    expect(levelWith([])).toMatchObject({ level: 0, levelName: undefined });
    expect(levelWith(below(1))).toMatchObject({ level: 1, levelName: 'Basic Install' });
    expect(levelWith(below(5))).toMatchObject({ level: 5, levelName: 'Auto Pilot' });
    expect(levelWith(below(5).filter((id) => id !== '2.4'))).toMatchObject({ level: 1 });
    expect(levelWith(below(0)).questions).toHaveLength(38);
  });

  it('has evidence for each answer other than unknown, and says what would raise each other than yes', () => {
    const { questions } = assessCapability({
      definitions: [definition(schema({}))],
      manifests: [],
      tests: [],
      ...run({}),
    });
    expect(new Set(questions.map(({ answer }) => answer))).toEqual(new Set(['yes', 'no', 'unknown']));
    for (const { answer, evidence, raise, question } of questions) {
      expect(evidence.length > 0).toBe(answer !== 'unknown');
      if (answer === 'yes') expect(raise).toBeUndefined();
      else expect(raise).toContain(`[capability ${question}]`);
    }
    const failed = { questions: ['2.1'], title: '', file: '', passed: false } as const;
    const byTest = assessCapability({ definitions: [], manifests: [], tests: [failed] });
    expect(byTest.questions.find(({ question }) => question === '2.1')?.raise).toBe('make the failed tests pass');
  });
});

describe('taggedTestsIn()', () => {
  const report = (...assertionResults: readonly object[]) => ({
    testResults: [{ name: '/src/shop.test.ts', assertionResults }],
  });

  it('reads the tags of tests and of their groups, and leaves out what did not run', () => {
    const group = ['a shop [capability 3.1]'];
    expect(
      taggedTestsIn(
        report(
          { ancestorTitles: group, title: 'restores [capability 3.2, 3.1]', status: 'passed' },
          { ancestorTitles: group, title: 'backs up', status: 'failed' },
          { ancestorTitles: group, title: 'later', status: 'pending' },
          { ancestorTitles: [], title: 'sells', status: 'passed' },
        ),
      ),
    ).toEqual([
      { questions: ['3.1', '3.2'], title: 'a shop restores', file: '/src/shop.test.ts', passed: true },
      { questions: ['3.1'], title: 'a shop backs up', file: '/src/shop.test.ts', passed: false },
    ]);
  });

  it.each([
    ['no report', [], 'it has no list "testResults"'],
    ['a file without tests', { testResults: [{}] }, 'an item of "testResults" has no list "assertionResults"'],
    [
      'an unknown question',
      report({ title: 'a [capability 4.3]', status: 'passed' }),
      'the test "a [capability 4.3]" names the unknown question "4.3"',
    ],
  ])('rejects %s', (_, value, message) => {
    expect(() => taggedTestsIn(value)).toThrow(message);
  });
});
