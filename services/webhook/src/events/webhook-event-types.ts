import { type EventType, eventType, oneOf, text, uuid } from './event-type.ts';

/** Tells by `webhook_id` which one it is. */
export const DISABLED_EVENT = 'webhook.disabled';
export const TEST_EVENT = 'webhook.test';
/** The `message` of every test. */
export const TEST_MESSAGE = 'This is a test of your webhook.';

const EXAMPLE_WEBHOOK_ID = '0198c0de-5a1e-7000-8000-000000000004';

export const webhookEventTypes: readonly EventType[] = [
  eventType({
    name: DISABLED_EVENT,
    description: 'A webhook was switched off by us. The other webhooks of the tenant are told.',
    properties: {
      webhook_id: uuid('Id of the webhook.'),
      reason: oneOf(['gone', 'failing'], 'It answered 410, or everything failed for good for days.'),
    },
    example: { webhook_id: EXAMPLE_WEBHOOK_ID, reason: 'failing' },
  }),
  eventType({
    name: TEST_EVENT,
    description: 'A user tests a webhook. Only that one gets it, whatever types it asks for. A test changes nothing.',
    properties: { webhook_id: uuid('Id of the webhook.'), message: text('Always the same words.') },
    example: { webhook_id: EXAMPLE_WEBHOOK_ID, message: TEST_MESSAGE },
  }),
];
