import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '@survey/local/stack';
import { toPaths } from '@survey/local/stack/folder';
import { startSpanCollector, tracingTo } from '@survey/runtime/testing/span-collector';
import { allowedQueries } from './allowed-queries.ts';
import { findLeaks, type Leak, loadForbidden } from './log-scan.ts';
import { describeQuery, findCostlyQueries, startProfiling } from './query-profile.ts';

/** The whole platform in a folder of its own, for tests. */
export interface TestStack {
  /** Variables that tell end-to-end and fault tests to use this stack. */
  readonly variables: Readonly<Record<'SURVEY_STACK' | 'SURVEY_SPAN_COLLECTOR', string>>;
  /** Stops it and deletes its folder. Throws when its logs hold something private, or a query examined too much. */
  stop(): Promise<void>;
}

/** Waits that tests shorten; everything else has its production default. */
export const SHORT_WAITS = {
  // Receivers in tests answer at once, so the lease of a killed worker need not last a minute.
  WEBHOOK_TIMEOUT_MS: '5000',
  WEBHOOK_LEASE_MARGIN_MS: '15000',
  // No call of a deleted tenant is under way for minutes.
  TENANT_ERASURE_SETTLE_SECONDS: '2',
  // What killed processes leave is taken over soon, though not so soon that a busy machine loses leases.
  LEASE_MS: '3000',
  IMPORT_LEASE_MS: '4000',
  KAFKA_SESSION_TIMEOUT_MS: '4000',
  // A call fails with 503 this long after MongoDB has gone.
  MONGODB_SELECTION_TIMEOUT_MS: '2000',
};

/**
 * Starts MongoDB (with its fail points), Kafka, the services and the gateway. They log and trace everything.
 *
 * @param signal gives the start up
 */
export async function startTestStack(signal?: AbortSignal): Promise<TestStack> {
  const folder = await mkdtemp(join(tmpdir(), 'survey-stack-'));
  const collector = await startSpanCollector();
  const remove = async () => {
    await collector.close();
    await rm(folder, { recursive: true, force: true });
  };
  const starting = startStack({
    dir: folder,
    demo: false,
    mongo: { failPoints: true },
    env: { ...tracingTo(collector.url), ...SHORT_WAITS, LOG_LEVEL: 'trace' },
    log: (line) => process.stderr.write(`${line}\n`),
    signal,
  });
  const stack = await starting.catch(async (error) => {
    await remove();
    throw error;
  });
  await startProfiling(stack.info().mongodb_uri);
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

/** Does something, and stops whatever becomes of it. */
async function stopAfter<T>(stop: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await stop();
  }
}

/** The first of each kind in each file: when one line leaks, a thousand do. */
function toReport(leaks: readonly Leak[]): string {
  const kinds = Map.groupBy(leaks, ({ file, what }) => `${file}: ${what}`);
  return [...kinds]
    .map(([kind, [first, ...more]]) => `${kind}, line ${first?.line} and ${more.length} more: ${first?.text}`)
    .join('\n');
}
