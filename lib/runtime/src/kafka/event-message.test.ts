import { create, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@survey/proto/survey/events/v1/event_pb';
import { describe, expect, it } from 'vitest';
import { readEvent } from './event-message.ts';

const time = new Date('2026-01-01T00:00:00.123Z');
const event = {
  id: 'event-1',
  type: 'survey.created',
  tenantId: 'tenant-1',
  time: timestampFromDate(time),
  data: { a: [1, null] },
};
const read = (members: object, headers: Record<string, string> = {}) =>
  readEvent({ value: toBinary(EventSchema, create(EventSchema, { ...event, ...members })), headers });

describe('readEvent', () => {
  it('reads an event', () => {
    expect(read({})).toEqual({
      id: 'event-1',
      type: 'survey.created',
      tenantId: 'tenant-1',
      time,
      data: { a: [1, null] },
      traceparent: '',
    });
  });

  it('continues the trace of the message, else that of the event', () => {
    expect(read({ traceparent: 'begun' }).traceparent).toBe('begun');
    expect(read({ traceparent: 'begun' }, { traceparent: 'consumed' }).traceparent).toBe('consumed');
  });

  it.each([
    ['no id', { id: '' }],
    ['no type', { type: '' }],
    ['no tenant', { tenantId: '' }],
    ['no time', { time: undefined }],
    ['a time out of range', { time: { seconds: 10n ** 17n } }],
  ])('rejects an event with %s', (_case, members) => {
    expect(() => read(members)).toThrow('the event');
  });

  it.each(['', 'no event', '\xff\xff'])('rejects the bytes %j', (bytes) => {
    expect(() => readEvent({ value: Buffer.from(bytes, 'latin1'), headers: {} })).toThrow();
  });
});
