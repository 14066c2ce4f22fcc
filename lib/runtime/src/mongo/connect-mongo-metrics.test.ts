import type { EventEmitter } from 'node:events';
import { MongoClient } from 'mongodb';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { observePool } from './connect-mongo.ts';

it('forgets connections that the driver drops while they are established', async () => {
  const registry = new Registry();
  const client = new MongoClient('mongodb://127.0.0.1:1');
  observePool(client, registry);
  const emit = (event: string, connectionId: number) =>
    (client as EventEmitter).emit(event, { address: '127.0.0.1:1', connectionId });
  const total = (count: number) => `database_connection_pool_size{pool_type="total"} ${count}\n`;

  emit('connectionCreated', 1);
  emit('connectionReady', 1);
  emit('connectionCreated', 2);
  emit('connectionReady', 2);
  expect(await registry.metrics()).toContain(total(2));
  // The pool is cleared: the third connection is dropped without an event; the fourth could not be established.
  emit('connectionCreated', 3);
  emit('connectionCreated', 4);
  emit('connectionClosed', 4);
  emit('connectionClosed', 1);
  expect(await registry.metrics()).toContain(total(1));
  emit('connectionClosed', 2);
  expect(await registry.metrics()).toContain(total(0));
  await client.close();
});
