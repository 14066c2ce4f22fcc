import { type EventType, eventType, oneOf, text, uuid } from './event-type.ts';

export const DISABLED_EVENT = 'webhook.disabled';
export const TEST_EVENT = 'webhook.test';
/** The `message` of every test. */
export const TEST_MESSAGE = 'This is a test of your webhook.';

const EXAMPLE_WEBHOOK_ID = '0198c0de-5a1e-7000-8000-000000000004';

export const webhookEventTypes: readonly EventType[] = [
  eventType({
    name: DISABLED_EVENT,
    description: 'The platform disabled a webhook. The other webhooks of the tenant get this event.',
    properties: {
      webhook_id: uuid('Id of the webhook.'),
      reason: oneOf(
        ['gone', 'failing'],
        '`gone`: the receiver replied with 410. `failing`: all deliveries failed for days.',
      ),
    },
    example: { webhook_id: EXAMPLE_WEBHOOK_ID, reason: 'failing' },
  }),
  eventType({
    name: TEST_EVENT,
    description:
      'A user tests a webhook. Only this webhook gets the event, whatever its event types are. A test changes no data.',
    properties: { webhook_id: uuid('Id of the webhook.'), message: text('Always the same text.') },
    example: { webhook_id: EXAMPLE_WEBHOOK_ID, message: TEST_MESSAGE },
  }),
];
