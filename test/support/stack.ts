import { loadStackInfo, type StackInfo } from '@survey/local/stack/stack-file';
import type { TestProject } from 'vitest/node';
import { startTestStack } from './test-stack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The content of stack.json. */
    stack: StackInfo;
    /** The folder of the stack, with its keys. */
    stackFolder: string;
    /** Address of the collector that gets the spans of the stack; empty when it has none. */
    collector: string;
    /** Address that receivers of webhooks listen at. */
    receiverHost: string;
    /** Whether the cluster has a metrics server. */
    podMetrics: boolean;
  }
}

/**
 * The stack that end-to-end and fault tests run against: the one whose folder SURVEY_STACK names, for example on a
 * cluster, else a new one. SURVEY_RECEIVER_HOST is an address of this machine that the stack can reach.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const own = process.env['SURVEY_STACK'] ? undefined : await startTestStack();
  const { SURVEY_STACK = '', SURVEY_SPAN_COLLECTOR = '' } = { ...process.env, ...own?.variables };
  project.provide('stack', await loadStackInfo(SURVEY_STACK));
  project.provide('stackFolder', SURVEY_STACK);
  project.provide('collector', SURVEY_SPAN_COLLECTOR);
  project.provide('receiverHost', process.env['SURVEY_RECEIVER_HOST'] || '127.0.0.1');
  return async () => own?.stop();
}
