import { randomUUID } from 'node:crypto';
import type { Collection, Document } from 'mongodb';
import { Registry } from 'prom-client';
import { inject } from 'vitest';
import { connectMongo, type Mongo } from '../mongo/connect-mongo.ts';
import { ensureIndexes, type IndexSpecs } from '../mongo/ensure-indexes.ts';
import type {} from './infra-context.ts';
import { testLog } from './test-log.ts';

export interface TestDatabase extends Omit<Mongo, 'close'> {
  /** Creates an empty collection with these indexes. */
  createCollection<D extends Document>(indexes: IndexSpecs[string]): Promise<Collection<D>>;
  /** Drops the database and closes the connection. */
  drop(): Promise<void>;
}

/** A new database on the shared server, with the connection settings of services. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { close, ...mongo } = await connectMongo({
    uri: inject('mongodbUri'),
    database: `test-${randomUUID()}`,
    log: testLog,
    registry: new Registry(),
  });
  return {
    ...mongo,
    async createCollection(indexes) {
      const name = `collection-${randomUUID()}`;
      await ensureIndexes(mongo.db, { [name]: indexes });
      return mongo.db.collection(name);
    },
    async drop() {
      await mongo.db.dropDatabase();
      await close();
    },
  };
}
