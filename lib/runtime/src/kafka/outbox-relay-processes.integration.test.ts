import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Binary, type Collection } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { LeaseDocument } from '../mongo/lease.ts';
import { createTestKafka, type TestKafka } from '../testing/kafka/test-kafka.ts';
import { createScripts } from '../testing/processes/start-script.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { type OutboxDocument, type OutboxEvent, outboxIndex } from './outbox-event.ts';

const isAll = inject('testScope') === 'all';
/** Number of times that the active relay is killed, or stalls. */
const FAULTS = isAll ? 3 : 1;
/** Pause between changes. Short tests make fewer changes, because every event is compared at the end. */
const PAUSE_MS = isAll ? 0 : 50;
const DOCUMENTS = Array.from({ length: 60 }, (_, index) => `d${index}`);

describe('outbox relays in two processes', () => {
  let database: TestDatabase;
  let kafka: TestKafka;
  let topic: string;
  let name: string;
  let collection: Collection<OutboxDocument>;
  let leases: Collection<LeaseDocument>;
  const scripts = createScripts();
  const relays = new Map<string, ReturnType<typeof start>>();

  beforeAll(async () => {
    database = await createTestDatabase();
    kafka = createTestKafka();
  });
  beforeEach(async () => {
    topic = await kafka.createTopic(3);
    collection = await database.createCollection([outboxIndex]);
    name = collection.collectionName;
    leases = database.db.collection('leases');
    await collection.insertMany(DOCUMENTS.map((_id) => ({ _id, outbox: [eventOf(_id, 1)] })));
  });
  afterEach(() => scripts.killAll());
  afterAll(async () => {
    await kafka.cleanUp();
    await database.drop();
  });

  function start() {
    const owner = randomUUID();
    const args = [inject('mongodbUri'), database.db.databaseName, inject('kafkaBrokers'), name, owner];
    const relay = { owner, process: scripts.start('relay-under-test', ...args) };
    relays.set(owner, relay);
    return relay;
  }

  /** The relay that holds the lease now and is not `except`. */
  async function holder(except?: string) {
    await expect.poll(async () => relays.has((await lease())?.owner ?? '')).toBe(true);
    await expect.poll(async () => (await lease())?.owner).not.toBe(except);
    const held = relays.get((await lease())?.owner ?? '');
    if (held === undefined) throw new Error('the lease is held by nobody known');
    return held;
  }
  const lease = () => leases.findOne({ _id: name });

  function eventOf(document: string, revision: number): OutboxEvent {
    return {
      id: `${document}-${revision}`,
      topic,
      key: document,
      type: 'note.changed',
      source: '/notes',
      at: new Date(),
      value: new Binary(Buffer.alloc(500)),
      headers: {},
    };
  }

  /** Changes all documents until `until` resolves, and finally makes tombstones. Returns the last revision. */
  async function changeWhile(until: () => Promise<void>): Promise<number> {
    let over = false;
    let revision = 1;
    const acting = until().finally(() => {
      over = true;
    });
    while (!over) {
      // Two events at a time, so that documents have several events.
      await push(revision + 1, revision + 2);
      revision += 2;
      await pause(PAUSE_MS);
    }
    await acting;
    revision += 1;
    await push(revision);
    return revision;

    async function push(...revisions: number[]): Promise<void> {
      const isLast = over;
      await collection.bulkWrite(
        DOCUMENTS.map((_id) => ({
          updateOne: {
            filter: { _id },
            update: {
              $push: { outbox: { $each: revisions.map((one) => eventOf(_id, one)) } },
              ...(isLast ? { $set: { tombstone: true as const } } : {}),
            },
          },
        })),
      );
    }
  }

  async function countPublished(): Promise<number> {
    const admin = kafka.kafka.admin();
    await admin.connect();
    try {
      return (await admin.fetchTopicOffsets(topic)).reduce((sum, { high }) => sum + Number(high), 0);
    } finally {
      await admin.disconnect();
    }
  }

  async function expectAllInOrder(revisions: number): Promise<void> {
    // All documents are tombstones now, which disappear when their events are published.
    await expect.poll(() => collection.countDocuments({})).toBe(0);
    // There may be more messages than events: a relay that lost its lease may repeat some.
    const messages = await kafka.readWhole(topic);
    const byKey = Map.groupBy(messages, ({ key }) => key);
    for (const document of DOCUMENTS) {
      const ids = new Set(byKey.get(document)?.map(({ headers }) => headers['ce_id']));
      expect([...ids]).toEqual(Array.from({ length: revisions }, (_, index) => `${document}-${index + 1}`));
    }
  }

  async function untilMorePublished(): Promise<void> {
    const before = await countPublished();
    await expect.poll(countPublished).toBeGreaterThan(before + 200);
  }

  it('lose nothing and keep the order per document when the active one is killed repeatedly', async () => {
    start();
    start();
    const revisions = await changeWhile(async () => {
      for (let round = 0; round < FAULTS; round += 1) {
        const working = await holder();
        await untilMorePublished();
        working.process.kill('SIGKILL');
        start();
        await holder(working.owner);
        await untilMorePublished();
      }
    });
    await expectAllInOrder(revisions);
    expect((await lease())?.token).toBeGreaterThanOrEqual(1 + FAULTS);
  });

  it('lose nothing and keep the order per document when one stalls beyond its lease', async () => {
    start();
    start();
    const revisions = await changeWhile(async () => {
      for (let round = 0; round < FAULTS; round += 1) {
        const stalled = await holder();
        await untilMorePublished();
        stalled.process.kill('SIGSTOP');
        await holder(stalled.owner);
        await untilMorePublished();
        stalled.process.kill('SIGCONT');
        await untilMorePublished();
      }
    });
    await expectAllInOrder(revisions);
    expect((await lease())?.token).toBeGreaterThanOrEqual(1 + FAULTS);
  });
});
