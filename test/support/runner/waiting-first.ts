import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from '../run-step.ts';

/** Files that wait for more than ten seconds, for work that the platform does from time to time. */
const WAITING = [
  'test/e2e/changed-permissions.e2e.test.ts',
  'test/e2e/deleted-tenant.e2e.test.ts',
  'test/e2e/event-catalog.e2e.test.ts',
  'test/e2e/retention.e2e.test.ts',
  'test/e2e/story.e2e.test.ts',
].map((path) => join(root, path));

/** Starts files that wait before others, so that others use the time. Without it, the largest files start first. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const missing = WAITING.filter((path) => !existsSync(path));
    if (missing.length > 0) throw new Error(`waiting-first.ts lists files that do not exist: ${missing}`);
    const sorted = await super.sort(files);
    const isWaiting = ({ moduleId }: TestSpecification) => WAITING.includes(moduleId);
    return [...sorted.filter(isWaiting), ...sorted.filter((file) => !isWaiting(file))];
  }
}
