import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestTracing, type TestTracing } from '../testing/test-tracing.ts';
import { inMessageSpans } from './message-spans.ts';
import { runningTraceparent } from './spans.ts';

const traceparentOf = (digit: string) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
const message = (digit?: string) => ({
  topic: 'survey.events',
  value: 'v',
  headers: { ce_id: '1', ...(digit === undefined ? {} : { traceparent: traceparentOf(digit) }) },
});

describe('inMessageSpans without tracing', () => {
  it('passes the messages unchanged', async () => {
    const messages = [message('1'), message()];
    expect(await inMessageSpans('send', messages, async (given) => given)).toEqual(messages);
  });
});

describe('inMessageSpans', () => {
  let tracing: TestTracing;
  beforeEach(() => {
    tracing = startTestTracing();
  });
  afterEach(() => tracing.stop());

  it('has the consumer group, partition and offset of a consumed message', async () => {
    const consumed = { ...message('1'), partition: 3, offset: '42' };
    await inMessageSpans('process', [consumed], async () => undefined, 'webhook.db.fan-out');
    expect((await tracing.spans())[0]?.attributes).toEqual({
      'messaging.system': 'kafka',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'survey.events',
      'messaging.consumer.group.name': 'webhook.db.fan-out',
      'messaging.destination.partition.id': '3',
      'messaging.kafka.offset': 42,
    });
  });

  it('makes a span for each message in its trace, and passes on its context', async () => {
    const sent = await inMessageSpans('send', [message('1'), message('2')], async (given) => given);
    const spans = await tracing.spans();
    expect(spans.map((span) => [span.traceId, span.parentSpanId])).toEqual([
      ['1'.repeat(32), '1'.repeat(16)],
      ['2'.repeat(32), '2'.repeat(16)],
    ]);
    expect(spans[0]).toMatchObject({
      name: 'send survey.events',
      kind: 'producer',
      attributes: {
        'messaging.system': 'kafka',
        'messaging.operation.name': 'send',
        'messaging.operation.type': 'send',
        'messaging.destination.name': 'survey.events',
      },
    });
    expect(sent).toEqual(
      spans.map(({ traceId, spanId }) => ({
        ...message(),
        headers: { ce_id: '1', traceparent: `00-${traceId}-${spanId}-01` },
      })),
    );
  });

  it('runs work on one message inside its span, and on several outside of them', async () => {
    const running = async () => runningTraceparent();
    expect(await inMessageSpans('process', [message('1')], running)).toMatch(/^00-1{32}-/);
    expect(await inMessageSpans('process', [message('1'), message('2')], running)).toBeUndefined();
    expect((await tracing.spans()).map(({ name, kind }) => [name, kind])).toEqual(
      Array(3).fill(['process survey.events', 'consumer']),
    );
  });

  it('does not change messages without a trace', async () => {
    const messages = [message(), message('1')];
    const [first] = await inMessageSpans('process', messages, async (given) => given);
    expect(first).toEqual(message());
    await inMessageSpans('process', [message()], async () => undefined);
    expect(await tracing.spans()).toHaveLength(1);
  });

  it('marks the spans as failed if the work fails', async () => {
    const failure = new RangeError('secret');
    await expect(inMessageSpans('send', [message('1')], () => Promise.reject(failure))).rejects.toBe(failure);
    const [span] = await tracing.spans();
    expect(span).toMatchObject({
      attributes: { 'error.type': 'RangeError' },
      failed: true,
    });
  });
});
