import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Separate from the other suites, so only `npm run test:cluster` runs it. */
export default defineConfig({
  test: {
    name: 'cluster',
    root: join(import.meta.dirname, '../..'),
    include: ['test/cluster/**/*.cluster.test.ts'],
    globalSetup: ['test/cluster/setup.ts'],
    testTimeout: 900_000,
    hookTimeout: 300_000,
  },
});
