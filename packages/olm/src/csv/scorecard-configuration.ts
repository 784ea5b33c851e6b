import { builtInTests } from '../scorecard/built-in-tests.ts';
import { scorecardVersion } from '../scorecard/test-result.ts';

/** The image with the tests of operator-sdk, for its own command `scorecard`. `evenkeel scorecard` runs them without it. */
const image = 'quay.io/operator-framework/scorecard-test:v1.42.0';

const storage = { spec: { mountPath: {} } };

/** The configuration of the scorecard in a bundle, `scorecard.operatorframework.io/v1alpha3`. */
export const scorecardConfiguration = {
  apiVersion: scorecardVersion,
  kind: 'Configuration',
  metadata: { name: 'config' },
  stages: [
    {
      parallel: true,
      tests: Object.entries(builtInTests).map(([name, { suite }]) => ({
        image,
        entrypoint: ['scorecard-test', name],
        labels: { suite, test: `${name}-test` },
        storage,
      })),
    },
  ],
  storage,
} as const;
