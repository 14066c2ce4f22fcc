// Makes integration tests fail if a service sends a command that does not work in a sharded cluster: see ADR 0039.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { findShardingFaults } from '@survey/runtime/testing/sharding/sharding-guard';
import type { MongoClient } from 'mongodb';
import { afterAll, afterEach, expect } from 'vitest';

const CONNECTED = 'survey.mongodb.connected';
const faults = new Set<string>();

function watch(client: unknown): void {
  // Services publish their clients on this channel.
  (client as MongoClient).on('commandStarted', (started) => {
    for (const fault of findShardingFaults(started)) faults.add(fault);
  });
}

subscribe(CONNECTED, watch);
afterEach(() => {
  const found = [...faults];
  faults.clear();
  expect(found).toEqual([]);
});
afterAll(() => {
  unsubscribe(CONNECTED, watch);
});
