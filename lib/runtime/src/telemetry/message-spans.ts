import { startSpanInTrace } from './spans.ts';

interface Message {
  readonly topic: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Only consumed messages have a partition and an offset. */
  readonly partition?: number;
  /** A 64-bit number in decimal. */
  readonly offset?: string;
}

const kinds = { send: 'producer', process: 'consumer' } as const;

/**
 * Runs work on messages, with a span for each message that has a `traceparent`. `work` gets these messages with the
 * `traceparent` of their own spans. Work on a single message runs inside its span.
 *
 * @param group consumer group that processes the messages
 */
export async function inMessageSpans<M extends Message, T>(
  operation: keyof typeof kinds,
  messages: readonly M[],
  work: (messages: readonly M[]) => Promise<T>,
  group?: string,
): Promise<T> {
  if (messages.every(({ headers }) => headers['traceparent'] === undefined)) return work(messages);
  const spans = messages.map(({ topic, headers, partition, offset }) =>
    startSpanInTrace({
      name: `${operation} ${topic}`,
      kind: kinds[operation],
      traceparent: headers['traceparent'],
      attributes: {
        'messaging.system': 'kafka',
        'messaging.operation.name': operation,
        'messaging.operation.type': operation,
        'messaging.destination.name': topic,
        ...(group === undefined ? {} : { 'messaging.consumer.group.name': group }),
        ...(partition === undefined ? {} : { 'messaging.destination.partition.id': String(partition) }),
        ...(offset === undefined ? {} : { 'messaging.kafka.offset': Number(offset) }),
      },
    }),
  );
  const traced = messages.map((message, index) => {
    const traceparent = spans[index]?.traceparent;
    return traceparent === undefined ? message : { ...message, headers: { ...message.headers, traceparent } };
  });
  const [first] = spans;
  try {
    const result = await (first !== undefined && spans.length === 1 ? first.run(() => work(traced)) : work(traced));
    for (const span of spans) span.end();
    return result;
  } catch (error) {
    for (const span of spans) span.end({ error: error instanceof Error ? error.name : 'unknown' });
    throw error;
  }
}
