import { randomUUID } from 'node:crypto';
import { type ForkedServer, forkServer } from './forked-server.ts';

/** Starts the floor with its own database in the MongoDB of the platform. */
export function startFloor(mongodbUri: string): Promise<ForkedServer> {
  return forkServer('floor.ts', [mongodbUri, `floor-${randomUUID()}`]);
}
