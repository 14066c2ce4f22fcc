import { type EventType, objectSchema, oneOf, text, toSchema, uuid } from './event-type.ts';

/** Tells by `webhook_id` which one it is. */
export const DISABLED_EVENT = 'webhook.disabled';
export const TEST_EVENT = 'webhook.test';
/** The `data` of every test. */
export const TEST_DATA = { message: 'This is a test of your webhook.' };

export const webhookEventTypes: readonly EventType[] = [
  {
    name: DISABLED_EVENT,
    description: 'A webhook was switched off by us. The other webhooks of the tenant are told.',
    schema: toSchema(
      DISABLED_EVENT,
      objectSchema({
        webhook_id: uuid('Id of the webhook.'),
        reason: oneOf(['gone', 'failing'], 'It answered 410, or everything failed for good for days.'),
      }),
    ),
    example: { webhook_id: '0198c0de-5a1e-7000-8000-000000000004', reason: 'failing' },
  },
  {
    name: TEST_EVENT,
    description: 'A user tests a webhook. Only that one gets it, whatever types it asks for.',
    schema: toSchema(TEST_EVENT, objectSchema({ message: text('Always the same words.') })),
    example: TEST_DATA,
  },
];
