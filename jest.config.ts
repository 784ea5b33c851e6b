import type { Config } from 'jest';

const config: Config = {
  roots: ['<rootDir>/packages', '<rootDir>/examples', '<rootDir>/test', '<rootDir>/bench'],
  testMatch: ['**/*.test.ts'],
  // Many tests wait for servers in other processes; more of them than cores are quicker, a few more than that are not.
  maxWorkers: 3,
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
  // Tests run the packages' TypeScript, not what was built of it.
  testEnvironmentOptions: { customExportConditions: ['evenkeel-source', 'node', 'node-addons', 'import'] },
};

export default config;
