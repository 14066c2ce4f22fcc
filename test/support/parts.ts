import { loadStackInfo } from '@survey/local/stack/stack-file';
import { inject } from 'vitest';
import type {} from './stack.ts';
import { kill, type Supervised, whileAway, whileStalled } from './supervised.ts';

/** A part of the stack that tests take away. */
export type Part = 'gateway' | 'identity' | 'survey' | 'response' | 'import' | 'webhook' | 'mongodb' | 'kafka';

/** Kills a part, and resolves when another process of it is ready. */
export const killPart = (part: Part): Promise<void> => kill(toSupervised(part));

/** Kills parts, keeps them away until `work` is done, and resolves when all of them are back. */
export const whileStopped = (parts: readonly Part[], work: () => Promise<void>): Promise<void> =>
  whileAway(parts.map(toSupervised), work);

/** Keeps parts from running while `work` does; they hold their connections and answer nothing. */
export const whileHanging = (parts: readonly Part[], work: () => Promise<void>): Promise<void> =>
  whileStalled(parts.map(toSupervised), work);

export function toSupervised(part: Part): Supervised {
  return {
    name: part,
    async pid() {
      const info = await loadStackInfo(inject('stackFolder'));
      // MongoDB and Kafka are in the file again only when they are ready.
      const pid = part === 'mongodb' || part === 'kafka' ? info[part].pid : info.services[part]?.pid;
      if (pid === undefined) throw new Error(`${part} is no process of the stack`);
      return pid;
    },
    admin: inject('stack').services[part]?.admin,
  };
}
