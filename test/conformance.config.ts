import type { Config } from 'jest';
import tests from '../jest.config.ts';
import { conformanceFiles, sweepFiles } from './conformance-files.fixture.ts';

process.env['EVENKEEL_TEST_SERVERS'] = 'real';

const { testMatch: _, ...others } = tests;

/** A fresh clone does not repeat the sweeps, which behave there as in the checkout. */
const withoutSweeps = process.env['EVENKEEL_WITHOUT_SWEEPS'] !== undefined;

/** The tests that need a real control plane, on that control plane only. They are skipped without one. */
const config: Config = {
  ...others,
  rootDir: '..',
  testRegex: [...conformanceFiles],
  testPathIgnorePatterns: ['<rootDir>/examples/vitest/', ...(withoutSweeps ? [sweepFiles] : [])],
};

export default config;
