import { Binary, type Collection } from 'mongodb';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { profiled } from '../testing/profiled.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { testLog } from '../testing/test-log.ts';
import { type OutboxDocument, outboxIndex } from './outbox-event.ts';
import { COUNT_LIMIT, createOutboxGauges, createOutboxStore } from './outbox-store.ts';

const FIRST = 1_700_000_000_000;

let database: TestDatabase;
let collection: Collection<OutboxDocument>;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  collection = await database.createCollection([outboxIndex]);
});
afterAll(() => database.drop());

function register(isReporter: boolean): Registry {
  const registry = new Registry();
  const clock = () => new Date(FIRST + 60_000);
  const addOutboxGauges = createOutboxGauges({ isReporter: async () => isReporter, clock, registry, log: testLog });
  addOutboxGauges('notes', createOutboxStore(collection));
  return registry;
}

async function insert(documents: number): Promise<void> {
  const eventOf = (document: number) => ({
    id: `${document}`,
    topic: 'notes',
    key: `${document}`,
    type: 'note.changed',
    source: '/notes',
    at: new Date(FIRST + document),
    value: new Binary(Buffer.from('x')),
    headers: {},
  });
  const all = Array.from({ length: documents }, (_, index) => ({ _id: `${index}`, outbox: [eventOf(index)] }));
  if (documents > 0) await collection.insertMany(all);
}

describe('the metrics of an outbox', () => {
  it('report the number of waiting documents and the oldest age', async () => {
    await insert(2);
    const page = await register(true).metrics();
    expect(page).toContain('outbox_pending_documents{collection="notes"} 2');
    expect(page).toContain('outbox_oldest_event_age_seconds{collection="notes"} 60');
  });

  it('are 0 if nothing waits', async () => {
    const page = await register(true).metrics();
    expect(page).toContain('outbox_pending_documents{collection="notes"} 0');
    expect(page).toContain('outbox_oldest_event_age_seconds{collection="notes"} 0');
  });

  it('cause no query on a replica that does not report', async () => {
    await insert(1);
    const registry = register(false);
    const commands = await profiled(database.db, collection.collectionName, async () => {
      expect(await registry.metrics()).not.toContain('outbox_pending_documents{');
    });
    expect(commands).toEqual([]);
  });

  it('examine a bounded number of keys', async () => {
    await insert(COUNT_LIMIT + 5_000);
    const registry = register(true);
    const commands = await profiled(database.db, collection.collectionName, async () => {
      expect(await registry.metrics()).toContain(`outbox_pending_documents{collection="notes"} ${COUNT_LIMIT}`);
    });
    const keys = commands.reduce((sum, { keysExamined = 0 }) => sum + keysExamined, 0);
    expect(commands).toHaveLength(2);
    expect(keys).toBeGreaterThan(COUNT_LIMIT);
    expect(keys).toBeLessThanOrEqual(COUNT_LIMIT + 2);
  });
});
