import type { Config } from 'jest';
import { sweepFiles } from './test/conformance-files.fixture.ts';

// Ends what waits in vain, and nothing else, as the limit of a test does.
process.env['EVENKEEL_EVENTUALLY_TIMEOUT'] ??= '30s';
// The same tests on a real control plane are part of `npm run conformance`.
process.env['EVENKEEL_TEST_SERVERS'] ??= 'embedded';

const config: Config = {
  roots: ['<rootDir>/packages', '<rootDir>/examples', '<rootDir>/test', '<rootDir>/bench'],
  testMatch: ['**/*.test.ts'],
  // What compares with a real control plane, and says nothing without one, has a command of its own: npm run conformance.
  // examples/vitest is a separate project, whose tests test/packed runs.
  testPathIgnorePatterns: ['\\.server\\.test\\.ts$', sweepFiles, '<rootDir>/examples/vitest/'],
  // Many tests wait for servers in other processes: on two cores, three workers left a fifth of the time unused.
  maxWorkers: 4,
  // Ends what hangs, and nothing else: a busy machine may take many times as long as a quiet one for any test.
  testTimeout: 600_000,
  testSequencer: '<rootDir>/test/longest-first.sequencer.ts',
  testEnvironment: '<rootDir>/test/plain-context.environment.ts',
  // Processes that tests start run what was built, as those of users do: hundreds of them took three times as long.
  moduleNameMapper: { '/program-file\\.ts$': '<rootDir>/packages/cli/src/load/built-program.fixture.ts' },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
          target: 'es2023',
        },
        module: { type: 'nodenext' },
        sourceMaps: 'inline',
      },
    ],
  },
  // Tests run the packages' TypeScript in their own process, not what was built of it.
  testEnvironmentOptions: { customExportConditions: ['evenkeel-source', 'node', 'node-addons', 'import'] },
};

export default config;
