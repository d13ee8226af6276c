import { defineConfig } from 'vitest/config';

/** The tests that a mutant of the domain must survive: those that are quick, and find the same thing every time. */
export default defineConfig({
  test: {
    include: ['test/{domain,cases,reconciler,runtime}/**/*.test.ts'],
    exclude: [
      'test/**/*.long.test.ts',
      // Random search that takes seconds: it would run for each mutant of the engine.
      'test/**/{agreement,alarms-property,edits-property,fuzz,fuzz-steps,peers}.test.ts',
    ],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    env: { FC_SEED: '20261130', SEED: '20261130' },
  },
});
