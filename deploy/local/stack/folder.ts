import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** The folder of this checkout's stack. LOCAL_DIR overrides it. */
export function defaultFolder(env: NodeJS.ProcessEnv = process.env): string {
  return env.LOCAL_DIR || join(repositoryRoot, '.local');
}

/** The files and folders of a stack. Files in `held` pause restarts: see `isRestartPaused`. */
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

/** Whether a file in `held/` pauses restarts of this process, to try an outage. */
export function isRestartPaused({ held }: ReturnType<typeof toPaths>, process: string): boolean {
  return existsSync(join(held, process));
}
