import type { AdmissionPolicy, CompiledRules, RuleInput } from '@evenkeel/core';
import { classValidator, combineValidators, definitionValidator } from '../../validator/index.ts';
import { ruleEvaluator } from './rule-evaluator.ts';

type Spec = AdmissionPolicy['spec'];

const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };

function compiled(kind: AdmissionPolicy['kind'], spec: Partial<Spec>): CompiledRules {
  const result = compile(kind, spec);
  if ('mistakes' in result) throw new Error(result.mistakes.join());
  return result;
}

function compile(kind: AdmissionPolicy['kind'], spec: Partial<Spec>): ReturnType<typeof ruleEvaluator.compile> {
  return ruleEvaluator.compile({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: 'rules' },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      ...(kind === 'MutatingAdmissionPolicy' ? { reinvocationPolicy: 'Never' } : {}),
      ...spec,
    },
  });
}

const input = (object: unknown): RuleInput => ({
  ...{ object, oldObject: null, request: { operation: 'CREATE' }, params: null, namespaceObject: null },
});
const apply = (expression: string) => ({
  patchType: 'ApplyConfiguration' as const,
  applyConfiguration: { expression },
});
const patch = (expression: string) => ({ patchType: 'JSONPatch' as const, jsonPatch: { expression } });

describe('ruleEvaluator', () => {
  it('leaves failures to the failure policy', () => {
    const validations = [{ expression: 'object.missing == 1' }];
    const failing = compiled('ValidatingAdmissionPolicy', { validations });
    expect(failing.deny(input({}))?.message).toContain('no such key: missing');
    expect(
      compiled('ValidatingAdmissionPolicy', { validations, failurePolicy: 'Ignore' }).deny(input({})),
    ).toBeUndefined();
    const mutations = [
      patch('[JSONPatch{op: "remove", path: "/b"}]'),
      patch('[JSONPatch{op: "add", path: "/c", value: 1}]'),
    ];
    expect(compiled('MutatingAdmissionPolicy', { mutations }).mutate(input({ a: 1 }))).toEqual({
      denial: { reason: 'Invalid', message: expect.stringContaining('JSON Patch: error in remove') },
    });
    const ignoring = compiled('MutatingAdmissionPolicy', { mutations, failurePolicy: 'Ignore' });
    expect(ignoring.mutate(input({ a: 1 }))).toEqual({ object: { a: 1, c: 1 } });
  });

  it('evaluates match conditions, and changes neither the object nor prototypes', () => {
    const rules = compiled('MutatingAdmissionPolicy', {
      matchConditions: [{ name: 'a', expression: 'has(object.a)' }],
      mutations: [
        apply('Object{spec: Object.spec{deep: Object.spec.deep{x: 1}}}'),
        patch('[JSONPatch{op: "add", path: "/__proto__", value: {"polluted": true}}]'),
      ],
    });
    const object = { a: 1, spec: { deep: { y: 2 }, list: [1] } };
    const result = rules.mutate(input(object));
    expect(result).toMatchObject({ object: { a: 1, spec: { deep: { x: 1, y: 2 }, list: [1] } } });
    expect(object).toEqual({ a: 1, spec: { deep: { y: 2 }, list: [1] } });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(rules.mutate(input({ b: 1 }))).toMatchObject({ object: { b: 1 } });
  });

  it('reports each mistake of the expressions', () => {
    expect(
      compile('ValidatingAdmissionPolicy', { validations: [{ expression: '1' }, { expression: 'params.x' }] }),
    ).toEqual({
      mistakes: [
        expect.stringContaining(
          'spec.validations[0].expression: Invalid value: "1": must evaluate to bool but got int',
        ),
        expect.stringContaining("undeclared reference to 'params'"),
      ],
    });
    const matchConditions = [{ name: 'a', expression: 'authorizer.path("/").check("get").allowed()' }];
    expect(compile('ValidatingAdmissionPolicy', { matchConditions, validations: [{ expression: 'true' }] })).toEqual({
      mistakes: [expect.stringContaining('only the API server has the variable "authorizer"')],
    });
  });

  it('comes with every validator of the package', async () => {
    const foreign = { validate: () => [] };
    const validators = [classValidator(), await definitionValidator([]), combineValidators(foreign, classValidator())];
    for (const validator of [...validators, combineValidators(foreign)]) {
      expect(await validator.ruleEvaluator?.()).toBe(ruleEvaluator);
    }
  });
});
