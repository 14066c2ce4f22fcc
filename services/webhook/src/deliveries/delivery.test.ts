import type { JsonObject } from '@bufbuild/protobuf';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applySettlement, makeDelivery, rejectionOf, revisionOf, transitions } from './delivery.ts';

const time = new Date('2026-01-01T00:00:00.120Z');
const event = {
  id: 'event-1',
  type: 'survey.created',
  tenantId: toTenantId('tenant-1'),
  time: new Date('2026-01-01T00:00:00Z'),
  data: { survey_id: 's', b: { z: 1, a: [1e21, -0, 0.1, '\u2028"\\\u0001'] }, ä: null, é: true },
  traceparent: '',
};
const DISABLED = { status: 'failed', failureReason: 'webhook_disabled' } as const;
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe('a delivery of a webhook', () => {
  const { tenantId } = event;
  const active = { tenantId, active: true, disabledReason: undefined };

  it.each([
    ['that is active may go', active, undefined],
    [
      'that the tenant disabled ends, and a new one is not stored',
      { ...active, active: false },
      { settlement: { status: 'failed', failureReason: 'webhook_disabled' }, isStored: false },
    ],
    [
      'that the platform disabled ends, and a new one is stored',
      { ...active, active: false, disabledReason: 'gone' } as const,
      { settlement: { status: 'failed', failureReason: 'webhook_disabled' }, isStored: true },
    ],
    [
      'that was deleted ends',
      undefined,
      { settlement: { status: 'failed', failureReason: 'webhook_deleted' }, isStored: false },
    ],
    [
      'of another tenant ends',
      { ...active, tenantId: toTenantId('tenant-2') },
      { settlement: { status: 'failed', failureReason: 'webhook_deleted' }, isStored: false },
    ],
  ])('%s', (_case, webhook, rejection) => {
    expect(rejectionOf(webhook, { tenantId })).toEqual(rejection);
  });
});

describe('the body of a delivery', () => {
  it('is compact JSON with keys sorted at every depth', () => {
    const { id, body } = makeDelivery(event, 'webhook-1', time);
    expect(textOf(body)).toBe(
      '{"api_version":"v1","data":{"b":{"a":[1e+21,0,0.1,"\u2028\\"\\\\\\u0001"],"z":1},"survey_id":"s","ä":null,"é":true},' +
        `"delivery_id":"${id}","event":"survey.created","timestamp":"2026-01-01T00:00:00.120Z"}`,
    );
  });

  it('holds the values of the event', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
        // fast-check has its own type for JSON.
        const { body } = makeDelivery({ ...event, data: data as JsonObject }, 'webhook-1', time);
        expect(JSON.parse(textOf(body)).data).toEqual(JSON.parse(JSON.stringify(data)));
      }),
    );
  });

  it('cannot be made of values that JSON cannot represent', () => {
    expect(() => makeDelivery({ ...event, data: { a: Number.NaN } }, 'webhook-1', time)).toThrow('NaN');
    expect(() => makeDelivery({ ...event, data: { a: '\ud800' } }, 'webhook-1', time)).toThrow('surrogate');
  });
});

describe('the id of a delivery', () => {
  it('is the same for the same event and webhook, and another for any other pair', () => {
    const id = makeDelivery(event, 'webhook-1', time).id;
    expect(makeDelivery(event, 'webhook-1', new Date()).id).toBe(id);
    expect(makeDelivery(event, 'webhook-2', time).id).not.toBe(id);
    expect(makeDelivery({ ...event, id: 'event-2' }, 'webhook-1', time).id).not.toBe(id);
  });
});

describe('the revision of a delivery', () => {
  const made = makeDelivery(event, 'webhook-1', time);
  const attempt = {
    number: 1,
    trigger: 'schedule',
    startedAt: time,
    durationMs: 1,
    statusCode: 500,
    reply: undefined,
    error: undefined,
  } as const;
  const failed = { ...made, status: 'failed', attempts: [attempt] } as const;
  const over = { ...failed, nextAttemptAt: undefined };
  const again = { ...over, redeliveries: 1 };

  it.each([
    ['is delivered by a later attempt', [made, failed, { ...failed, attempts: [attempt, { ...attempt, number: 2 }] }]],
    ['is sent again before its time', [made, failed, { ...failed, redeliveries: 1 }]],
    ['is sent again after its end', [made, over, { ...again, nextAttemptAt: time }, again]],
    ['is delivered immediately', [made, { ...failed, status: 'delivered', nextAttemptAt: undefined } as const]],
    ['is given up without another attempt', [made, failed, { ...failed, nextAttemptAt: undefined }]],
    ['is never sent', [made, applySettlement(made, DISABLED)]],
    ['waits for answers', [{ ...made, awaitsAnswers: true }, made, failed]],
  ])('increases with each change of a delivery that %s', (_case, states) => {
    const revisions = states.map(revisionOf);
    expect(new Set(revisions).size).toBe(states.length);
    expect(revisions.toSorted((one, other) => one - other)).toEqual(revisions);
  });
});

describe('a delivery', () => {
  const made = makeDelivery(event, 'webhook-1', time);
  const later = new Date(time.getTime() + 60_000);
  const attempt = {
    number: 1,
    trigger: 'schedule',
    startedAt: time,
    durationMs: 1,
    statusCode: 500,
    reply: undefined,
    error: undefined,
  } as const;
  const retried = { status: 'failed', attempt, nextAttemptAt: later } as const;
  const ended = { status: 'failed', attempt, failureReason: 'retries_exhausted' } as const;

  it.each([
    ['a new one', transitions.create(made), { dueAt: time, claim: undefined, nextAttemptAt: time }],
    ['a released one', transitions.release(later), { dueAt: later, claim: undefined }],
    [
      'a filled one',
      transitions.addAnswers('fresh', later),
      { dueAt: later, awaitsAnswers: false, timesUnreadable: 0 },
    ],
    ['an unreadable one', transitions.postpone(2, later), { dueAt: later, claim: undefined, timesUnreadable: 2 }],
    ['a retried one', transitions.settle(retried), { dueAt: later, claim: undefined, nextAttemptAt: later }],
    [
      'one that is sent again',
      transitions.sendAgain(applySettlement(made, ended), 'redeliver', later),
      {
        dueAt: later,
        claim: undefined,
        nextAttemptAt: later,
        status: 'pending',
        redeliveries: 1,
        attemptsOutsideSchedule: 1,
      },
    ],
  ])('waits without a claim: %s', (_case, changes, expected) => {
    expect(changes).toMatchObject(expected);
  });

  it('is due at the end of its lease while it is claimed', () => {
    expect(transitions.claim({ claim: 'claim-1', until: later })).toEqual({ claim: 'claim-1', dueAt: later });
  });

  it.each([
    ['a missed one', transitions.create(applySettlement(made, DISABLED))],
    ['a failed one', transitions.settle(ended)],
    ['a delivered one', transitions.settle({ status: 'delivered', attempt })],
  ])('is over without a due time, a claim and a next attempt: %s', (_case, changes) => {
    expect(changes).toMatchObject({ dueAt: undefined, claim: undefined, nextAttemptAt: undefined });
  });

  it('keeps its position in the schedule if it is sent early', () => {
    const waiting = applySettlement(made, retried);
    expect(transitions.sendAgain(waiting, 'redeliver', later)).toMatchObject({
      status: 'failed',
      attemptsOutsideSchedule: 1,
    });
    const twice = { ...waiting, attemptsOutsideSchedule: 1 };
    expect(transitions.sendAgain(twice, 'redeliver', later)).toMatchObject({ attemptsOutsideSchedule: 1 });
  });
});
