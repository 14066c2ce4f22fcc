import { create, type JsonObject } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type Webhook, WebhookSchema } from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import { expect, expectTypeOf, it } from 'vitest';
import { toMessageFields } from './message-fields.ts';

const time = new Date('2026-01-02T03:04:05Z');

const webhook = {
  id: 'w',
  tenantId: 't',
  url: 'https://example.org/',
  eventTypes: ['*'] as readonly string[],
  surveyIds: Object.freeze([]) as readonly string[],
  includeAnswers: false,
  active: true,
  description: '',
  disabledReason: undefined,
  headers: {} as JsonObject,
  previousSecretExpiresAt: undefined,
  createdAt: time,
  updatedAt: time,
  secret: 'not for replies',
  internal: 'not in the contract',
};

it('makes a message of the fields of a record, with timestamps, and without members that the contract lacks', () => {
  const fields = toMessageFields(WebhookSchema, { ...webhook, secret: undefined });
  expect(fields).toMatchObject({ id: 'w', eventTypes: ['*'], createdAt: timestampFromDate(time), secret: undefined });
  expect(fields).not.toHaveProperty('internal');
  expectTypeOf(create(WebhookSchema, fields)).toEqualTypeOf<Webhook>();
});

it('copies lists, because messages may be changed', () => {
  const { eventTypes } = toMessageFields(WebhookSchema, webhook);
  expect(eventTypes).toEqual(webhook.eventTypes);
  expect(eventTypes).not.toBe(webhook.eventTypes);
});

it('has every field of the contract', () => {
  expect(Object.keys(toMessageFields(WebhookSchema, webhook))).toEqual(
    WebhookSchema.fields.map(({ localName }) => localName),
  );
});

it('does not compile if a field is missing or of another type', () => {
  const { url: _, ...withoutUrl } = webhook;
  // @ts-expect-error url is missing
  expect(toMessageFields(WebhookSchema, withoutUrl)).toBeDefined();
  // @ts-expect-error active is no text
  expect(toMessageFields(WebhookSchema, { ...webhook, active: 'yes' })).toBeDefined();
});
