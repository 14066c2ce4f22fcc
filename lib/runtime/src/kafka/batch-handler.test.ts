import type { IHeaders, KafkaMessage } from 'kafkajs';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import { testLog } from '../testing/test-log.ts';
import { type BatchPayload, createBatchHandler } from './batch-handler.ts';
import { createConsumerMetrics } from './consumer-metrics.ts';
import type { EventMessage } from './event-message.ts';
import type { ForwardedMessage } from './publisher.ts';

/** The steps in order: "handled a,b", "resolved 1", "dead-lettered a". */
type Story = string[];

function messageOf(value: string | null, offset: number, headers: IHeaders = {}): KafkaMessage {
  return {
    key: Buffer.from('k'),
    value: value === null ? null : Buffer.from(value),
    timestamp: '0',
    attributes: 0,
    offset: String(offset),
    headers,
  };
}

function batchOf(messages: readonly KafkaMessage[], story: Story, overrides: Partial<BatchPayload> = {}): BatchPayload {
  return {
    // The handler ignores the other members of kafkajs's batch.
    batch: { topic: 'things', partition: 2, messages: [...messages] } as unknown as BatchPayload['batch'],
    resolveOffset: (offset) => void story.push(`resolved ${offset}`),
    heartbeat: async () => {},
    isRunning: () => true,
    isStale: () => false,
    ...overrides,
  };
}

function setUp(handle: (events: readonly string[]) => Promise<void> | void, forward?: () => Promise<void>) {
  const story: Story = [];
  const letters: ForwardedMessage[] = [];
  const registry = new Registry();
  const eachBatch = createBatchHandler<string>({
    group: 'g',
    handler: {
      decode({ value }: EventMessage) {
        const text = Buffer.from(value).toString();
        if (text.startsWith('bad')) throw new Error(`cannot read ${text}`);
        return text;
      },
      async handle(events) {
        await handle(events);
        story.push(`handled ${events}`);
      },
    },
    publisher: {
      async forward(messages) {
        if (messages.length === 0) return;
        await forward?.();
        letters.push(...messages);
        story.push(`dead-lettered ${messages.map(({ value }) => value)}`);
      },
    },
    metrics: createConsumerMetrics(registry, { group: 'g', topics: [] }),
    log: testLog,
    sleep: async () => {},
  });
  const count = async (name: string) =>
    (await registry.getSingleMetric(name)?.get())?.values.map(({ value, labels }) => [value, labels]);
  return { story, letters, eachBatch, count };
}

const messagesOf = (...values: (string | null)[]) => values.map((value, offset) => messageOf(value, offset));

