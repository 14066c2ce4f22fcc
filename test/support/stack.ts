import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '@survey/local/stack';
import type { StackInfo } from '@survey/local/stack/stack-file';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** What runs, as stack.json has it. */
    stack: StackInfo;
    /** The folder of the stack, with its keys. */
    stackFolder: string;
  }
}

/** The whole platform, in a folder of its own, for the end-to-end tests of a run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'survey-stack-'));
  const stack = await startStack({ dir: folder, demo: false, log: (line) => process.stderr.write(`${line}\n`) });
  project.provide('stack', stack.info());
  project.provide('stackFolder', folder);
  return async () => {
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
