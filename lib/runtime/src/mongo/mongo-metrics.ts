import type { MongoClient } from 'mongodb';
import { Gauge, Histogram, type Registry } from 'prom-client';

export function observePool(client: MongoClient, registry: Registry): void {
  const size = new Gauge({
    name: 'database_connection_pool_size',
    help: 'Established connections to MongoDB: all (total), those in use (checked_out), and operations that wait for one (waiting).',
    labelNames: ['pool_type'],
    aggregator: 'sum',
    registers: [registry],
  });
  const total = size.labels('total');
  const checkedOut = size.labels('checked_out');
  const waiting = size.labels('waiting');
  // Counts established connections: if the pool is cleared or closed while one is being established, the driver drops
  // it without an event.
  const established = new Set<string>();
  client.on('connectionReady', ({ address, connectionId }) => {
    established.add(`${address} ${connectionId}`);
    total.set(established.size);
  });
  client.on('connectionClosed', ({ address, connectionId }) => {
    established.delete(`${address} ${connectionId}`);
    total.set(established.size);
  });
  client.on('connectionCheckOutStarted', () => waiting.inc());
  client.on('connectionCheckOutFailed', () => waiting.dec());
  client.on('connectionCheckedOut', () => {
    waiting.dec();
    checkedOut.inc();
  });
  client.on('connectionCheckedIn', () => checkedOut.dec());
}

/** Measures the time from sending a command to its reply. */
export function observeCommands(client: MongoClient, registry: Registry): void {
  const duration = new Histogram({
    name: 'database_command_duration_seconds',
    help: 'Time from sending a command to MongoDB to its reply.',
    labelNames: ['command', 'outcome'],
    buckets: [0.002, 0.01, 0.05, 0.25, 1, 5],
    aggregator: 'sum',
    registers: [registry],
  });
  client.on('commandSucceeded', (event) =>
    duration.observe({ command: event.commandName, outcome: 'ok' }, event.duration / 1000),
  );
  client.on('commandFailed', (event) =>
    duration.observe({ command: event.commandName, outcome: 'failed' }, event.duration / 1000),
  );
}
