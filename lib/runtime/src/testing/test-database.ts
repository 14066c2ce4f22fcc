import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { inject } from 'vitest';
import { connectMongo, type Mongo } from '../mongo/connect-mongo.ts';
import type {} from './infra-context.ts';
import { testLog } from './test-log.ts';

export interface TestDatabase extends Omit<Mongo, 'close'> {
  /** Drops the database and closes the connection. */
  drop(): Promise<void>;
}

/** A database of a test's own on the server that all tests share, connected to as services do it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { close, ...mongo } = await connectMongo({
    uri: inject('mongodbUri'),
    database: `test-${randomUUID()}`,
    log: testLog,
    registry: new Registry(),
  });
  return {
    ...mongo,
    async drop() {
      await mongo.db.dropDatabase();
      await close();
    },
  };
}
