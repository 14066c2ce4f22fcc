import { fromBinary } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@survey/proto/survey/events/v1/event_pb';
import { describe, expect, it } from 'vitest';
import { toTenantId } from '../auth/tenant-id.ts';
import { makeEvent, type NewEvent } from './outbox-event.ts';

const happening: NewEvent = {
  topic: 'survey.events',
  recordId: 's1',
  revision: 3,
  type: 'survey.published',
  source: '/surveys',
  tenantId: toTenantId('t1'),
  time: new Date('2026-01-02T03:04:05.678Z'),
  data: { survey_id: 's1' },
  traceparent: '00-abc',
};

describe('makeEvent', () => {
  it('derives the id from record, type and revision', () => {
    const id = (event: Partial<NewEvent>) => makeEvent({ ...happening, ...event }).id;
    expect(id({ time: new Date(), traceparent: '' })).toBe(id({}));
    const all = [id({}), id({ revision: 4 }), id({ type: 'survey.closed' }), id({ recordId: 's2' })];
    expect(new Set(all).size).toBe(4);
  });

  it('uses the record as key, and encodes the event in the value', () => {
    const { key, topic, headers, value, id } = makeEvent(happening);
    expect({ key, topic, headers }).toEqual({ key: 's1', topic: 'survey.events', headers: { traceparent: '00-abc' } });
    expect(fromBinary(EventSchema, value.value())).toMatchObject({ id, tenantId: 't1', data: { survey_id: 's1' } });
    expect(makeEvent({ ...happening, traceparent: '' }).headers).toEqual({});
  });

  it('adds the time of the change and the revision of the record to the data, overriding given ones', () => {
    const { value } = makeEvent({ ...happening, data: { survey_id: 's1', occurred_at: 'never', revision: 9 } });
    const { data, time } = fromBinary(EventSchema, value.value());
    expect(data).toEqual({ survey_id: 's1', occurred_at: '2026-01-02T03:04:05.678Z', revision: 3 });
    expect(time === undefined ? undefined : timestampDate(time)).toEqual(happening.time);
  });

  it('rejects an event that a broker would reject, and accepts one just below the limit', () => {
    const withText = (length: number) => () => makeEvent({ ...happening, data: { text: 'x'.repeat(length) } });
    expect(withText(499_000)).not.toThrow();
    expect(withText(500_000)).toThrow(RangeError);
  });
});
