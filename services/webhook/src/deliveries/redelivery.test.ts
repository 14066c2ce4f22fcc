import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import type { Webhook } from '../webhooks/webhook.ts';
import { type Delivery, makeDelivery, revisionOf } from './delivery.ts';
import { createRedelivery } from './redelivery.ts';

const tenantId = toTenantId('a');
const time = new Date();
const event = { id: '1', type: 'survey.created', tenantId, time, data: {}, traceparent: '' };
const waiting = makeDelivery(event, 'w', time);
/** The same one after somebody else has sent it again. */
const changed: Delivery = { ...waiting, redeliveries: 1 };
const by = { tenantId, actor: 'me', requestId: '', traceparent: '' };

/** Asks for a delivery that is read as one after the other of these, and can be sent as some of them. */
function redeliver(reads: readonly Delivery[], sendable: readonly Delivery[], seen?: Delivery) {
  const left = [...reads];
  const sent: Delivery[] = [];
  const redelivery = createRedelivery({
    store: {
      async sendAgain(delivery) {
        if (!sendable.includes(delivery)) return undefined;
        sent.push(delivery);
        return delivery;
      },
    },
    deliveries: { find: async () => (left.length > 1 ? left.shift() : left[0]) },
    // Nothing else of it is read.
    webhooks: { get: async () => ({ active: true }) as Webhook },
    clock: () => time,
    onDue: () => undefined,
  });
  const ifMatch = seen && { includes: (revision: number) => revision === revisionOf(seen) };
  return { sent, done: redelivery.redeliver({ by, id: waiting.id, ifMatch }) };
}

describe('a delivery that changes while it is asked for', () => {
  it('is sent as it is then', async () => {
    const { sent, done } = redeliver([waiting, changed], [changed]);
    await done;
    expect(sent).toEqual([changed]);
  });

  it('is not sent to a caller who has seen it as it was', async () => {
    const { sent, done } = redeliver([waiting, changed], [changed], waiting);
    await expect(done).rejects.toMatchObject({ reason: 'PRECONDITION_FAILED' });
    expect(sent).toEqual([]);
  });
});

describe('a delivery that stays as it is and cannot be had', () => {
  it('is being sent', async () => {
    await expect(redeliver([waiting], [], waiting).done).rejects.toMatchObject({ reason: 'STATE_CONFLICT' });
  });
});
