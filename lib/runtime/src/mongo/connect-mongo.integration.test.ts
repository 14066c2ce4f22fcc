import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { describe, expect, inject, it } from 'vitest';
import { testLog } from '../testing/test-log.ts';
import { connectMongo } from './connect-mongo.ts';

describe('connectMongo', () => {
  it('uses majority writes with journal, and majority reads', async () => {
    const registry = new Registry();
    const mongo = await connectMongo({
      uri: inject('mongodbUri'),
      database: `test-${randomUUID()}`,
      log: testLog,
      registry,
    });
    expect(mongo.db.writeConcern).toMatchObject({ w: 'majority', journal: true });
    expect(mongo.db.readConcern).toMatchObject({ level: 'majority' });
    await mongo.ping();
    await mongo.close();
  });

  it('counts its connections and measures its commands', async () => {
    const registry = new Registry();
    const mongo = await connectMongo({
      uri: inject('mongodbUri'),
      database: `test-${randomUUID()}`,
      log: testLog,
      registry,
    });
    await mongo.ping();
    const page = await registry.metrics();
    expect(page).toMatch(/database_connection_pool_size{pool_type="total"} [1-9]/);
    expect(page).toContain('database_connection_pool_size{pool_type="checked_out"} 0');
    expect(page).toContain('database_connection_pool_size{pool_type="waiting"} 0');
    expect(page).toMatch(/database_command_duration_seconds_count{command="ping",outcome="ok"} 1/);
    await mongo.close();
    expect(await registry.metrics()).toContain('database_connection_pool_size{pool_type="total"} 0');
  });

  it('hides the credentials in the error if no server is reachable', async () => {
    const uri = 'mongodb://somebody:pa55word@127.0.0.1:1/?serverSelectionTimeoutMS=100';
    const connecting = connectMongo({ uri, database: 'x', log: testLog, registry: new Registry() });
    const error = await connecting.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'MongoServerSelectionError' });
    expect(String(error)).not.toContain('pa55word');
  });
});
