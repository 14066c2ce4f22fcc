import type { IHeaders, KafkaMessage } from 'kafkajs';

export interface EventMessage {
  readonly topic: string;
  readonly partition: number;
  /** A 64-bit number in decimal. */
  readonly offset: string;
  readonly key: string;
  readonly value: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** Publishing time, by the clock of the producer. */
  readonly publishedAt: Date;
}

/** Converts a message. A missing key or value becomes empty. */
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

/** The last value of a repeated header wins. */
function toHeaders(headers: IHeaders): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    // Fast path: nearly all headers have one value.
    const last = Buffer.isBuffer(value) ? value : valuesOf(value).at(-1);
    if (last !== undefined) texts[name] = last.toString();
  }
  return texts;
}

export function toHeaderValues(headers: IHeaders): Record<string, Buffer[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, valuesOf(value)]));
}

/**
 * Returns the values of a header. kafkajs 2.2.4 returns null for an empty header, which it cannot send. If the name of a
 * header is a member of `Object.prototype`, such as `toString`, the values include this function.
 */
function valuesOf(value: IHeaders[string]): Buffer[] {
  const values: unknown[] = [value].flat();
  return values.filter((one) => one === null || Buffer.isBuffer(one)).map((one) => one ?? Buffer.alloc(0));
}
