import { randomUUID } from 'node:crypto';
import { type ForkedServer, forkServer } from './forked-server.ts';

/** Starts the least that accepting an answer can cost, with a database of its own at the MongoDB of the platform. */
export function startFloor(mongodbUri: string): Promise<ForkedServer> {
  return forkServer('floor.ts', [mongodbUri, `floor-${randomUUID()}`]);
}
