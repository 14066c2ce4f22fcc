import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';

/** A process that does the least that accepting an answer can cost. */
export interface Floor {
  readonly origin: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts the floor, with a database of its own at the MongoDB of the platform. */
export async function startFloor(mongodbUri: string): Promise<Floor> {
  const child = fork(join(import.meta.dirname, 'floor.ts'), [mongodbUri, `floor-${randomUUID()}`]);
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
