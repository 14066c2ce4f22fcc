import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startStack } from '@survey/local/stack';
import { repositoryRoot, toPaths } from '@survey/local/stack/folder';
import { startOtlpCollector, tracingTo } from '@survey/runtime/testing/otlp-collector';
import { processNames } from '@survey/tools/cluster/names';
import { allowedQueries } from './allowed-queries.ts';
import { findLeaks, type Leak, loadForbidden } from './log-scan.ts';
import { describeQuery, findCostlyQueries, startProfiling } from './query-profile.ts';

/** The whole platform in its own folder. */
export interface TestStack {
  /** Environment variables that make end-to-end and fault tests use this stack. */
  readonly variables: Readonly<Record<'SURVEY_STACK' | 'SURVEY_SPAN_COLLECTOR', string>>;
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
 * Starts MongoDB with fail points, Kafka, the services and the gateway, with full logging and tracing.
 *
 * @param signal aborts the start
 */
export async function startTestStack(signal?: AbortSignal): Promise<TestStack> {
  const folder = await mkdtemp(join(tmpdir(), 'survey-stack-'));
  const collector = await startOtlpCollector();
  const remove = async () => {
    await collector.close();
    await rm(folder, { recursive: true, force: true });
  };
  // The processes run as in their images.
  const starting = makeBundles(folder, signal).then((bundles) =>
    startStack({
      dir: folder,
      bundles,
      demo: false,
      mongo: { failPoints: true },
      env: { ...tracingTo(collector.url), ...SHORT_WAITS, LOG_LEVEL: 'trace' },
      log: (line) => process.stderr.write(`${line}\n`),
      signal,
    }),
  );
  const stack = await starting.catch(async (error) => {
    await remove();
    throw error;
  });
  try {
    await startProfiling(stack.info().mongodb_uri);
  } catch (error) {
    await Promise.allSettled([stack.stop()]);
    await remove();
    throw error;
  }
  return {
    variables: { SURVEY_STACK: folder, SURVEY_SPAN_COLLECTOR: collector.url },
    async stop() {
      const costly = await stopAfter(stack.stop, () => findCostlyQueries(stack.info().mongodb_uri, allowedQueries));
      const { keys, logs } = toPaths(folder);
      const leaks = await findLeaks(logs, await loadForbidden(keys));
      await remove();
      if (leaks.length > 0) throw new Error(`private data in the logs of the stack:\n${toReport(leaks)}`);
      if (costly.length > 0) throw new Error(`queries that examine too much:\n${costly.map(describeQuery).join('\n')}`);
    },
  };
}

/** Bundles the processes of a stack as for their images. Returns the folder of the bundles, in the folder of the stack. */
export async function makeBundles(folder: string, signal?: AbortSignal): Promise<string> {
  const bundles = join(folder, 'bundles');
  const script = join(repositoryRoot, 'tools/bundle/main.ts');
  await promisify(execFile)(process.execPath, [script, '--out', bundles, ...processNames], { signal });
  return bundles;
}

/** Runs `work`, and stops the stack in any case. */
async function stopAfter<T>(stop: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await stop();
  }
}

/** Reports the first match of each kind and file, because leaks repeat. */
function toReport(leaks: readonly Leak[]): string {
  const kinds = Map.groupBy(leaks, ({ file, name }) => `${file}: ${name}`);
  return [...kinds]
    .map(([kind, [first, ...more]]) => `${kind}, line ${first?.line} and ${more.length} more: ${first?.text}`)
    .join('\n');
}