describe('a batch handler', () => {
  it('resolves offsets only after the events up to them are handled, in chunks', async () => {
    const { story, eachBatch } = setUp(() => {});
    const values = Array.from({ length: 250 }, (_, index) => `e${index}`);
    await eachBatch(batchOf(messagesOf(...values), story));
    expect(story).toEqual([
      `handled ${values.slice(0, 100)}`,
      'resolved 99',
      `handled ${values.slice(100, 200)}`,
      'resolved 199',
      `handled ${values.slice(200)}`,
      'resolved 249',
    ]);
  });

  it('retries all events during an outage, without giving any up', async () => {
    let outages = 50;
    const tried: string[] = [];
    const { story, letters, eachBatch, count } = setUp((events) => {
      tried.push(String(events));
      if (outages-- > 0) throw new AppError('UNAVAILABLE');
    });
    await eachBatch(batchOf(messagesOf('a', 'b'), story));
    expect(new Set(tried)).toEqual(new Set(['a,b']));
    expect(story).toEqual(['handled a,b', 'resolved 1']);
    expect(letters).toEqual([]);
    expect(await count('kafka_consumer_failures_total')).toEqual([[50, { group: 'g', topic: 'things' }]]);
  });

  it('gives up an event that fails repeatedly, and handles the others in order', async () => {
    const tried: string[] = [];
    const { story, letters, eachBatch, count } = setUp((events) => {
      tried.push(String(events));
      if (events.includes('poison')) throw new TypeError('cannot handle it');
    });
    await eachBatch(batchOf(messagesOf('a', 'poison', 'b'), story));
    expect(story).toEqual([
      'handled a',
      'resolved 0',
      'dead-lettered poison',
      'resolved 1',
      'handled b',
      'resolved 2',
      'resolved 2',
    ]);
    expect(tried.filter((events) => events === 'poison')).toHaveLength(6);
    expect(letters[0]).toMatchObject({
      topic: 'things.dead-letter',
      headers: { dead_letter_cause: 'cannot handle it' },
    });
    const labels = { group: 'g', topic: 'things', kind: 'failing' };
    expect(await count('kafka_consumer_dead_letters_total')).toEqual([[1, labels]]);
  });

  it('does not count an outage as a try of an event', async () => {
    let tries = 0;
    const { story, letters, eachBatch } = setUp(() => {
      tries += 1;
      if (tries === 30) return;
      throw tries % 10 === 0 ? new TypeError('odd') : new AppError('UNAVAILABLE');
    });
    await eachBatch(batchOf(messagesOf('a'), story));
    expect(letters).toEqual([]);
    expect(story.slice(0, 1)).toEqual(['handled a']);
  });

  it('treats ten failing events in a row as an outage, and continues when one succeeds', async () => {
    let calls = 0;
    const { story, letters, eachBatch } = setUp(() => {
      calls += 1;
      if (calls < 500) throw new TypeError('everything is broken');
    });
    const values = Array.from({ length: 15 }, (_, index) => `e${index}`);
    await eachBatch(batchOf(messagesOf(...values), story));
    expect(letters.map(({ value }) => String(value))).toEqual(values.slice(0, 10));
    expect(story.filter((line) => line.startsWith('handled'))).toEqual(
      values.slice(10).map((value) => `handled ${value}`),
    );
  });

  it('does not pass an unreadable message before its dead letter is stored', async () => {
    let rejections = 20;
    const { story, eachBatch, count } = setUp(
      () => {},
      async () => {
        if (rejections-- > 0) throw new Error('no such topic');
      },
    );
    await eachBatch(batchOf(messagesOf('a', 'bad'), story));
    expect(story).toEqual(['dead-lettered bad', 'handled a', 'resolved 1']);
    const labels = { group: 'g', topic: 'things', kind: 'unreadable' };
    expect(await count('kafka_consumer_dead_letters_total')).toEqual([[1, labels]]);
  });

  it('leaves unhandled events when the consumer stops', async () => {
    let running = true;
    const { story, eachBatch } = setUp(() => {
      running = false;
      throw new AppError('UNAVAILABLE');
    });
    await eachBatch(batchOf(messagesOf('a'), story, { isRunning: () => running }));
    expect(story).toEqual([]);
  });

  it('leaves the events after failing ones when a rebalance begins', async () => {
    const rebalance = new Error('rebalance in progress');
    const { story, eachBatch } = setUp((events) => {
      if (events.includes('b')) throw new AppError('UNAVAILABLE');
    });
    const values = [...Array.from({ length: 100 }, (_, index) => `a${index}`), 'b', 'c'];
    let beats = 0;
    const heartbeat = async () => {
      beats += 1;
      if (beats === 3) throw rebalance;
    };
    await expect(eachBatch(batchOf(messagesOf(...values), story, { heartbeat }))).rejects.toBe(rebalance);
    expect(story.map((line) => line.split(' ')[0])).toEqual(['handled', 'resolved']);
    expect(story.at(-1)).toBe('resolved 99');
  });

  it('forwards dead letters with unchanged bytes and headers', async () => {
    const { story, letters, eachBatch } = setUp(() => {});
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
    // kafkajs 2.2.4 returns such values for an empty header, and for one that is named like a method of objects.
    const odd = { empty: null, toString: [Object.prototype.toString, bytes] } as unknown as IHeaders;
    const headers = {
      ...odd,
      binary: bytes,
      twice: [Buffer.from('1'), Buffer.from('2')],
      traceparent: Buffer.from('00-a'),
    };
    const message = { ...messageOf('bad', 7, headers), key: bytes };
    const binary = { ...messageOf('bad', 8), key: null, value: Buffer.concat([Buffer.from('bad'), bytes]) };
    await eachBatch(batchOf([message, binary], story));
    expect(letters[0]).toEqual({
      topic: 'things.dead-letter',
      key: bytes,
      value: Buffer.from('bad'),
      headers: {
        empty: [Buffer.alloc(0)],
        toString: [bytes],
        binary: [bytes],
        twice: [Buffer.from('1'), Buffer.from('2')],
        traceparent: [Buffer.from('00-a')],
        dead_letter_topic: 'things',
        dead_letter_partition: '2',
        dead_letter_offset: '7',
        dead_letter_group: 'g',
        dead_letter_cause: 'cannot read bad',
      },
    });
    expect(letters[1]).toMatchObject({ key: null, value: Buffer.concat([Buffer.from('bad'), bytes]) });
  });

  it('treats a message without a value as empty', async () => {
    const { story, eachBatch } = setUp(() => {});
    await eachBatch(batchOf(messagesOf(null), story));
    expect(story).toEqual(['handled ', 'resolved 0']);
  });
});
