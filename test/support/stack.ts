import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '@survey/local/stack';
import { toPaths } from '@survey/local/stack/folder';
import { loadStackInfo, type StackInfo } from '@survey/local/stack/stack-file';
import { startSpanCollector, tracingTo } from '@survey/runtime/testing/span-collector';
import type { TestProject } from 'vitest/node';
import { findLeaks, type Leak, loadForbidden } from './log-scan.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What runs, as stack.json has it. */
    stack: StackInfo;
    /** The folder of the stack, with its keys. */
    stackFolder: string;
    /** Where the spans of the stack are collected. */
    collector: string;
    /** Address that receivers of webhooks listen at. */
    receiverHost: string;
    /** Whether the cluster knows what pods use. */
    podMetrics: boolean;
  }
}

/**
 * The whole platform, in a folder of its own, for the end-to-end tests of a run. Its logs tell all that there is to
 * tell, and when the tests are through, nothing private may be in them. Where SURVEY_STACK names the folder of one that
 * runs somewhere, the tests are of that.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { SURVEY_STACK: running, SURVEY_RECEIVER_HOST: receiverHost = '127.0.0.1' } = process.env;
  project.provide('receiverHost', receiverHost);
  if (running) {
    project.provide('stack', await loadStackInfo(running));
    project.provide('stackFolder', running);
    return async () => {};
  }
  const folder = await mkdtemp(join(tmpdir(), 'survey-stack-'));
  const collector = await startSpanCollector();
  // The processes of the stack inherit them. Receivers in tests answer at once, so what a lost worker had in hand need
  // not wait a minute for the end of its lease; and no call of a deleted tenant is under way for minutes.
  Object.assign(process.env, tracingTo(collector.url), {
    LOG_LEVEL: 'trace',
    WEBHOOK_TIMEOUT_MS: '5000',
    TENANT_ERASURE_SETTLE_SECONDS: '2',
  });
  const log = (line: string) => process.stderr.write(`${line}\n`);
  const stack = await startStack({
    dir: folder,
    demo: false,
    mongo: { failPoints: ['faults', 'chaos'].includes(project.name) },
    log,
  });
  project.provide('stack', stack.info());
  project.provide('stackFolder', folder);
  project.provide('collector', collector.url);
  return async () => {
    await stack.stop();
    await collector.close();
    const { keys, logs } = toPaths(folder);
    const leaks = await findLeaks(logs, await loadForbidden(keys));
    await rm(folder, { recursive: true, force: true });
    if (leaks.length > 0) throw new Error(`the logs tell too much:\n${toReport(leaks)}`);
  };
}

/** The first of each kind in each file: when one line leaks, a thousand do. */
function toReport(leaks: readonly Leak[]): string {
  const kinds = Map.groupBy(leaks, ({ file, what }) => `${file}: ${what}`);
  return [...kinds]
    .map(([kind, [first, ...more]]) => `${kind}, line ${first?.line} and ${more.length} more: ${first?.text}`)
    .join('\n');
}
