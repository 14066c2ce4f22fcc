import { randomUUID } from 'node:crypto';
import { Binary, type Collection } from 'mongodb';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PeriodicWorker } from '../flow/loop.ts';
import { createLease, type LeaseDocument } from '../mongo/lease.ts';
import { createTestKafka, type TestKafka } from '../testing/kafka/test-kafka.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { testLog } from '../testing/test-log.ts';
import { type OutboxDocument, type OutboxEvent, outboxIndex } from './outbox-event.ts';
import { createOutboxRelay } from './outbox-relay.ts';
import { createOutboxStore } from './outbox-store.ts';
import { createPublisher, type OutgoingMessage, type Publisher } from './publisher.ts';

describe('an outbox relay', () => {
  let database: TestDatabase;
  let kafka: TestKafka;
  let publisher: Publisher;
  let topic: string;
  let collection: Collection<OutboxDocument>;
  let leases: Collection<LeaseDocument>;
  const relays: PeriodicWorker[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    kafka = createTestKafka();
    publisher = createPublisher({ kafka: kafka.kafka });
  });
  beforeEach(async () => {
    topic = await kafka.createTopic(3);
    collection = await database.createCollection([outboxIndex]);
    leases = database.db.collection('leases');
  });
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  });
  afterAll(async () => {
    await publisher.close();
    await kafka.cleanUp();
    await database.drop();
  });

  function start({
    through = publisher,
    ttlMs = 30_000,
    registry = new Registry(),
  }: {
    through?: Pick<Publisher, 'publish'>;
    ttlMs?: number;
    registry?: Registry;
  } = {}): PeriodicWorker {
    const lease = createLease({ collection: leases, name: collection.collectionName, owner: randomUUID(), ttlMs });
    const relay = createOutboxRelay({
      name: collection.collectionName,
      store: createOutboxStore(collection),
      publisher: { ...publisher, ...through },
      lease,
      log: testLog,
      registry,
    });
    relays.push(relay);
    relay.start();
    return relay;
  }

  function eventOf(document: string, revision: number): OutboxEvent {
    return {
      id: `${document}-${revision}`,
      topic,
      key: document,
      type: 'note.changed',
      source: 'notes',
      at: new Date(1_700_000_000_000 + revision),
      value: new Binary(Buffer.from(`${document}${revision}`)),
      headers: {},
    };
  }

  const insert = (document: string, ...revisions: number[]) =>
    collection.insertOne({ _id: document, outbox: revisions.map((revision) => eventOf(document, revision)) });
  const pending = () => collection.countDocuments({ 'outbox.0': { $exists: true } });
  const idsOf = (messages: readonly { headers: Readonly<Record<string, string>> }[]) =>
    messages.map(({ headers }) => headers['ce_id']);

  it('publishes events as CloudEvents and removes them from their document', async () => {
    start();
    const traced = { ...eventOf('a', 1), headers: { traceparent: '00-abc' } };
    await collection.insertOne({ _id: 'a', outbox: [traced] });
    const [message] = await kafka.readTopic(topic, 1);
    expect(message).toMatchObject({ key: 'a', value: Buffer.from('a1') });
    expect(message?.headers).toEqual({
      ce_specversion: '1.0',
      ce_id: 'a-1',
      ce_type: 'note.changed',
      ce_source: 'notes',
      ce_time: '2023-11-14T22:13:20.001Z',
      'content-type': 'application/protobuf',
      traceparent: '00-abc',
    });
    await expect.poll(() => collection.findOne({ _id: 'a' })).toEqual({ _id: 'a', outbox: [] });
  });

  it('keeps the order of a document over many pages, while it changes', async () => {
    const documents = Array.from({ length: 450 }, (_, index) => `d${index}`);
    await collection.insertMany(documents.map((_id) => ({ _id, outbox: [eventOf(_id, 1), eventOf(_id, 2)] })));
    const relay = start();
    for (const revision of [3, 4, 5]) {
      await collection.updateMany({ _id: { $in: ['d0', 'd449'] } }, [
        {
          $set: {
            outbox: {
              $concatArrays: [
                '$outbox',
                [{ ...eventOf('x', revision), key: '$_id', id: { $concat: ['$_id', `-${revision}`] } }],
              ],
            },
          },
        },
      ]);
      relay.wake();
    }
    await expect.poll(pending).toBe(0);
    const read = await kafka.readTopic(topic, 906);
    for (const id of ['d0', 'd449']) {
      const own = idsOf(read.filter(({ key }) => key === id));
      expect(own).toEqual([1, 2, 3, 4, 5].map((revision) => `${id}-${revision}`));
    }
    expect(new Set(idsOf(read)).size).toBe(906);
  });

  it('publishes events that are much older than published ones', async () => {
    start();
    await insert('a', 3_600_000);
    await expect.poll(pending).toBe(0);
    await insert('b', 1);
    await expect.poll(pending).toBe(0);
    expect(idsOf(await kafka.readTopic(topic, 2))).toEqual(expect.arrayContaining(['a-3600000', 'b-1']));
  });

  it('repeats events of a relay that died before it removed them, with the same ids', async () => {
    await insert('a', 1, 2);
    await insert('b', 1);
    const death = Promise.withResolvers<void>();
    const published = Promise.withResolvers<void>();
    const publish = async (messages: readonly OutgoingMessage[]) => {
      await publisher.publish(messages);
      published.resolve();
      await death.promise;
    };
    start({ through: { publish }, ttlMs: 300 });
    await published.promise;
    start();
    await expect.poll(pending).toBe(0);
    const read = await kafka.readTopic(topic, 6);
    expect(idsOf(read).sort()).toEqual(['a-1', 'a-1', 'a-2', 'a-2', 'b-1', 'b-1']);
    expect(idsOf(read.filter(({ key }) => key === 'a'))).toEqual(['a-1', 'a-2', 'a-1', 'a-2']);
    death.reject(new Error('dead'));
  });

  it('publishes only repeats, in order, from an outdated page', async () => {
    await insert('a', 1, 2);
    const held = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const publish = async (messages: readonly OutgoingMessage[]) => {
      held.resolve();
      await gate.promise;
      await publisher.publish(messages);
    };
    const stalled = start({ through: { publish }, ttlMs: 300 });
    await held.promise;
    start();
    await expect.poll(pending).toBe(0);
    await collection.updateOne({ _id: 'a' }, { $push: { outbox: eventOf('a', 3) } });
    await expect.poll(pending).toBe(0);
    gate.resolve();
    await stalled.stop();
    expect(idsOf(await kafka.readTopic(topic, 5))).toEqual(['a-1', 'a-2', 'a-3', 'a-1', 'a-2']);
  });

  it('publishes the last event of a document that becomes a tombstone meanwhile', async () => {
    await insert('a', 1);
    const held = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const publish = async (messages: readonly OutgoingMessage[]) => {
      held.resolve();
      await gate.promise;
      await publisher.publish(messages);
    };
    start({ through: { publish } });
    await held.promise;
    await collection.updateOne({ _id: 'a' }, { $push: { outbox: eventOf('a', 2) }, $set: { tombstone: true } });
    gate.resolve();
    await expect.poll(() => collection.countDocuments({})).toBe(0);
    expect(idsOf(await kafka.readTopic(topic, 2))).toEqual(['a-1', 'a-2']);
  });

  it('drains 10,000 documents, each event once and in order', async () => {
    const documents = Array.from({ length: 10_000 }, (_, index) => `d${index}`);
    await collection.insertMany(documents.map((_id) => ({ _id, outbox: [eventOf(_id, 1), eventOf(_id, 2)] })));
    const registry = new Registry();
    start({ registry });
    await expect.poll(pending).toBe(0);
    const byKey = Map.groupBy(await kafka.readTopic(topic, 20_000), ({ key }) => key);
    expect(byKey.size).toBe(10_000);
    for (const [key, messages] of byKey) expect(idsOf(messages)).toEqual([`${key}-1`, `${key}-2`]);
    expect(await registry.metrics()).toMatch(/outbox_published_events_total{.*} 20000/);
  });

  it('publishes documents with many events in parts', async () => {
    const revisions = Array.from({ length: 20 }, (_, index) => index);
    const carriers = Array.from({ length: 60 }, (_, index) => `c${index}`);
    await collection.insertMany(
      carriers.map((_id) => ({ _id, tombstone: true, outbox: revisions.map((revision) => eventOf(_id, revision)) })),
    );
    const parts: number[] = [];
    const publish = async (messages: readonly OutgoingMessage[]) => {
      parts.push(messages.length);
      await publisher.publish(messages);
    };
    start({ through: { publish } });
    await expect.poll(() => collection.countDocuments()).toBe(0);
    expect(parts).toEqual([500, 500, 200]);
  });

  it('publishes an event of maximum size and the others', async () => {
    const large = { ...eventOf('a', 1), value: new Binary(Buffer.alloc(500_000)), headers: { traceparent: '00-abc' } };
    await collection.insertOne({ _id: 'a', outbox: [large, eventOf('a', 2), { ...large, id: 'a-3' }] });
    start();
    await expect.poll(pending).toBe(0);
    expect(idsOf(await kafka.readTopic(topic, 3))).toEqual(['a-1', 'a-2', 'a-3']);
  });

  it('retries after a failure', async () => {
    let failures = 2;
    const publish = async (messages: readonly OutgoingMessage[]) => {
      if (failures-- > 0) throw new Error('no broker');
      await publisher.publish(messages);
    };
    await insert('a', 1);
    const registry = new Registry();
    start({ through: { publish }, registry });
    await expect.poll(pending).toBe(0);
    expect(idsOf(await kafka.readTopic(topic, 1))).toEqual(['a-1']);
    expect(await registry.metrics()).toMatch(/outbox_publish_failures_total{.*} 2/);
  });

  it('works alone, and is replaced when it stops', async () => {
    const publishedBy = { first: 0, second: 0 };
    const counting = (name: keyof typeof publishedBy) => ({
      publish: async (messages: readonly OutgoingMessage[]) => {
        publishedBy[name] += messages.length;
        await publisher.publish(messages);
      },
    });
    await insert('a', 1);
    const first = start({ through: counting('first') });
    await expect.poll(pending).toBe(0);
    const second = start({ through: counting('second') });
    for (const document of ['b', 'c', 'd']) {
      await insert(document, 1);
      second.wake();
      first.wake();
    }
    await expect.poll(pending).toBe(0);
    expect(publishedBy).toEqual({ first: 4, second: 0 });
    await first.stop();
    await insert('e', 1);
    await expect.poll(pending).toBe(0);
    expect(publishedBy).toEqual({ first: 4, second: 1 });
  });

  it('finishes the current page when it is stopped', async () => {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const publish = async (messages: readonly OutgoingMessage[]) => {
      begun.resolve();
      await gate.promise;
      await publisher.publish(messages);
    };
    await insert('a', 1);
    const relay = start({ through: { publish } });
    await begun.promise;
    const stopped = relay.stop();
    gate.resolve();
    await stopped;
    expect(await pending()).toBe(0);
    expect((await leases.findOne({ _id: collection.collectionName }))?.expires_at).toEqual(new Date(0));
  });
});
