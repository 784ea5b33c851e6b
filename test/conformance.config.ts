import type { Config } from 'jest';
import tests from '../jest.config.ts';

/** The tests that compare with a real control plane and are skipped without one. Their names end with `.server.test.ts`. */
const config: Config = {
  ...tests,
  rootDir: '..',
  testMatch: ['**/*.server.test.ts'],
  testPathIgnorePatterns: [],
};

export default config;
