import { create, type JsonObject, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@survey/proto/survey/events/v1/event_pb';
import { describe, expect, it } from 'vitest';
import { readTenantState } from './tenant-state.ts';

const time = new Date('2026-01-01T00:00:00.123Z');
const messageWith = (data: JsonObject) => {
  const event = { id: 'e', type: 'tenant.suspended', tenantId: 't', time: timestampFromDate(time), data };
  return { value: toBinary(EventSchema, create(EventSchema, event)), headers: {} };
};

describe('the state of a tenant', () => {
  it.each(['active', 'suspended', 'deleted'] as const)('is %s when the event says so', (status) => {
    const message = messageWith({ status, revision: 3 });
    expect(readTenantState(message)).toEqual({ tenantId: 't', status, revision: 3, time });
  });

  it.each([
    ['no status', { revision: 3 }],
    ['a status that there is not', { status: 'asleep', revision: 3 }],
    ['no revision', { status: 'active' }],
    ['half a revision', { status: 'active', revision: 1.5 }],
  ])('is not read from an event with %s', (_what, data) => {
    expect(() => readTenantState(messageWith(data))).toThrow('the event tells no');
  });

  it('is not read from what is no event', () => {
    expect(() => readTenantState({ value: Buffer.from('no event'), headers: {} })).toThrow();
  });
});
