import { randomUUID } from 'node:crypto';
import { topics } from '@survey/proto/catalog';
import { readEvent, toEventMessage } from '@survey/runtime/kafka/event-message';
import { createKafka } from '@survey/runtime/kafka/kafka-client';
import { poll } from '@survey/runtime/testing/poll';
import { testLog } from '@survey/runtime/testing/test-log';
import { inject } from 'vitest';
import type {} from '../support/stack.ts';

/** Events of submitted responses in the topic. */
interface SubmittedEvents {
  /** Reads to the current end of the topic. Returns event ids by response id for these surveys. */
  read(surveyIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  close(): Promise<void>;
}

interface SubmittedEvent {
  readonly id: string;
  readonly surveyId: string;
  readonly responseId: string;
}

/** Starts reading the topic. */
export async function readSubmittedEvents(): Promise<SubmittedEvents> {
  const kafka = createKafka({ brokers: inject('stack').kafka_brokers.split(','), clientId: 'test', log: testLog });
  const consumer = kafka.consumer({ groupId: randomUUID(), maxWaitTimeInMs: 100 });
  const events: SubmittedEvent[] = [];
  const nextOffsets = new Map<number, number>();
  await consumer.connect();
  await consumer.subscribe({ topic: topics.response, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ topic, partition, message }) => {
      nextOffsets.set(partition, Number(message.offset) + 1);
      const { id, type, data } = readEvent(toEventMessage(topic, partition, message));
      if (type !== 'response.submitted') return;
      events.push({ id, surveyId: String(data['survey_id']), responseId: String(data['response_id']) });
    },
  });

  async function endOffsets() {
    const admin = kafka.admin();
    await admin.connect();
    try {
      return await admin.fetchTopicOffsets(topics.response);
    } finally {
      await admin.disconnect();
    }
  }

  return {
    async read(surveyIds) {
      const ends = await endOffsets();
      await poll(() => ends.every(({ partition, high }) => (nextOffsets.get(partition) ?? 0) >= Number(high)));
      const wanted = events.filter(({ surveyId }) => surveyIds.includes(surveyId));
      const byResponse = Map.groupBy(wanted, ({ responseId }) => responseId);
      return new Map([...byResponse].map(([responseId, its]) => [responseId, new Set(its.map(({ id }) => id))]));
    },
    close: () => consumer.disconnect(),
  };
}
