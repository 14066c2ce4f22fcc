import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildWebApps } from '@survey/local/build-web-apps';
import { createHost } from '@survey/local/process/host';
import { startStack } from '@survey/local/stack';
import { repositoryRoot, toPaths } from '@survey/local/stack/folder';
import { loadStackInfo, type StackInfo } from '@survey/local/stack/stack-file';
import { startOtlpCollector, tracingTo } from '@survey/runtime/testing/otlp-collector';
import { processNames } from '@survey/tools/cluster/names';
import type { TestProject } from 'vitest/node';
import { allowedQueries } from './allowed-queries.ts';
import { findLeaks, type Leak, loadForbidden } from './log-scan.ts';
import { describeQuery, findCostlyQueries, startProfiling } from './query-profile.ts';

declare module 'vitest' {
  interface ProvidedContext {
    stack: StackInfo;
    /** The folder of the stack with its keys. */
    stackFolder: string;
    /** The address of the span collector; empty if there is none. */
    collector: string;
    /** The address on which webhook receivers listen. */
    receiverHost: string;
    /** Whether the cluster has a metrics server. */
    podMetrics: boolean;
  }
}

/** The whole platform in its own folder. */
interface TestStack {
  readonly folder: string;
  readonly collector: string;
  /** Stops the stack and deletes its folder. Throws if logs contain private data, or queries examine too much. */
  stop(): Promise<void>;
}

/** Shortened waits; everything else has production defaults. */
export const SHORT_WAITS = {
  // Receivers in tests reply immediately, so leases of killed workers can be short.
  WEBHOOK_TIMEOUT_MS: '5000',
  WEBHOOK_LEASE_MARGIN_MS: '15000',
  // In tests, no calls of a deleted tenant stay in flight.
  TENANT_ERASURE_SETTLE_SECONDS: '2',
  // Short for a fast takeover, but long enough for a busy machine.
  LEASE_MS: '3000',
  IMPORT_LEASE_MS: '4000',
  KAFKA_SESSION_TIMEOUT_MS: '4000',
  // Time until calls fail with 503 without MongoDB.
  MONGODB_SELECTION_TIMEOUT_MS: '2000',
};

/**
 * Provides the stack for end-to-end and fault tests: the one in the folder `SURVEY_STACK`, for example of a cluster, or
 * a new one for all suites of this run. The stack must be able to reach this machine at `SURVEY_RECEIVER_HOST`.
 */
export default async function setup({ vitest }: TestProject): Promise<() => Promise<void>> {
  // All suites get the values that the root project provides.
  const shared = vitest.getRootProject();
  if ('stack' in shared.getProvidedContext()) return async () => {};
  const given = process.env['SURVEY_STACK'];
  const own = given ? undefined : await startTestStack();
  const folder = own?.folder ?? given ?? '';
  shared.provide('stack', await loadStackInfo(folder));
  shared.provide('stackFolder', folder);
  shared.provide('collector', own?.collector ?? '');
  shared.provide('receiverHost', process.env['SURVEY_RECEIVER_HOST'] || '127.0.0.1');
  return async () => own?.stop();
}

/**
 * Starts MongoDB with fail points, Kafka, the services and the gateway, with full logging and tracing. The processes run
 * as in their images.
 */
async function startTestStack(): Promise<TestStack> {
  await using cleanup = new AsyncDisposableStack();
  const host = createHost();
  cleanup.defer(host.close);
  const folder = await mkdtemp(join(tmpdir(), 'survey-stack-'));
  // Vitest ends at Ctrl-C without the steps below.
  host.reaper.removeAtEnd(folder);
  const collector = await startOtlpCollector();
  cleanup.defer(collector.close);
  const log = (line: string) => process.stderr.write(`${line}\n`);
  const bundles = join(folder, 'bundles');
  await buildWebApps(log);
  const script = join(repositoryRoot, 'tools/bundle/main.ts');
  await promisify(execFile)(process.execPath, [script, '--out', bundles, ...processNames]);
  const stack = await startStack({
    dir: folder,
    host,
    bundles,
    demo: false,
    mongo: { failPoints: true },
    env: { ...tracingTo(collector.url), ...SHORT_WAITS, LOG_LEVEL: 'trace' },
    log,
  });
  cleanup.defer(stack.stop);
  const { mongodb_uri: mongodbUri } = stack.info();
  await startProfiling(mongodbUri);
  const running = cleanup.move();
  return {
    folder,
    collector: collector.url,
    async stop() {
      await using _ = running;
      const costly = await findCostlyQueries(mongodbUri, allowedQueries);
      await stack.stop();
      const { keys, logs } = toPaths(folder);
      const leaks = await findLeaks(logs, await loadForbidden(keys));
      if (leaks.length > 0) throw new Error(`private data in the logs of the stack:\n${toReport(leaks)}`);
      if (costly.length > 0) throw new Error(`queries that examine too much:\n${costly.map(describeQuery).join('\n')}`);
    },
  };
}

/** Reports the first match of each kind and file, because leaks repeat. */
function toReport(leaks: readonly Leak[]): string {
  const kinds = Map.groupBy(leaks, ({ file, name }) => `${file}: ${name}`);
  return [...kinds]
    .map(([kind, [first, ...more]]) => `${kind}, line ${first?.line} and ${more.length} more: ${first?.text}`)
    .join('\n');
}
