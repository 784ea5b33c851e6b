import { bundleValidation } from './bundle-validation.ts';
import { checkSpec } from './check-spec.ts';
import { definitionsHaveResources } from './definitions-have-resources.ts';
import { definitionsHaveValidation } from './definitions-have-validation.ts';
import { specDescriptors, statusDescriptors } from './descriptors.ts';
import type { ScorecardSubject, TestFindings } from './scorecard-subject.ts';
import type { ScorecardResult } from './test-result.ts';

interface BuiltInTest {
  readonly suite: 'basic' | 'olm';
  /** When it fails, for the documentation. */
  readonly fails: string;
  run(subject: ScorecardSubject): Promise<TestFindings> | TestFindings;
}

/** The tests of operator-sdk, by the names that are in the entrypoints of its image. */
export const builtInTests = {
  'basic-check-spec': {
    suite: 'basic',
    fails:
      'An example has no spec, or the API server rejects it. There are no examples of the kinds that the operator owns.',
    run: checkSpec,
  },
  'olm-bundle-validation': {
    suite: 'olm',
    fails: 'The bundle has an error that prevents its installation: a check of the default validators, or of OLM v1.',
    run: bundleValidation,
  },
  'olm-crds-have-validation': {
    suite: 'olm',
    fails: 'A version of a CRD has no schema, or an example has a field, at any depth, that the schema does not have.',
    run: definitionsHaveValidation,
  },
  'olm-crds-have-resources': {
    suite: 'olm',
    fails: 'An owned CRD lists no resources, or the operator created a kind for an example that is not listed.',
    run: definitionsHaveResources,
  },
  'olm-spec-descriptors': {
    suite: 'olm',
    fails:
      'A field in the spec of an example has no descriptor, or a descriptor is for a field that the schema does not have.',
    run: specDescriptors,
  },
  'olm-status-descriptors': {
    suite: 'olm',
    fails:
      'A field in the status of an example, which the operator has written or which is in the bundle, has no descriptor, or a descriptor is for a field that the schema does not have.',
    run: statusDescriptors,
  },
} as const satisfies Record<string, BuiltInTest>;

/** The name of a built-in test. */
export type BuiltInTestName = keyof typeof builtInTests;

/** Runs a built-in test. */
export async function runBuiltInTest(name: BuiltInTestName, subject: ScorecardSubject): Promise<ScorecardResult> {
  const { examples, run, examplesProblem } = subject;
  const log = [
    `${examples.length} ${examples.length === 1 ? 'example' : 'examples'} in alm-examples`,
    run === undefined ? 'no API server' : `${run.hasOperator ? 'with' : 'without'} the operator`,
  ].join(', ');
  if (examplesProblem !== undefined) return { name, state: 'error', log, errors: [examplesProblem] };
  const { errors, suggestions = [] } = await builtInTests[name].run(subject);
  return {
    ...{ name, state: errors.length === 0 ? 'pass' : 'fail', log },
    ...(errors.length === 0 ? {} : { errors: [...new Set(errors)] }),
    ...(suggestions.length === 0 ? {} : { suggestions: [...new Set(suggestions)] }),
  };
}
