import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The options experimentalDecorators and emitDecoratorMetadata of tsconfig.json, also for files that it excludes.
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  test: {
    include: ['src/**/*.test.ts'],
    // The defaults can be too short for the start of a server in a slow CI. This does not change the limit of
    // eventually(), which is 4 s: see docs/testing.md of Evenkeel.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Needed only by tests that call readSources(), which imports modules of this project.
    server: { deps: { inline: ['@evenkeel/schema'] } },
  },
});
