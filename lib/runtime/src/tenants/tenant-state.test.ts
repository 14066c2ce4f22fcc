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
  it.each(['active', 'suspended', 'deleted'] as const)('is %s as in the event', (status) => {
    const message = messageWith({ status, revision: 3 });
    expect(readTenantState(message)).toEqual({ tenantId: 't', status, revision: 3, time });
  });

  it.each([
    ['no status', { revision: 3 }],
    ['a status that there is not', { status: 'asleep', revision: 3 }],
    ['no revision', { status: 'active' }],
    ['half a revision', { status: 'active', revision: 1.5 }],
  ])('cannot be read from an event with %s', (_case, data) => {
    expect(() => readTenantState(messageWith(data))).toThrow('the event has no');
  });

  it('cannot be read from invalid bytes', () => {
    expect(() => readTenantState({ value: Buffer.from('no event'), headers: {} })).toThrow();
  });
});
