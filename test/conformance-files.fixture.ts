/** The sweeps of the examples. They need no real control plane, but minutes, which `npm test` does not have. */
export const sweepFiles = 'examples/[a-z-]+/src/(verified|sweeps\\.server)\\.test\\.ts$';

/**
 * The names of the test files that need a real control plane: comparisons with it, and lists of tests for every server. The
 * tests of the examples are such lists too, but have the names that a user would give them.
 */
export const conformanceFiles: readonly string[] = [
  '\\.(server|contract)\\.test\\.ts$',
  'examples/(nginx/src/nginx|cronjob/src/cron-job)\\.test\\.ts$',
  sweepFiles,
];
