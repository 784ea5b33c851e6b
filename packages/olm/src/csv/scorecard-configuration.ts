/** The image with the tests of operator-sdk, for its own command `scorecard`. `evenkeel scorecard` runs them without it. */
const image = 'quay.io/operator-framework/scorecard-test:v1.42.0';

/** The tests of operator-sdk: their suites, the arguments that select them, and their labels. */
const tests = [
  ['basic', 'basic-check-spec', 'basic-check-spec-test'],
  ['olm', 'olm-bundle-validation', 'olm-bundle-validation-test'],
  ['olm', 'olm-crds-have-validation', 'olm-crds-have-validation-test'],
  ['olm', 'olm-crds-have-resources', 'olm-crds-have-resources-test'],
  ['olm', 'olm-spec-descriptors', 'olm-spec-descriptors-test'],
  ['olm', 'olm-status-descriptors', 'olm-status-descriptors-test'],
] as const;

const storage = { spec: { mountPath: {} } };

/** The configuration of the scorecard in a bundle, `scorecard.operatorframework.io/v1alpha3`. */
export const scorecardConfiguration = {
  apiVersion: 'scorecard.operatorframework.io/v1alpha3',
  kind: 'Configuration',
  metadata: { name: 'config' },
  stages: [
    {
      parallel: true,
      tests: tests.map(([suite, argument, test]) => ({
        image,
        entrypoint: ['scorecard-test', argument],
        labels: { suite, test },
        storage,
      })),
    },
  ],
  storage,
} as const;
