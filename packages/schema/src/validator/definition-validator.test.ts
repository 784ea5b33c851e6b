import type { KubernetesObject, ValidationFinding } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { combineValidators } from './combined-validator.ts';
import { definitionValidator } from './definition-validator.ts';

const schema = (size: object): object => ({
  openAPIV3Schema: {
    type: 'object',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        required: ['size', 'tier'],
        properties: {
          size: { type: 'integer', minimum: 1, ...size },
          tier: { type: 'string', default: 'bronze' },
          ports: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                port: { type: 'integer', maximum: 65535 },
                note: { type: 'string', default: 'x'.repeat(1_000_000) },
              },
            },
          },
        },
        'x-kubernetes-validations': [
          { rule: "self.tier != 'gold' || self.size > 2", message: 'gold takes three' },
          { rule: 'self.size >= oldSelf.size', message: 'never shrinks' },
        ],
      },
      status: { type: 'object', required: ['ready'], properties: { ready: { type: 'integer' } } },
    },
  },
});

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'shops.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Shop', plural: 'shops' },
    versions: [
      { name: 'v1', served: true, storage: true, schema: schema({ maximum: 5 }) },
      { name: 'v1beta1', served: true, storage: false, schema: schema({}) },
    ],
  },
} as unknown as CustomResourceDefinition;

const shop = (fields: object, apiVersion = 'example.com/v1', kind = 'Shop'): KubernetesObject =>
  Object.freeze({ apiVersion, kind, metadata: { name: 'it' }, ...fields });

const lines = (findings: readonly ValidationFinding[]): string[] =>
  findings.map(({ path, message }) => `${path}: ${message}`);

describe('definitionValidator()', () => {
  const findingsOf = async (object: KubernetesObject): Promise<string[]> =>
    lines((await definitionValidator([definition])).validate(object));

  it('has no findings for an object that is valid with its defaults, and does not change it', async () => {
    const object = shop({ spec: Object.freeze({ size: 5 }) });
    expect(await findingsOf(object)).toEqual([]);
    expect(object).toEqual(shop({ spec: { size: 5 } }));
  });

  it("reports findings with the API server's messages and paths", async () => {
    expect(await findingsOf(shop({ spec: { size: 9, ports: [{ port: 1 }, { port: 70_000 }] } }))).toEqual([
      'spec.size: Invalid value: 9: spec.size in body should be less than or equal to 5',
      'spec.ports[1].port: Invalid value: 70000: spec.ports[1].port in body should be less than or equal to 65535',
    ]);
    expect(await findingsOf(shop({}))).toEqual(['spec: Required value']);
  });

  it('reports an object that defaults would make too large', async () => {
    const ports = Array.from({ length: 200 }, () => ({ port: 1 }));
    expect(await findingsOf(shop({ spec: { size: 1, ports } }))).toEqual([
      ': validation and defaults of the object need too much work',
    ]);
  });

  it('evaluates rules, except those that compare with oldSelf', async () => {
    expect(await findingsOf(shop({ spec: { size: 2, tier: 'gold' } }))).toEqual([
      'spec: Invalid value: gold takes three',
    ]);
  });

  it('checks an object in its version, and no objects of other kinds', async () => {
    const spec = { size: 9 };
    expect(await findingsOf(shop({ spec }, 'example.com/v1beta1'))).toEqual([]);
    expect(await findingsOf(shop({ spec }, 'example.com/v2'))).toEqual([]);
    expect(await findingsOf(shop({ spec }, 'example.com/v1', 'Stall'))).toEqual([]);
  });

  it('does not check the status, even if its errors prevent rules from running', async () => {
    expect(await findingsOf(shop({ spec: { size: 2 }, status: { ready: 'no' } }))).toEqual([]);
    expect(await findingsOf(shop({ spec: { size: 2 }, status: {} }))).toEqual([]);
    expect(await findingsOf(shop({ spec: { size: 9 }, status: {} }))).toHaveLength(1);
  });
});

describe('combineValidators()', () => {
  it('runs every validator, and reports duplicate findings once', () => {
    const one = { path: 'spec.a', message: 'bad' };
    const other = { path: 'spec.b', message: 'bad' };
    const prepared: string[] = [];
    class Kind {}
    const combined = combineValidators(
      { validate: () => [one] },
      { validate: () => [{ ...one }, other], prepare: ({ name }) => prepared.push(name) },
    );
    combined.prepare?.(Kind as never);
    expect(prepared).toEqual(['Kind']);
    expect(combined.validate(shop({}))).toEqual([one, other]);
  });

  it('has no findings without validators', () => {
    expect(combineValidators().validate(shop({}))).toEqual([]);
  });
});
