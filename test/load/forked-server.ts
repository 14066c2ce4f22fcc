import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A server in a child process. */
export interface ForkedServer {
  readonly origin: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts a script of this folder, which sends `{ port }` when it listens and ends on SIGTERM. */
export async function forkServer(script: string, args: readonly string[] = []): Promise<ForkedServer> {
  const child = fork(join(import.meta.dirname, script), args);
  const [message] = (await once(child, 'message')) as [{ port: number }];
  return {
    origin: `http://127.0.0.1:${message.port}`,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
