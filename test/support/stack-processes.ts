import { loadStackInfo } from '@survey/local/stack/stack-file';
import { inject } from 'vitest';
import type {} from './stack.ts';
import { kill, type Supervised, whileAway, whileStalled } from './supervised.ts';

/** A process of the stack that tests can stop. */
export type StackProcess = 'gateway' | 'identity' | 'survey' | 'response' | 'import' | 'webhook' | 'mongodb' | 'kafka';

/** Kills a process, and resolves when its replacement is ready. */
export const killProcess = (part: StackProcess): Promise<void> => kill(toSupervised(part));

/** Kills processes, keeps them stopped until `work` is done, and resolves when all are ready again. */
export const whileStopped = (parts: readonly StackProcess[], work: () => Promise<void>): Promise<void> =>
  whileAway(parts.map(toSupervised), work);

/** Suspends processes while `work` runs; their connections stay open without replies. */
export const whileHanging = (parts: readonly StackProcess[], work: () => Promise<void>): Promise<void> =>
  whileStalled(parts.map(toSupervised), work);

export function toSupervised(part: StackProcess): Supervised {
  return {
    name: part,
    async pid() {
      const info = await loadStackInfo(inject('stackFolder'));
      // The file has MongoDB and Kafka again only when they are ready.
      const pid = part === 'mongodb' || part === 'kafka' ? info[part].pid : info.services[part]?.pid;
      if (pid === undefined) throw new Error(`${part} is not a process of the stack`);
      return pid;
    },
    admin: inject('stack').services[part]?.admin,
  };
}
