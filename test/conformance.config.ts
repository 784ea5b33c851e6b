import type { Config } from 'jest';
import tests from '../jest.config.ts';
import { conformanceFiles } from './conformance-files.fixture.ts';

process.env['EVENKEEL_TEST_SERVERS'] = 'real';

const { testMatch: _, ...others } = tests;

/** The tests that need a real control plane, on that control plane only. They are skipped without one. */
const config: Config = {
  ...others,
  rootDir: '..',
  testRegex: [...conformanceFiles],
  testPathIgnorePatterns: ['<rootDir>/examples/vitest/'],
};

export default config;
