import { defineConfig } from 'vitest/config';

/** The tests that must notice a mutant of the domain: its own, but for those that search at random for seconds. */
export default defineConfig({
  test: {
    include: ['test/domain/**/*.test.ts'],
    exclude: [
      'test/**/*.long.test.ts',
      'test/domain/pool-worlds.test.ts',
      'test/domain/schedule/{agreement,alarms-property,fuzz,fuzz-steps,peers}.test.ts',
    ],
    // Each mutant has a worker of its own anyway; in it a module is loaded once, not once for each file of tests.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // The same verdict every time.
    env: { FC_SEED: '20261130', SEED: '20261130' },
  },
});
