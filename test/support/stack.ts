import { loadStackInfo, type StackInfo } from '@survey/local/stack/stack-file';
import type { TestProject } from 'vitest/node';
import { startTestStack } from './test-stack.ts';

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

/**
 * Provides the stack for end-to-end and fault tests: the one in the folder `SURVEY_STACK`, for example of a cluster, or
 * a new one. The stack must be able to reach this machine at `SURVEY_RECEIVER_HOST`.
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
