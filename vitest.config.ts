import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // One a core: many tests wait for Kafka and for leases.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{lib,services,gateway,proto,deploy,test}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.{integration,e2e,fault,chaos,helm,cluster}.test.ts'],
          // Some start processes, which takes its time where others do the same.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['{lib,services,gateway,deploy}/**/*.integration.test.ts'],
          exclude: ['**/node_modules/**'],
          globalSetup: ['test/support/infra.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          // Needs helm, helm-unittest and kubeconform.
          name: 'helm',
          include: ['test/helm/**/*.helm.test.ts'],
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.e2e.test.ts'],
          globalSetup: ['test/support/stack.ts'],
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/chaos/**/*.fault.test.ts'],
          globalSetup: ['test/support/stack.ts'],
          // Each file has the platform for itself.
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          // Needs a Kubernetes cluster, kubectl and helm.
          name: 'cluster',
          include: ['test/cluster/**/*.cluster.test.ts'],
          globalSetup: ['test/cluster/setup.ts'],
          testTimeout: 900_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          // Those that take too long for `npm test`.
          name: 'chaos',
          include: ['test/chaos/**/*.chaos.test.ts'],
          globalSetup: ['test/support/stack.ts'],
          fileParallelism: false,
          testTimeout: 900_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
