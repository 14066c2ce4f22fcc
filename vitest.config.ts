import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { cacheDir } from './deploy/local/process/files.ts';
import { findChartTools } from './test/helm/tools.ts';
import { WaitingFirst } from './test/support/runner/waiting-first.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Extent of long tests: a short slice in `npm test`, everything in `npm run test:all`. */
    testScope: 'short' | 'all';
  }
}

const testScope = process.env['TEST_SCOPE'] === 'all' ? 'all' : 'short';
// Tests start many processes of the same code.
process.env['NODE_COMPILE_CACHE'] ??= join(cacheDir(), 'compiled');
const chartTools = findChartTools();
if (typeof chartTools === 'string' && process.argv.some((arg) => arg.endsWith('helm'))) console.warn(chartTools);
// Checks of their own, because they are slow and read few files.
const ALERTS = 'test/lint/promtool.test.ts';
const CONTRACT = 'test/lint/contract-rules.test.ts';

export default defineConfig({
  test: {
    provide: { testScope },
    setupFiles: testScope === 'short' ? ['test/support/runner/fixed-seed.ts'] : [],
    exclude: ['**/node_modules/**'],
    // Files share processes, so that modules are loaded once. Tests that need their own process are `isolated`.
    isolate: false,
    // Tests spend half of their time waiting, and `npm test` runs two suites at a time.
    maxWorkers: 2 * availableParallelism(),
    // Limits only end what hangs. A busy machine is several times slower than a quiet one.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    teardownTimeout: 240_000,
    // A second, which is the default, can be too short on a busy machine.
    expect: { poll: { timeout: 90_000 } },
    sequence: { sequencer: WaitingFirst },
    // Groups run one after the other, so each has the whole machine.
    projects: [
      {
        extends: true,
        test: {
          name: 'lint',
          include: ['test/lint/**/*.test.ts'],
          exclude: [ALERTS, CONTRACT],
          sequence: { groupOrder: 1 },
        },
      },
      { extends: true, test: { name: 'alerts', include: [ALERTS], sequence: { groupOrder: 1 } } },
      { extends: true, test: { name: 'contract', include: [CONTRACT], sequence: { groupOrder: 1 } } },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{lib,services,gateway,web,proto,deploy,tools,test}/**/*.test.ts'],
          exclude: [
            '**/node_modules/**',
            '**/*.{integration,isolated,e2e,client,fault,chaos,helm,cluster}.test.ts',
            'test/lint/**',
          ],
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['{lib,services,gateway,deploy,tools}/**/*.integration.test.ts'],
          setupFiles: ['test/support/runner/sharding-guard.ts'],
          globalSetup: ['test/support/runner/infra.ts'],
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'isolated',
          include: ['{lib,services,gateway}/**/*.isolated.test.ts'],
          isolate: true,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          // Needs helm, helm-unittest and kubeconform.
          name: 'helm',
          include: typeof chartTools === 'string' ? [] : ['test/helm/**/*.helm.test.ts'],
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.e2e.test.ts'],
          globalSetup: ['test/support/stack.ts'],
          sequence: { groupOrder: 4 },
        },
      },
      {
        extends: true,
        test: {
          name: 'clients',
          include: ['test/clients/**/*.client.test.ts'],
          globalSetup: ['test/support/stack.ts'],
          // Compilers need the whole machine.
          fileParallelism: false,
          testTimeout: 600_000,
          sequence: { groupOrder: 5 },
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['test/chaos/**/*.fault.test.ts'],
          globalSetup: ['test/support/stack.ts'],
          // Files run one after the other, so each has the whole platform.
          fileParallelism: false,
          sequence: { groupOrder: 6 },
        },
      },
      {
        extends: true,
        test: {
          // Runs only in `npm run test:all`.
          name: 'chaos',
          include: ['test/chaos/**/*.chaos.test.ts'],
          globalSetup: ['test/support/stack.ts'],
          fileParallelism: false,
          testTimeout: 900_000,
          sequence: { groupOrder: 7 },
        },
      },
    ],
  },
});
