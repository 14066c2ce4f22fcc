import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** Where the stack of this checkout keeps everything, unless LOCAL_DIR names another folder. */
export function defaultFolder(env: NodeJS.ProcessEnv = process.env): string {
  return env.LOCAL_DIR || join(repositoryRoot, '.local');
}

/** Paths below a stack's folder. */
export function toPaths(folder: string) {
  return {
    stackFile: join(folder, 'stack.json'),
    demoFile: join(folder, 'demo.json'),
    data: join(folder, 'data'),
    logs: join(folder, 'logs'),
    held: join(folder, 'held'),
    keys: join(folder, 'keys'),
    launcherLock: join(folder, 'launcher.lock'),
    processesLock: join(folder, 'processes.lock'),
  } as const;
}

/** Whether there is a file that says not to start this part again: a way to try what happens without it. */
export function isHeld({ held }: ReturnType<typeof toPaths>, part: string): boolean {
  return existsSync(join(held, part));
}
