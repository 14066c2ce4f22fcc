import { create, toBinary } from '@bufbuild/protobuf';
import { StructSchema, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@survey/proto/survey/events/v1/event_pb';
import { describe, expect, it } from 'vitest';
import { decodeEvent } from './fan-out.ts';

const decode = (value: Uint8Array) => decodeEvent({ value, headers: {} });

describe('decodeEvent', () => {
  it('reads an event', () => {
    const event = { id: 'event-1', type: 'survey.created', tenantId: 'tenant-1', time: timestampFromDate(new Date()) };
    const value = toBinary(EventSchema, create(EventSchema, { ...event, data: { a: [1, null] } }));
    // Older versions publish events without `occurred_at` and `revision`.
    expect(decode(value)).toMatchObject({ id: 'event-1', data: { a: [1, null] } });
  });

  it('rejects an event with numbers that JSON cannot express', () => {
    const event = { id: 'event-1', type: 'survey.created', tenantId: 'tenant-1', time: timestampFromDate(new Date()) };
    const infinite = create(StructSchema, {
      fields: { a: { kind: { case: 'numberValue', value: Number.POSITIVE_INFINITY } } },
    });
    // The field `data` (5, length-delimited) appended to the message.
    const data = toBinary(StructSchema, infinite);
    const value = Buffer.concat([
      toBinary(EventSchema, create(EventSchema, event)),
      Buffer.of(0x2a, data.length),
      data,
    ]);
    expect(() => decode(value)).toThrow();
  });

  it('rejects messages that are not events', () => {
    expect(() => decode(Buffer.from('no event'))).toThrow();
  });
});
