import type { JsonObject } from '@evenkeel/apimachinery/json';
import { type Bundle, OlmReport, readBundle } from '../index.ts';
import { baseBundle } from '../validate/recorded-verdicts.fixture.ts';
import { type BuiltInTestName, builtInTests, runBuiltInTest } from './built-in-tests.ts';
import type { ScorecardRun, ScorecardSubject } from './scorecard-subject.ts';

const example = {
  apiVersion: 'widgets.acme.example/v1alpha1',
  kind: 'Widget',
  metadata: { name: 'widget-sample' },
  spec: { size: 2 },
};

/** What an operator has made of the example. */
const run: ScorecardRun = {
  examples: [{ ...example, metadata: { ...example.metadata, uid: 'u' }, status: { ready: 2 } }],
  children: [{ kind: 'Deployment', metadata: { name: 'a', ownerReferences: [{ uid: 'u' }] } }],
  ...{ events: [], changedConditions: [], hasConverged: true, rejected: [], hasOperator: true },
};

let base: Bundle;
beforeAll(async () => {
  const bundle = await readBundle(baseBundle, new OlmReport());
  if (bundle === undefined) throw new Error('the base bundle cannot be read');
  base = bundle;
});

type Owned = NonNullable<NonNullable<Bundle['csv']['spec']>['customresourcedefinitions']>['owned'];

/** The base bundle with another description of its kind. */
function owning(change: object): Bundle {
  const { spec = {} } = base.csv;
  const [widget] = spec.customresourcedefinitions?.owned ?? [];
  const owned: Owned = [{ ...widget, ...change }];
  return { ...base, csv: { ...base.csv, spec: { ...spec, customresourcedefinitions: { owned } } } };
}

/** The base bundle with another schema. */
function withSchema(schema: JsonObject | undefined): Bundle {
  return {
    ...base,
    objects: base.objects.map((object) => {
      if (object.kind !== 'CustomResourceDefinition') return object;
      const spec = object.value['spec'] as { versions: readonly object[] };
      const versions = spec.versions.map((version) => ({ ...version, schema }));
      return { ...object, value: { ...object.value, spec: { ...spec, versions } } };
    }),
  };
}

async function errorsOf(name: BuiltInTestName, subject: Partial<ScorecardSubject>): Promise<readonly string[]> {
  const { state, errors = [] } = await runBuiltInTest(name, { bundle: base, examples: [example], ...subject });
  expect(state).toBe(errors.length === 0 ? 'pass' : 'fail');
  return errors;
}

const resources = 'spec.customresourcedefinitions.owned[0].resources';
const statusDescriptors = 'spec.customresourcedefinitions.owned[0].statusDescriptors';

describe('the built-in tests', () => {
  it.each(Object.keys(builtInTests) as BuiltInTestName[])('%s passes for a complete bundle', async (name) => {
    const bundle = owning({ statusDescriptors: [{ path: 'ready' }] });
    expect(await errorsOf(name, { bundle, run })).toEqual([]);
  });

  it.each<readonly [BuiltInTestName, string, () => Partial<ScorecardSubject>, readonly string[]]>([
    [
      'basic-check-spec',
      'an example without a spec',
      () => ({ examples: [{ ...example, spec: undefined }] }),
      ['Widget widget-sample has no spec; add it in alm-examples'],
    ],
    ['basic-check-spec', 'a rejected example', () => ({ run: { ...run, rejected: ['too small'] } }), ['too small']],
    [
      'basic-check-spec',
      'no example',
      () => ({ examples: [] }),
      ['there is no example of a kind that the operator owns, so nothing was checked; add one to alm-examples'],
    ],
    [
      'olm-bundle-validation',
      'an error of the default validators',
      () => ({ bundle: owning({ name: 'widgets' }) }),
      ['owned-name-invalid', 'example-kind-not-owned', 'owned-definition-missing', 'definition-not-owned'].map(
        (check) => expect.stringContaining(`[${check}]`),
      ),
    ],
    [
      'olm-crds-have-validation',
      'a version without a schema',
      () => ({ bundle: withSchema(undefined) }),
      ['Widget v1alpha1 has no schema; add openAPIV3Schema to its CRD'],
    ],
    [
      'olm-crds-have-validation',
      'an unknown field at any depth',
      () => ({
        bundle: withSchema({
          openAPIV3Schema: {
            properties: {
              spec: {
                properties: {
                  size: {},
                  open: { 'x-kubernetes-preserve-unknown-fields': true },
                  labels: { additionalProperties: { type: 'string' } },
                  parts: { items: { properties: { name: {} } } },
                },
              },
            },
          },
        }),
        examples: [
          { ...example, spec: { size: 1, open: { a: 1 }, labels: { a: '' }, parts: [{ name: '' }, { nme: '' }] } },
        ],
      }),
      ['Widget widget-sample: spec.parts[1].nme is not in the schema of Widget v1alpha1; add it there, or correct it'],
    ],
    [
      'olm-crds-have-validation',
      'an example of another version',
      () => ({ examples: [{ ...example, apiVersion: 'widgets.acme.example/v1' }] }),
      ['Widget widget-sample: no CRD of the bundle has widgets.acme.example/v1; correct it'],
    ],
    [
      'olm-crds-have-resources',
      'no resources',
      () => ({ bundle: owning({ resources: [] }) }),
      [`widgets.widgets.acme.example lists no resources; list what the operator creates in ${resources}`],
    ],
    [
      'olm-crds-have-resources',
      'a created kind that is not listed',
      () => ({ bundle: owning({ resources: [{ kind: 'Pod' }] }), run }),
      [`widgets.widgets.acme.example does not list Deployment, which the operator created; add it to ${resources}`],
    ],
    [
      'olm-spec-descriptors',
      'a field without a descriptor',
      () => ({ bundle: owning({ specDescriptors: [] }) }),
      [
        'Widget widget-sample: spec.size has no descriptor; add it to spec.customresourcedefinitions.owned[0].specDescriptors',
      ],
    ],
    [
      'olm-spec-descriptors',
      'a descriptor without a field',
      () => ({ bundle: owning({ specDescriptors: [{ path: 'size' }, { path: 'sise[0].x' }] }) }),
      [
        'spec.customresourcedefinitions.owned[0].specDescriptors[1]: the schema of Widget v1alpha1 has no spec.sise[0].x; correct the path',
      ],
    ],
    [
      'olm-status-descriptors',
      'a field that the operator has written',
      () => ({ run }),
      [`Widget widget-sample: status.ready has no descriptor; add it to ${statusDescriptors}`],
    ],
  ])('%s fails for %s', async (name, _, subject, errors) => {
    expect(await errorsOf(name, subject())).toEqual(errors);
  });

  it('suggest what they could not check', async () => {
    expect(await runBuiltInTest('olm-status-descriptors', { bundle: base, examples: [example] })).toEqual({
      ...{ name: 'olm-status-descriptors', state: 'pass', log: '1 example in alm-examples, no API server' },
      suggestions: ['Widget widget-sample has no status, so only its schema was checked'],
    });
  });

  it('end with an error if the examples cannot be read', async () => {
    const subject = { bundle: base, examples: [], examplesProblem: 'alm-examples is not JSON' };
    expect(await runBuiltInTest('basic-check-spec', subject)).toMatchObject({
      ...{ state: 'error', errors: ['alm-examples is not JSON'] },
    });
  });
});
