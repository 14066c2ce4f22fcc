import type { IHeaders, KafkaMessage } from 'kafkajs';

/** A message as a consumer gets it. */
export interface EventMessage {
  readonly topic: string;
  readonly partition: number;
  /** A 64-bit number in decimal. */
  readonly offset: string;
  readonly key: string;
  readonly value: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** When it was published, by the producer's clock. */
  readonly publishedAt: Date;
}

/** A message without a key or value has them empty. */
export function toEventMessage(topic: string, partition: number, message: KafkaMessage): EventMessage {
  return {
    topic,
    partition,
    offset: message.offset,
    key: message.key?.toString() ?? '',
    value: message.value ?? new Uint8Array(),
    headers: toHeaders(message.headers ?? {}),
    publishedAt: new Date(Number(message.timestamp)),
  };
}

/** Of a header that came several times the last one counts. */
function toHeaders(headers: IHeaders): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    // Nearly all have one value, and every message has several headers.
    const last = Buffer.isBuffer(value) ? value : valuesOf(value).at(-1);
    if (last !== undefined) texts[name] = last.toString();
  }
  return texts;
}

/** All values of each header. */
export function toHeaderValues(headers: IHeaders): Record<string, Buffer[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, valuesOf(value)]));
}

/**
 * kafkajs 2.2.4 gives null for a header without a value, which it could not send on, and a function among the values of
 * one that is named like a method of every object.
 */
function valuesOf(value: IHeaders[string]): Buffer[] {
  const values: unknown[] = [value].flat();
  return values.filter((one) => one === null || Buffer.isBuffer(one)).map((one) => one ?? Buffer.alloc(0));
}
